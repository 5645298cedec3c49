/* SPDX-License-Identifier: Apache-2.0 */

#include "shared.h"

static uint64_t expected[MOST_PRODUCERS];
static uint64_t count_received;
static bool maps_may_fail, claims_slowly;

/* A header of 128 bytes and slots of 80 bytes. */
enum { TWO_SLOTS = 128 + 2 * 80, THREE_SLOTS = 128 + 3 * 80 };

/* In src/segment.h. */
void *millrace_segment_map(size_t bytes);
void millrace_segment_recycle(millrace_queue *queue);

static void *map_or_fail(size_t bytes) {
    return maps_may_fail && check_random(3) == 0 ? NULL : millrace_segment_map(bytes);
}

static millrace_queue *make(size_t first, size_t largest) {
    millrace_queue_options options = {.action_size = sizeof(uint64_t),
                                      .action_alignment = 8,
                                      .first_bytes = first,
                                      .largest_bytes = largest,
                                      .map = map_or_fail};
    millrace_queue *queue = NULL;
    maps_may_fail = false;
    check_that(millrace_queue_create(options, &queue) == MILLRACE_OK, "no queue");
    maps_may_fail = check_random(3) == 0;
    claims_slowly = false;
    queue->bell.asymmetric = (uint32_t)check_random(2);
    return queue;
}

millrace_queue *make_queue(void) {
    size_t first = check_random(2) ? TWO_SLOTS : THREE_SLOTS;
    return make(first, check_random(2) ? first : 2 * first);
}

millrace_queue *make_reliable_queue(void) {
    millrace_queue *queue = make_queue();
    maps_may_fail = false;
    return queue;
}

millrace_queue *make_tiny_queue(void) { return make(TWO_SLOTS, TWO_SLOTS); }

millrace_queue *make_reusing_queue(void) {
    millrace_queue *queue = make_tiny_queue();
    claims_slowly = true;
    return queue;
}

millrace_queue *make_long_queue(void) {
    millrace_queue *queue = make(4096, 4096);
    claims_slowly = check_random(2);
    return queue;
}

void reset_counters(void) {
    count_received = 0;
    for (unsigned index = 0; index < MOST_PRODUCERS; index++) {
        expected[index] = 0;
    }
}

static void push_by(millrace_queue *queue, uint64_t producer, uint64_t first, uint64_t count, bool in_order) {
    while (count > 0) {
        millrace_read_begin();
        millrace_claim claim;
        if ((claims_slowly && check_random(2) ? millrace_queue_claim_slowly(queue, count, &claim)
                                              : millrace_queue_claim(queue, count, &claim)) != MILLRACE_OK) {
            check_that(maps_may_fail, "no memory");
            millrace_read_end();
            check_yield();
            continue;
        }
        check_that(claim.count >= 1 && claim.count <= count, "a claim of %d slots", (int)claim.count);
        uint64_t loud =
            in_order ? claim.count - 1 : 0; /* the slot that is published last, with a look at the doorbell */
        for (uint64_t index = 0; index < claim.count; index++) {
            unsigned char *slot = claim.slot + index * queue->stride;
            *(uint64_t *)(void *)(slot + queue->payload_offset) = producer << 32 | (first + index);
            if (index != loud) {
                millrace_queue_publish_quietly(slot, claim.position + index, 0);
            }
        }
        millrace_queue_publish(queue, claim.slot + loud * queue->stride, claim.position + loud, 0);
        millrace_read_end();
        first += claim.count;
        count -= claim.count;
    }
}

void push(millrace_queue *queue, uint64_t producer, uint64_t first, uint64_t count) {
    push_by(queue, producer, first, count, false);
}

void push_in_order(millrace_queue *queue, uint64_t producer, uint64_t first, uint64_t count) {
    push_by(queue, producer, first, count, true);
}

static void receive(const millrace_queue *queue, unsigned char *slot) {
    uint64_t *payload = (uint64_t *)(void *)(slot + queue->payload_offset);
    uint64_t producer = *payload >> 32, number = *payload & UINT32_MAX;
    *payload = UINT64_MAX; /* taken out: a second receipt of the slot is detected */
    check_note("receives message %d of producer %d", (int)number, (int)producer);
    check_that(producer < MOST_PRODUCERS, "a message that nobody sent, or that was received before");
    check_that(number == expected[producer], "producer %d: message %d came, %d was expected", (int)producer,
               (int)number, (int)expected[producer]);
    expected[producer] = number + 1;
    count_received += 1;
}

void consume(millrace_queue *queue, unsigned char *slot) {
    receive(queue, slot);
    millrace_queue_pop(queue);
    if (claims_slowly) {
        millrace_segment_recycle(queue);
    }
}

uint64_t received(void) { return count_received; }

static void visit(unsigned char *slot, void *context) { receive(context, slot); }

void destroy_queue(millrace_queue *queue) { millrace_queue_destroy(queue, visit, queue); }

void sleep_until_ready(millrace_queue *queue) {
    millrace_doorbell_prepare(&queue->bell);
    if (millrace_queue_has_ready(queue)) {
        millrace_doorbell_cancel(&queue->bell);
    } else {
        millrace_doorbell_wait(&queue->bell, 0);
    }
}
