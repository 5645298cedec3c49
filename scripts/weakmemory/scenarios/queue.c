/* SPDX-License-Identifier: Apache-2.0
 *
 * Producers, one consumer, one doorbell: claim, publish, pop; segments that end, are linked, used again, trimmed,
 * rejected; the consumer's sleep; destruction with messages left.
 */
#include "shared.h"

enum { PRODUCERS = 3 };

typedef struct part {
    millrace_queue *queue;
    uint64_t producer, each;
    bool parks; /* the consumer sleeps while there is nothing */
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
        if (!part->parks && check_random(2)) {
            push_in_order(part->queue, part->producer, number, count);
        } else {
            push(part->queue, part->producer, number, count);
        }
        number += count;
    }
}

/* The number of claims never falls. */
static void count_claims(void *argument) {
    millrace_queue *queue = argument;
    uint64_t last = 0;
    for (unsigned look = 0; look < 8; look++) {
        uint64_t claimed = millrace_queue_claimed(queue);
        check_that(claimed >= last, "%d claims after %d", (int)claimed, (int)last);
        last = claimed;
    }
}

/* Without trims: a trim gives the spares back, and then few segments are used again. */
static void fill_and_empty(millrace_queue *queue) {
    reset_counters();
    uint64_t each = 6 + check_random(6);
    part *parts = calloc(PRODUCERS, sizeof(part));
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        parts[producer] = (part){queue, producer, each, false};
        check_spawn(name_of(producer), produce, &parts[producer]);
    }
    if (check_random(2)) {
        check_spawn("counter", count_claims, queue);
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

void scenario_segments(void) { fill_and_empty(make_tiny_queue()); }
void scenario_reuse(void) { fill_and_empty(make_reusing_queue()); }

static void run(bool parks) {
    reset_counters();
    millrace_queue *queue = make_queue();
    uint64_t producers = 2 + check_random(2), each = 4 + check_random(5);
    bool trims = check_random(2);
    uint64_t total = producers * each;
    uint64_t goal = check_random(4) ? total : check_random(total + 1);
    part *parts = calloc(producers, sizeof(part));
    for (uint64_t producer = 0; producer < producers; producer++) {
        parts[producer] = (part){queue, producer, each, parks};
        check_spawn(name_of(producer), produce, &parts[producer]);
    }
    if (check_random(2)) {
        check_spawn("counter", count_claims, queue);
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
