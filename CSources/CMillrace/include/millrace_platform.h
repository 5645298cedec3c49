/* SPDX-License-Identifier: Apache-2.0
 *
 * What every part of the core shares: the dependency check, result codes, cache lines, and the two annotations by which
 * ThreadSanitizer learns of a grace period.
 */
#ifndef MILLRACE_PLATFORM_H
#define MILLRACE_PLATFORM_H

#if !__has_include(<urcu/urcu-bp.h>)
#error "Millrace needs liburcu: run 'sudo apt-get install liburcu-dev' (Debian, Ubuntu)"
#endif
#include <urcu/static/urcu-bp.h> /* fatal when missing: no cascade of errors follows */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Results. Nothing in the core aborts or sets errno for its caller. */
typedef enum millrace_result {
    MILLRACE_OK = 0,
    MILLRACE_OUT_OF_MEMORY = 1,
    MILLRACE_INVALID_ARGUMENT = 2,
    MILLRACE_SYSTEM_ERROR = 3, /* the call says where its errno is */
} millrace_result;

#define MILLRACE_CACHE_LINE 64

#define MILLRACE_LIKELY(x) __builtin_expect(!!(x), 1)
#define MILLRACE_UNLIKELY(x) __builtin_expect(!!(x), 0)

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_POINTER_LOCK_FREE == 2, "needs lock-free 64-bit atomics");
_Static_assert(sizeof(void *) == 8, "needs a 64-bit platform");
_Static_assert(sizeof(_Atomic uint64_t) == 8, "an atomic word is a plain word");

/* A grace period orders "a reader left its section" before "the callback ran". liburcu is not instrumented, so under
 * ThreadSanitizer the edge is told by hand, on the address of the object in question and no other: a global address
 * would also order unrelated readers and could hide a race. Weak, and looked at when running: inlines that Swift
 * imports are not told at compile time that the program is instrumented. Elsewhere it is a test of a null pointer. */
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

/* Between two steps of a protocol: the stress driver and the memory-model checker stop the thread here at random. */
#ifndef MILLRACE_INTERLEAVE
#define MILLRACE_INTERLEAVE() ((void)0)
#endif

/* For programmers' mistakes only: prints one line that names the mistake, in every build, and stops the program. */
_Noreturn void millrace_stop(const char *_Nonnull message);

/* One turn of a spin loop: tells the core that this thread only waits. */
static inline void millrace_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb" ::: "memory");
#endif
}

#endif
