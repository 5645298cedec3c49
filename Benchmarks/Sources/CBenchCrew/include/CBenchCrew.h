/* SPDX-License-Identifier: Apache-2.0
 *
 * A crew is a group of threads that sleep between runs, start each run together and are timed as one. Both sides of a
 * comparison use the same crew. So neither side pays for starting threads, and the state that a queue keeps for each
 * thread is warm.
 *
 *   call                 who may call it
 *   bench_crew_create    any thread
 *   bench_crew_run       one thread at a time; returns when every member has returned
 *   bench_crew_destroy   no thread may be in bench_crew_run, or call it later
 */
#ifndef C_BENCH_CREW_H
#define C_BENCH_CREW_H

#include <stdint.h>

typedef struct bench_crew bench_crew;

/* Called once per run on each member, with the index of the member. */
typedef void (*bench_crew_body)(void *_Nullable context, int index);

typedef struct bench_crew_times {
    uint64_t began;            /* the common start, on the clock of bench_now */
    uint64_t wall_nanoseconds; /* from `began` to the return of the last member */
    uint64_t cpu_nanoseconds;  /* processor time of all members together */
} bench_crew_times;

/* Creates a crew. If `pinned` is not 0, member i runs only on the i-th processor that this process may use, modulo the
 * number of these. Returns NULL if a thread cannot be started. */
bench_crew *_Nullable bench_crew_create(int members, int pinned);

bench_crew_times bench_crew_run(bench_crew *_Nonnull crew, bench_crew_body _Nonnull body, void *_Nullable context);

void bench_crew_destroy(bench_crew *_Nonnull crew);

/* Returns the time of the monotonic clock in nanoseconds. */
uint64_t bench_now(void);

/* Returns the processor time of the calling thread in nanoseconds. */
uint64_t bench_thread_time(void);

/* Pauses for one iteration of a spin loop. */
static inline void bench_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb" ::: "memory");
#endif
}

#endif
