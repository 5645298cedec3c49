/* SPDX-License-Identifier: Apache-2.0
 *
 * A consumer that empties its slot after each action, and an inspector that looks at the slot meanwhile. The slots are
 * plain memory: a look that is not ordered before the emptying is a data race. The number is that of the action in the slot.
 */
#include "shared.h"

enum { SLOTS = 3, WHOLE = 7 };

typedef struct workshop {
    millrace_stage stage;
    uint64_t slots[SLOTS];
    uint64_t rounds;
} workshop;

static void work(void *argument) {
    workshop *shop = argument;
    for (uint64_t number = 0; number < shop->rounds; number++) {
        uint64_t *slot = &shop->slots[number % SLOTS];
        *slot = WHOLE;
        millrace_stage_begin(&shop->stage, slot, number + 1, MILLRACE_STAGE_HANDLING);
        if (check_random(2)) {
            check_yield();
            millrace_stage_enter(&shop->stage, slot, MILLRACE_STAGE_REDUCING);
        }
        for (uint64_t turn = check_random(3); turn > 0; turn--) {
            check_yield();
        }
        if (millrace_stage_leave(&shop->stage)) {
            millrace_stage_attend(&shop->stage);
        }
        *slot = 0; /* emptied */
    }
}

static void inspect(void *argument) {
    workshop *shop = argument;
    for (unsigned look = 0; look < 4; look++) {
        uintptr_t which = 0;
        const uint64_t *slot = millrace_stage_inspect(&shop->stage, &which);
        if (slot) {
            check_that(which == MILLRACE_STAGE_HANDLING || which == MILLRACE_STAGE_REDUCING, "stage %d", (int)which);
            check_that(*slot == WHOLE, "a slot that was taken apart");
            uint64_t number = millrace_stage_number(&shop->stage);
            check_that(slot == &shop->slots[(number - 1) % SLOTS], "the number %d of another action", (int)number);
        }
        millrace_stage_release(&shop->stage);
        check_yield();
    }
}

void scenario_stage(void) {
    workshop *shop = calloc(1, sizeof *shop);
    shop->rounds = 3 + check_random(6);
    check_spawn("consumer", work, shop);
    check_spawn("inspector", inspect, shop);
    check_join();
    free(shop);
}
