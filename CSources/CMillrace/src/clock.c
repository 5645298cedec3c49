/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_clock.h"

#include <pthread.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

int millrace_clock_has_counter;

/* Nanoseconds a tick, and back, as fixed point with 32 fractional bits. */
static uint64_t nanoseconds_a_tick;
static uint64_t ticks_a_nanosecond;
static pthread_once_t calibrated = PTHREAD_ONCE_INIT;

__attribute__((constructor)) static void find_counter(void) {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    /* Leaf 0x80000007, EDX bit 8: the counter runs at one rate in every power state. */
    millrace_clock_has_counter = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
    millrace_clock_has_counter = 1;
#endif
}

uint64_t millrace_clock_monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void calibrate(void) {
    if (!millrace_clock_has_counter) {
        nanoseconds_a_tick = ticks_a_nanosecond = (uint64_t)1 << 32;
        return;
    }
    uint64_t ticks = millrace_clock_ticks();
    uint64_t start = millrace_clock_monotonic();
    uint64_t now = start;
    while (now - start < 5000000) { /* 5 ms: an error below 20 parts in a million */
        now = millrace_clock_monotonic();
    }
    ticks = millrace_clock_ticks() - ticks;
    nanoseconds_a_tick = (uint64_t)(((unsigned __int128)(now - start) << 32) / ticks);
    ticks_a_nanosecond = (uint64_t)(((unsigned __int128)ticks << 32) / (now - start));
}

uint64_t millrace_clock_nanoseconds(uint64_t ticks) {
    pthread_once(&calibrated, calibrate);
    return (uint64_t)((unsigned __int128)ticks * nanoseconds_a_tick >> 32);
}

uint64_t millrace_clock_from_nanoseconds(uint64_t nanoseconds) {
    pthread_once(&calibrated, calibrate);
    return (uint64_t)((unsigned __int128)nanoseconds * ticks_a_nanosecond >> 32);
}
