/* SPDX-License-Identifier: Apache-2.0
 *
 * Producers of a bounded queue with one place each, who sleep until the consumer has made room. The consumer reports its
 * progress, then looks whether somebody sleeps; a producer shows that it sleeps, then looks at the depth. If both missed the
 * other one, all would sleep.
 */
#include "shared.h"

enum { PRODUCERS = 2, MOST = 1 };

typedef struct part {
    millrace_queue *queue;
    millrace_doorbell *bell;
    uint64_t producer, each;
} part;

static void produce_with_room(void *argument) {
    const part *part = argument;
    for (uint64_t number = 0; number < part->each; number++) {
        while (millrace_queue_depth(part->queue) >= MOST) {
            millrace_doorbell_prepare(part->bell);
            if (millrace_queue_depth(part->queue) < MOST) {
                millrace_doorbell_cancel(part->bell);
            } else {
                millrace_doorbell_wait(part->bell, 0);
            }
        }
        push(part->queue, part->producer, number, 1);
    }
}

void scenario_room(void) {
    reset_counters();
    millrace_queue *queue = check_random(2) ? make_long_queue() : make_queue();
    part *parts = calloc(PRODUCERS, sizeof(part));
    millrace_doorbell *bells = calloc(PRODUCERS, sizeof(millrace_doorbell));
    uint64_t each = 2 + check_random(4);
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        millrace_doorbell_init(&bells[producer]);
        /* A waiter for room runs no barrier for other threads. */
        bells[producer].asymmetric = 0;
        parts[producer] = (part){queue, &bells[producer], producer, each};
        check_spawn(producer == 0 ? "producer 0" : "producer 1", produce_with_room, &parts[producer]);
    }
    while (received() < PRODUCERS * each) {
        unsigned char *slot = millrace_queue_front(queue);
        if (!slot) {
            sleep_until_ready(queue);
            continue;
        }
        consume(queue, slot);
        millrace_queue_report_fully(queue);
        for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
            millrace_doorbell_ring(&bells[producer]);
        }
    }
    check_join();
    destroy_queue(queue);
    free(bells);
    free(parts);
}
