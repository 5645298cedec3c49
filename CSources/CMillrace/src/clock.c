/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_clock.h"

#include <pthread.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

int millrace_clock_has_counter;

/* Nanoseconds in a tick, and ticks in a nanosecond, as fixed-point numbers with 32 fractional bits. */
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

struct instant {
    uint64_t ticks;
    uint64_t nanoseconds;
};

/* Reads both clocks at one moment: takes the closest pair of several tries, as the thread may be stopped between two
 * reads. */
static struct instant both_clocks(void) {
    struct instant best = {0, 0};
    uint64_t closest = UINT64_MAX;
    for (int attempt = 0; attempt < 8; attempt++) {
        uint64_t before = millrace_clock_monotonic();
        uint64_t ticks = millrace_clock_ticks();
        uint64_t after = millrace_clock_monotonic();
        if (after - before < closest) {
            closest = after - before;
            best = (struct instant){ticks, before + (after - before) / 2};
        }
    }
    return best;
}

/* Whether a counter can have this rate: 100 kHz to 32 GHz. If not, it has stepped between the two stamps. */
static bool is_a_rate(uint64_t ticks, uint64_t nanoseconds) {
    return ticks >= nanoseconds / 10000 && ticks <= nanoseconds * 32;
}

static void calibrate(void) {
    if (!millrace_clock_has_counter) {
        nanoseconds_a_tick = ticks_a_nanosecond = (uint64_t)1 << 32;
        return;
    }
    uint64_t ticks, nanoseconds;
    int tries = 0;
    do {
        if (tries++ == 20) {
            millrace_stop("the processor's time stamp counter does not run at a steady rate");
        }
        struct instant first = both_clocks();
        /* 5 ms: an error below 20 parts in a million. */
        while (millrace_clock_monotonic() - first.nanoseconds < 5000000) {
        }
        struct instant last = both_clocks();
        ticks = last.ticks - first.ticks;
        nanoseconds = last.nanoseconds - first.nanoseconds;
    } while (!is_a_rate(ticks, nanoseconds));
    nanoseconds_a_tick = (uint64_t)(((unsigned __int128)nanoseconds << 32) / ticks);
    ticks_a_nanosecond = (uint64_t)(((unsigned __int128)ticks << 32) / nanoseconds);
}

uint64_t millrace_clock_nanoseconds(uint64_t ticks) {
    pthread_once(&calibrated, calibrate);
    return (uint64_t)((unsigned __int128)ticks * nanoseconds_a_tick >> 32);
}

uint64_t millrace_clock_from_nanoseconds(uint64_t nanoseconds) {
    pthread_once(&calibrated, calibrate);
    return (uint64_t)((unsigned __int128)nanoseconds * ticks_a_nanosecond >> 32);
}
