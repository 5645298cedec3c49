/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows: producers, one of which may be stopped between claim and publication until all others' messages were
 * received, and a consumer that goes on behind the gap. The consumer is one thread with a doorbell, or whoever holds the
 * baton.
 */
#include "shared.h"

enum { PRODUCERS = 3, MOST_EACH = 8 };

typedef struct office {
    millrace_queue *queue;
    millrace_baton baton;
    millrace_doorbell stopped; /* the stopped producer sleeps here */
    _Atomic uint64_t is_received;
    uint64_t each;
    bool has_baton, has_messages;
    _Atomic uint64_t returned[PRODUCERS]; /* dispatches of each producer that have returned */
} office;

typedef struct part {
    office *office;
    uint64_t producer;
    bool stops;
} part;

/* For each message: how many dispatches of each producer had returned before its own began. */
static uint64_t seen[PRODUCERS][MOST_EACH][PRODUCERS];
static uint64_t counts[PRODUCERS];

static void receive(office *office, unsigned char *slot) {
    uint64_t *payload = (uint64_t *)(void *)(slot + office->queue->payload_offset);
    uint64_t producer = *payload >> 32, number = *payload & UINT32_MAX;
    *payload = UINT64_MAX;
    check_note("receives message %d of producer %d", (int)number, (int)producer);
    check_that(producer < PRODUCERS, "a message that nobody sent, or that was received before");
    check_that(number == counts[producer], "producer %d: message %d came, %d was expected", (int)producer, (int)number,
               (int)counts[producer]);
    for (unsigned other = 0; other < PRODUCERS; other++) {
        check_that(counts[other] >= seen[producer][number][other],
                   "message %d of producer %d came before one of producer %d that had returned", (int)number,
                   (int)producer, (int)other);
    }
    counts[producer] += 1;
}

static uint64_t count_received(void) { return counts[0] + counts[1] + counts[2]; }

/* Receives what is ready, in order, and behind gaps. Returns whether there was anything. */
static bool drain(office *office) {
    millrace_queue *queue = office->queue;
    uint64_t before = count_received();
    unsigned char *slot;
    while ((slot = millrace_queue_front(queue))) {
        if (millrace_slot_flags(slot) & MILLRACE_SLOT_HANDLED) {
            millrace_queue_pop_handled(queue);
            continue;
        }
        uint64_t received = count_received();
        check_that(!(millrace_slot_flags(slot) & MILLRACE_SLOT_MESSAGE) || received >= millrace_queue_position(queue),
                   "a message at position %d came after only %d others", (int)millrace_queue_position(queue),
                   (int)received);
        receive(office, slot);
        millrace_queue_pop(queue);
    }
    if (millrace_queue_is_stalled(queue) && millrace_queue_open_window(queue, 1 + check_random(4))) {
        uint64_t most = check_random(4);
        for (uint64_t count = 0; count <= most && (slot = millrace_queue_front(queue)); count++) {
            check_that(!(millrace_slot_flags(slot) & MILLRACE_SLOT_MESSAGE), "a message in a window");
            receive(office, slot);
            millrace_queue_pop(queue);
        }
        millrace_queue_close_window(queue);
        /* A look ahead, which follows the links of the segments as the window did. */
        uint64_t position = millrace_queue_position(queue);
        check_that(position == 0 || millrace_queue_is_handled(queue, position - 1), "what was popped is not handled");
        for (uint64_t ahead = 0; ahead < 12; ahead++) {
            bool is_handled = millrace_queue_is_handled(queue, position + ahead);
            check_that(!is_handled || position + ahead < millrace_queue_claimed(queue), "handled, and not claimed");
        }
    }
    return count_received() > before;
}

/* Tells the stopped producer that all messages of the others were received. */
static void tell(office *office) {
    if (count_received() == (PRODUCERS - 1) * office->each) {
        atomic_store_explicit(&office->is_received, 1, memory_order_seq_cst);
        millrace_doorbell_ring(&office->stopped);
    }
}

static void consume_as_holder(office *office) {
    do {
        if (!millrace_baton_try_take(&office->baton)) {
            return;
        }
        while (drain(office)) {
            tell(office);
        }
    } while (millrace_queue_hand_over(office->queue, &office->baton));
}

