/* SPDX-License-Identifier: Apache-2.0
 *
 * Closing, as the engines do it: set the bit, ring, wait for a grace period, then receive what is left. Every message
 * of a producer that saw the queue open is received, and a sleeping consumer is woken for the bit.
 */
#include "shared.h"

typedef struct part {
    millrace_queue *queue;
    uint64_t producer, each;
    uint64_t *sent;
} part;

static void produce_while_open(void *argument) {
    const part *part = argument;
    uint64_t number = 0;
    for (; number < part->each; number++) {
        millrace_read_begin();
        if (millrace_queue_mode(part->queue) & MILLRACE_MODE_CLOSED) {
            millrace_read_end();
            break;
        }
        push(part->queue, part->producer, number, 1);
        millrace_read_end();
    }
    *part->sent = number;
}

static void close_queue(void *argument) {
    millrace_queue *queue = argument;
    for (uint64_t turn = check_random(20); turn > 0; turn--) {
        check_yield();
    }
    millrace_queue_set_mode(queue, MILLRACE_MODE_CLOSED);
    millrace_doorbell_ring(&queue->bell);
}

void scenario_closing(void) {
    reset_counters();
    millrace_queue *queue = make_queue();
    enum { PRODUCERS = 2 };
    uint64_t *sent = calloc(PRODUCERS, sizeof(uint64_t));
    part *parts = calloc(PRODUCERS, sizeof(part));
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        parts[producer] = (part){queue, producer, 2 + check_random(8), &sent[producer]};
        check_spawn(producer == 0 ? "producer 0" : "producer 1", produce_while_open, &parts[producer]);
    }
    check_spawn("closer", close_queue, queue);
    while (true) {
        unsigned char *slot;
        while ((slot = millrace_queue_front(queue))) {
            consume(queue, slot);
        }
        millrace_doorbell_prepare(&queue->bell);
        if (millrace_queue_has_ready(queue) || millrace_queue_mode_now(queue) & MILLRACE_MODE_CLOSED) {
            millrace_doorbell_cancel(&queue->bell);
        } else {
            millrace_doorbell_wait(&queue->bell, 0);
        }
        if (millrace_queue_mode_now(queue) & MILLRACE_MODE_CLOSED) {
            break;
        }
    }
    millrace_wait_for_readers();
    unsigned char *slot;
    while ((slot = millrace_queue_front(queue))) {
        consume(queue, slot);
    }
    uint64_t taken = received();
    check_join();
    check_that(taken == sent[0] + sent[1], "accepted %d messages, received %d", (int)(sent[0] + sent[1]), (int)taken);
    destroy_queue(queue);
    free(parts);
    free(sent);
}
