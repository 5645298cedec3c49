/* SPDX-License-Identifier: Apache-2.0
 *
 * A sleeper is a thread that waits on a bare futex. It shows the lowest possible cost of waking a thread.
 *
 *   bench_sleeper_wake    one thread at a time. It writes the futex word, makes the system call, and waits until the
 *                         sleeper has run. It returns the nanoseconds from before the write until the sleeper first
 *                         reads the clock.
 *   bench_sleeper_create, bench_sleeper_destroy   no thread may be in bench_sleeper_wake
 */
#ifndef C_BENCH_SLEEPER_H
#define C_BENCH_SLEEPER_H

#include <stdint.h>

typedef struct bench_sleeper bench_sleeper;

/* Returns NULL if the thread cannot be started. */
bench_sleeper *_Nullable bench_sleeper_create(void);

uint64_t bench_sleeper_wake(bench_sleeper *_Nonnull sleeper);

void bench_sleeper_destroy(bench_sleeper *_Nonnull sleeper);

/* A bell holds a number and a bare futex. One thread, the writer, wakes another one, the reader, that waits until the
 * number is large enough.
 *
 *   bench_bell_publish   the writer: stores a number (release), and wakes the reader if it sleeps
 *   bench_bell_await     the reader: sleeps until the number is greater than `number`; returns at once if it is
 */
typedef struct bench_bell bench_bell;

/* Returns NULL if there is no memory. */
bench_bell *_Nullable bench_bell_create(void);

void bench_bell_publish(bench_bell *_Nonnull bell, uint64_t number);

void bench_bell_await(bench_bell *_Nonnull bell, uint64_t number);

void bench_bell_destroy(bench_bell *_Nonnull bell);

/* Returns the number of voluntary context switches of all threads of this process with this name; -1 if no thread has
 * this name. */
int64_t bench_voluntary_switches(const char *_Nonnull name);

/* Returns the resident memory of this process in bytes; 0 if the system does not tell. */
uint64_t bench_resident_bytes(void);

#endif
