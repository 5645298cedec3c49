/* SPDX-License-Identifier: Apache-2.0
 *
 * Producers of urgent actions, and a consumer that sleeps on the doorbell of another queue. The consumer learns of an
 * action by a bit of its attention word. An action that is left behind leaves the consumer asleep for ever.
 */
#include "shared.h"

typedef struct office {
    millrace_queue *queue;
    millrace_stage stage;
    millrace_doorbell bell;
    uint64_t each;
} office;

typedef struct part {
    office *office;
    uint64_t producer;
} part;

static void produce(void *argument) {
    const part *part = argument;
    for (uint64_t number = 0; number < part->office->each; number++) {
        push(part->office->queue, part->producer, number, 1);
        millrace_stage_ask(&part->office->stage, MILLRACE_ATTENTION_URGENT);
        millrace_doorbell_ring(&part->office->bell);
    }
}

void scenario_urgent(void) {
    reset_counters();
    office *office = calloc(1, sizeof *office);
    office->queue = make_queue();
    millrace_doorbell_init(&office->bell);
    office->bell.asymmetric = (uint32_t)check_random(2);
    office->each = 2 + check_random(3);
    enum { PRODUCERS = 2 };
    part parts[PRODUCERS];
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        parts[producer] = (part){office, producer};
        check_spawn(producer == 0 ? "producer 0" : "producer 1", produce, &parts[producer]);
    }
    while (received() < PRODUCERS * office->each) {
        if (millrace_stage_take(&office->stage, MILLRACE_ATTENTION_URGENT)) {
            unsigned char *slot;
            while ((slot = millrace_queue_front(office->queue))) {
                consume(office->queue, slot);
            }
            continue;
        }
        millrace_doorbell_prepare(&office->bell);
        if (millrace_stage_attention(&office->stage) & MILLRACE_ATTENTION_URGENT) {
            millrace_doorbell_cancel(&office->bell);
        } else {
            millrace_doorbell_wait(&office->bell, 0);
        }
    }
    check_join();
    destroy_queue(office->queue);
    free(office);
}
