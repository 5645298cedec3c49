/* SPDX-License-Identifier: Apache-2.0
 *
 * Producers, one consumer, one doorbell: claim, publish, pop; segments that end, are linked, used again, trimmed,
 * rejected; the consumer's sleep; destruction with messages left.
 */
#include "shared.h"

typedef struct part {
    millrace_queue *queue;
    uint64_t producer, each;
} part;

static const char *name_of(uint64_t producer) {
    static const char *const names[] = {"producer 0", "producer 1", "producer 2"};
    return names[producer];
}

static void produce(void *argument) {
    const part *part = argument;
    for (uint64_t number = 0; number < part->each;) {
        uint64_t count = 1 + check_random(3);
        count = count < part->each - number ? count : part->each - number;
        push(part->queue, part->producer, number, count);
        number += count;
    }
}

/* Without trims: a trim gives the spares back, and then few segments are used again. */
void scenario_segments(void) {
    reset_counters();
    millrace_queue *queue = make_tiny_queue();
    enum { PRODUCERS = 3 };
    uint64_t each = 6 + check_random(6);
    part *parts = calloc(PRODUCERS, sizeof(part));
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        parts[producer] = (part){queue, producer, each};
        check_spawn(name_of(producer), produce, &parts[producer]);
    }
    while (received() < PRODUCERS * each) {
        unsigned char *slot = millrace_queue_front(queue);
        if (slot) {
            consume(queue, slot);
        } else {
            check_yield();
        }
    }
    check_join();
    destroy_queue(queue);
    free(parts);
}

static void run(bool parks) {
    reset_counters();
    millrace_queue *queue = make_queue();
    uint64_t producers = 2 + check_random(2), each = 4 + check_random(5);
    bool trims = check_random(2);
    uint64_t total = producers * each;
    uint64_t goal = check_random(4) ? total : check_random(total + 1);
    part *parts = calloc(producers, sizeof(part));
    for (uint64_t producer = 0; producer < producers; producer++) {
        parts[producer] = (part){queue, producer, each};
        check_spawn(name_of(producer), produce, &parts[producer]);
    }
    while (received() < goal) {
        unsigned char *slot = millrace_queue_front(queue);
        if (slot) {
            consume(queue, slot);
            if (trims && check_random(5) == 0) {
                millrace_queue_trim(queue);
            }
            continue;
        }
        millrace_queue_report(queue);
        if (parks) {
            sleep_until_ready(queue);
        } else {
            check_yield();
        }
    }
    check_join();
    check_that(millrace_queue_claimed(queue) - millrace_queue_skipped(queue) == total,
               "claimed and skipped are not right");
    if (goal == total) {
        if (queue->head_slot == queue->head_end) {
            millrace_queue_advance(queue); /* so that trimmed positions are behind the consumer */
        }
        millrace_queue_report(queue);
        check_that(millrace_queue_claimed(queue) == millrace_queue_consumed(queue), "an empty queue is not empty");
    }
    destroy_queue(queue);
    check_that(received() == total, "received %d of %d messages", (int)received(), (int)total);
    free(parts);
}

void scenario_queue(void) { run(false); }
void scenario_doorbell(void) { run(true); }