/* Waits until all messages of the others were received. */
static void stop(office *office) {
    while (true) {
        millrace_doorbell_prepare(&office->stopped);
        if (atomic_load_explicit(&office->is_received, memory_order_seq_cst)) {
            millrace_doorbell_cancel(&office->stopped);
            return;
        }
        millrace_doorbell_wait(&office->stopped, 0);
    }
}

static void produce(void *argument) {
    const part *part = argument;
    office *office = part->office;
    millrace_queue *queue = office->queue;
    uint64_t me = part->producer, all = part->stops ? 1 : office->each;
    for (uint64_t number = 0; number < all;) {
        millrace_read_begin();
        uint64_t before[PRODUCERS];
        for (unsigned other = 0; other < PRODUCERS; other++) {
            before[other] = atomic_load_explicit(&office->returned[other], memory_order_acquire);
        }
        /* A message waits for the stopped producer, which waits for all others: so there is none then. */
        bool is_message = office->has_messages && check_random(4) == 0;
        uint64_t most = is_message ? 1 : all - number < 3 ? all - number : 3;
        millrace_claim claim;
        check_that(millrace_queue_claim(queue, 1 + check_random(most), &claim) == MILLRACE_OK, "no memory");
        if (part->stops) {
            stop(office);
        }
        for (uint64_t index = 0; index < claim.count; index++) {
            unsigned char *slot = claim.slot + index * queue->stride;
            *(uint64_t *)(void *)(slot + queue->payload_offset) = me << 32 | (number + index);
            for (unsigned other = 0; other < PRODUCERS; other++) {
                seen[me][number + index][other] = before[other];
            }
            if (index + 1 < claim.count) {
                millrace_queue_publish_quietly(slot, claim.position + index, 0);
            } else {
                millrace_queue_publish(queue, slot, claim.position + index, is_message ? MILLRACE_SLOT_MESSAGE : 0);
            }
        }
        millrace_read_end();
        number += claim.count;
        atomic_store_explicit(&office->returned[me], number, memory_order_release);
        if (office->has_baton) {
            consume_as_holder(office);
        }
    }
}

static void consume_with_doorbell(office *office, uint64_t total) {
    millrace_queue *queue = office->queue;
    while (count_received() < total) {
        if (drain(office)) {
            tell(office);
            continue;
        }
        millrace_queue_report(queue);
        millrace_doorbell_prepare(&queue->bell);
        if (millrace_queue_has_ready(queue) || millrace_queue_has_ready_behind(queue)) {
            millrace_doorbell_cancel(&queue->bell);
        } else {
            millrace_doorbell_wait(&queue->bell, 0);
        }
    }
}

static void run(bool has_baton) {
    for (unsigned producer = 0; producer < PRODUCERS; producer++) {
        counts[producer] = 0;
    }
    office *office = calloc(1, sizeof *office);
    office->queue = make_reliable_queue();
    office->has_baton = has_baton;
    if (has_baton) {
        office->queue->bell.asymmetric = 0; /* as in scenario_baton */
    }
    office->each = 2 + check_random(4);
    millrace_doorbell_init(&office->stopped);
    bool stops = check_random(2);
    office->has_messages = !stops && check_random(2);
    part parts[PRODUCERS];
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        parts[producer] = (part){office, producer, stops && producer == 0};
        check_spawn(producer == 0   ? "producer 0"
                    : producer == 1 ? "producer 1"
                                    : "producer 2",
                    produce, &parts[producer]);
    }
    uint64_t total = 2 * office->each + (stops ? 1 : office->each);
    if (!has_baton) {
        consume_with_doorbell(office, total);
    }
    check_join();
    check_that(count_received() == total, "received %d of %d messages", (int)count_received(), (int)total);
    check_that(!drain(office), "a message is left");
    millrace_queue_report(office->queue);
    check_that(millrace_queue_depth(office->queue) == 0, "an empty queue is not empty");
    millrace_queue_destroy(office->queue, NULL, NULL);
    free(office);
}

void scenario_window(void) { run(false); }
void scenario_window_baton(void) { run(true); }
