/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that push, and that consume if they get the baton. No message may be left when all threads have ended, and
 * two threads never consume at once (the queue's plain fields would race).
 */
#include "shared.h"

typedef struct part {
    millrace_queue *queue;
    millrace_baton *baton;
    uint64_t producer, each;
    bool trims;
} part;

static void push_and_consume(void *argument) {
    const part *part = argument;
    for (uint64_t number = 0; number < part->each; number++) {
        push(part->queue, part->producer, number, 1);
        do {
            if (!millrace_baton_try_take(part->baton)) {
                break;
            }
            unsigned char *slot;
            while ((slot = millrace_queue_front(part->queue))) {
                consume(part->queue, slot);
            }
            if (part->trims && check_random(3) == 0) {
                millrace_queue_trim(part->queue);
            }
        } while (millrace_queue_hand_over(part->queue, part->baton));
    }
}

void scenario_baton(void) {
    reset_counters();
    millrace_queue *queue = make_queue();
    queue->bell.asymmetric = 0; /* a thread that gives a baton back runs no barrier for other threads */
    millrace_baton *baton = calloc(1, sizeof *baton);
    uint64_t producers = 2 + check_random(2), each = 3 + check_random(4);
    bool trims = check_random(2);
    part *parts = calloc(producers, sizeof(part));
    for (uint64_t producer = 0; producer < producers; producer++) {
        parts[producer] = (part){queue, baton, producer, each, trims};
        check_spawn(producer == 0   ? "thread 0"
                    : producer == 1 ? "thread 1"
                                    : "thread 2",
                    push_and_consume, &parts[producer]);
    }
    check_join();
    check_that(received() == producers * each, "left behind: received %d of %d messages", (int)received(),
               (int)(producers * each));
    destroy_queue(queue);
    free(baton);
    free(parts);
}
