/* SPDX-License-Identifier: Apache-2.0
 *
 * Definitions for all parts of the core: the check for liburcu, result codes, cache lines, and two annotations that
 * tell ThreadSanitizer about a grace period.
 */
#ifndef MILLRACE_PLATFORM_H
#define MILLRACE_PLATFORM_H

#if !__has_include(<urcu/urcu-bp.h>)
#error "Millrace needs liburcu: run 'sudo apt-get install liburcu-dev' (Debian, Ubuntu)"
#endif
#include <urcu/static/urcu-bp.h> /* a missing header is fatal: no cascade of errors follows */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Result codes. The calls of the core report errors by these, and neither abort nor use errno for that. */
typedef enum millrace_result {
    MILLRACE_OK = 0,
    MILLRACE_OUT_OF_MEMORY = 1,
    MILLRACE_INVALID_ARGUMENT = 2,
    MILLRACE_SYSTEM_ERROR = 3, /* the call documents where it returns the errno */
} millrace_result;

#define MILLRACE_CACHE_LINE 64

#define MILLRACE_LIKELY(x) __builtin_expect(!!(x), 1)
#define MILLRACE_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Tells the compiler something that it cannot know: the behaviour is undefined if it is not so. */
#define MILLRACE_ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_POINTER_LOCK_FREE == 2, "needs lock-free 64-bit atomics");
_Static_assert(sizeof(void *) == 8, "needs a 64-bit platform");
_Static_assert(sizeof(_Atomic uint64_t) == 8, "an atomic word is a plain word");

/* A grace period orders the end of every read section before the callback. liburcu is not instrumented, so these
 * annotations tell ThreadSanitizer about that order. They name the address of the object itself and no other: a global
 * address would also order unrelated readers, and could hide a race. The functions are weak and tested at run time,
 * because inlines that Swift imports do not know at compile time whether the program is instrumented. Without
 * ThreadSanitizer an annotation costs a test for null. */
void __tsan_acquire(void *_Nonnull address) __attribute__((weak));
void __tsan_release(void *_Nonnull address) __attribute__((weak));

static inline void millrace_happens_before(const void *_Nonnull address) {
    if (MILLRACE_UNLIKELY(__tsan_release != NULL)) {
        __tsan_release((void *)(uintptr_t)address);
    }
}

static inline void millrace_happens_after(const void *_Nonnull address) {
    if (MILLRACE_UNLIKELY(__tsan_acquire != NULL)) {
        __tsan_acquire((void *)(uintptr_t)address);
    }
}

/* Between two steps of a protocol: the stress driver and the memory-model checker stop the thread here at random. In a
 * build with MILLRACE_SIMULATED, a simulated world stops its threads here. */
#ifdef MILLRACE_SIMULATED
void millrace_step(void);

/* Has `step` called with `context` between two steps of the calling thread; NULL: nothing is called. */
void millrace_step_set(void (*_Nullable step)(void *_Nullable context), void *_Nullable context);
#define MILLRACE_INTERLEAVE() millrace_step()
#endif
#ifndef MILLRACE_INTERLEAVE
#define MILLRACE_INTERLEAVE() ((void)0)
#endif

/* Prints one line that names the mistake, then stops the program, in every build. For programmers' mistakes only. */
_Noreturn void millrace_stop(const char *_Nonnull message);

/* One iteration of a spin loop: tells the processor that this thread only waits. */
static inline void millrace_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb" ::: "memory");
#endif
}

#endif
