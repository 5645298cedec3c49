/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock: a monotonic time stamp that costs a few nanoseconds.
 *
 *   ticks             any thread, wait-free: the invariant time stamp counter (rdtsc; cntvct_el0 on arm64); nanoseconds
 *                     of CLOCK_MONOTONIC where there is no such counter.
 *   nanoseconds       any thread: converts ticks to nanoseconds. The first call calibrates the counter against
 *                     CLOCK_MONOTONIC and takes about 5 ms.
 *   from_nanoseconds  any thread: converts nanoseconds to ticks. Calibrates as well.
 *   passed            the ticks from one stamp to another, never negative.
 *
 * The ticks of two cores agree up to the hardware's synchronisation (a few tens of nanoseconds on one socket). So the
 * later of two stamps may be the smaller one. That is also possible when one thread took both stamps: the thread may
 * have changed cores in between.
 */
#ifndef MILLRACE_CLOCK_H
#define MILLRACE_CLOCK_H

#include "millrace_platform.h"

/* 1 if the processor has an invariant counter; written before any thread of the program starts. */
extern int millrace_clock_has_counter;

uint64_t millrace_clock_monotonic(void);

static inline uint64_t millrace_clock_counter(void) {
#if defined(__x86_64__)
    if (MILLRACE_LIKELY(millrace_clock_has_counter)) {
        return __builtin_ia32_rdtsc();
    }
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
    return millrace_clock_monotonic();
}

#if defined(MILLRACE_JUMPING_COUNTER) /* scripts/jumps.sh */
#define MILLRACE_CLOCK_TICKS millrace_jumping_counter
#endif
#if defined(MILLRACE_CLOCK_TICKS) /* a counter of tests, which also steps back */
uint64_t MILLRACE_CLOCK_TICKS(void);
#else
#define MILLRACE_CLOCK_TICKS millrace_clock_counter
#endif

static inline uint64_t millrace_clock_ticks(void) { return MILLRACE_CLOCK_TICKS(); }

/* Returns the ticks from `since` to `now`, or 0 if `now` is smaller. Compute every difference of two stamps with this
 * function, or with Swift's TickClock.between where a wait has to end: the thread may have moved to a core whose counter
 * is some ticks behind, and a plain difference would wrap around to centuries. */
static inline uint64_t millrace_clock_passed(uint64_t since, uint64_t now) { return now > since ? now - since : 0; }

uint64_t millrace_clock_nanoseconds(uint64_t ticks);
uint64_t millrace_clock_from_nanoseconds(uint64_t nanoseconds);

#endif
