/* SPDX-License-Identifier: Apache-2.0
 *
 * What a scenario can ask of the checker. A scenario is a function that the thread "main" runs once in each execution.
 * It draws its parameters at random, allocates what the threads share, and spawns the threads. It may do a part of the
 * work itself. Then it joins the threads, checks the result, and frees everything.
 *
 * What threads share must be allocated with calloc: only such memory is watched for data races and may hold atomics.
 * The model does not see the static variables of a scenario. They are for the bookkeeping of its checks, and the
 * scenario resets them.
 */
#ifndef CHECKER_H
#define CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a number from 0 to bound - 1, which the seed of the execution decides. */
uint64_t check_random(uint64_t bound);

void check_spawn(const char *name, void (*body)(void *), void *argument);

/* Main: waits until all spawned threads have ended. */
void check_join(void);

/* Lets other threads run first: this one has nothing to do. */
void check_yield(void);

/* Ends the execution with this message unless the condition holds. */
void check_that(int condition, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a line to the trace. */
void check_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct check_scenario {
    const char *name;
    void (*run)(void);
};

/* The scenarios; the last entry has a null name. */
extern const struct check_scenario check_scenarios[];

/* A test of the model: small threads, and an outcome of them that C11 allows or forbids. */
struct check_litmus {
    const char *name;
    void (*threads[4])(void *);
    bool (*outcome)(void);
    bool is_allowed;
};

/* The last entry has a null name. */
extern const struct check_litmus check_litmuses[];

/* The thread "main" runs this once in each execution. Returns whether the outcome was there. */
bool check_run_litmus(const struct check_litmus *litmus);

#ifdef __cplusplus
}
#endif

#endif
