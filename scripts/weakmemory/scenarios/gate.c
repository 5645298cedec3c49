/* SPDX-License-Identifier: Apache-2.0
 *
 * A gate: a thread that passes it sees what was done before it opened, and no thread sleeps on after that. A wait of an
 * hour does not end because the clock of another core is some ticks behind.
 */
#include "shared.h"

typedef struct hall {
    millrace_gate gate;
    uint64_t value;
} hall;

static void wait_for_it(void *argument) {
    hall *hall = argument;
    uint64_t choice = check_random(3);
    if (choice == 0) {
        millrace_gate_wait(&hall->gate);
    } else if (choice == 1) {
        check_that(millrace_gate_wait_for(&hall->gate, UINT64_C(3600) * 1000000000), "an hour has passed at once");
    } else if (!millrace_gate_wait_for(&hall->gate, 1000000000)) {
        return; /* the time has run out */
    }
    check_that(hall->value == 42, "the value is %d", (int)hall->value);
}

void scenario_gate(void) {
    hall *hall = calloc(1, sizeof *hall);
    check_spawn("waiter 0", wait_for_it, hall);
    check_spawn("waiter 1", wait_for_it, hall);
    for (uint64_t turn = check_random(6); turn > 0; turn--) {
        check_yield();
    }
    hall->value = 42;
    millrace_gate_open(&hall->gate);
    check_join();
    free(hall);
}
