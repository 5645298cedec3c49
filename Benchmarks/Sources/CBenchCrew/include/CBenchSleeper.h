/* SPDX-License-Identifier: Apache-2.0
 *
 * A sleeper is a thread that waits on a bare futex: the least that waking anybody can cost.
 *
 *   bench_sleeper_wake    one thread at a time: writes the word, makes the system call if the sleeper sleeps, waits until
 *                         it has run, and returns the nanoseconds from before the write until the sleeper's first look
 *                         at the clock
 *   bench_sleeper_create, bench_sleeper_destroy   nobody may be in wake
 */
#ifndef C_BENCH_SLEEPER_H
#define C_BENCH_SLEEPER_H

#include <stdint.h>

typedef struct bench_sleeper bench_sleeper;

/* NULL when there is no thread to be had. */
bench_sleeper *_Nullable bench_sleeper_create(void);

uint64_t bench_sleeper_wake(bench_sleeper *_Nonnull sleeper);

void bench_sleeper_destroy(bench_sleeper *_Nonnull sleeper);

/* How often the threads of this process whose name is `name` have given up the processor by themselves; -1 when there
 * is none. */
int64_t bench_voluntary_switches(const char *_Nonnull name);

/* Bytes of this process that are in memory. */
uint64_t bench_resident_bytes(void);

#endif
