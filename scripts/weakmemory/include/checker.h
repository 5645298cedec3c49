/* SPDX-License-Identifier: Apache-2.0
 *
 * What a scenario can ask of the checker. A scenario is a function that the thread "main" runs once an execution: it
 * draws its parameters, allocates what the threads share, spawns them, may play a part itself, joins them, checks, and
 * frees everything.
 *
 * What threads share must be allocated with calloc: only that is watched for data races, and only there can atomics
 * be. Static variables of a scenario are not seen by the model: bookkeeping of the checks, reset by the scenario.
 */
#ifndef CHECKER_H
#define CHECKER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 0 ... bound - 1, decided by the seed of the execution. */
uint64_t check_random(uint64_t bound);

void check_spawn(const char *name, void (*body)(void *), void *argument);

/* Main: until all that were spawned have ended. */
void check_join(void);

/* Nothing to do: others first. */
void check_yield(void);

/* Ends the execution with this message unless the condition holds. */
void check_that(int condition, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line in the trace. */
void check_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct check_scenario {
    const char *name;
    void (*run)(void);
};

/* Ends with a null name. */
extern const struct check_scenario check_scenarios[];

#ifdef __cplusplus
}
#endif

#endif
