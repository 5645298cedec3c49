/* SPDX-License-Identifier: Apache-2.0
 *
 * The depth of a bounded queue. Each producer sends its next message only after it has seen that its previous one was
 * consumed. So there are never more messages than producers, and no thread may read a greater depth. Whoever reads the
 * number of the current action counts its claim, too.
 */
#include "shared.h"

typedef struct part {
    millrace_queue *queue;
    uint64_t producer, each, producers;
    _Atomic uint64_t *consumed; /* counts of consumed messages, by producer */
    millrace_stage *stage;
    bool usesHint, isExact, isCut;
} part;

/* Whoever reads that an action was begun counts its claim afterwards. */
static void look_at_number(const part *part) {
    uint64_t begun = millrace_stage_number(part->stage);
    uint64_t claimed = millrace_queue_claimed(part->queue);
    check_that(claimed >= begun, "%d actions were begun, and %d were claimed", (int)begun, (int)claimed);
}

/* As the store's metrics do: the positions that the consumer takes out of use are not accepted messages. */
static void look_at_accepted(const part *part, uint64_t pushed) {
    uint64_t cuts, skipped, claimed;
    do {
        cuts = millrace_queue_cuts(part->queue);
        skipped = millrace_queue_skipped(part->queue);
        claimed = millrace_queue_claimed(part->queue);
    } while (cuts & 1 || millrace_queue_cuts(part->queue) != cuts);
    check_that(claimed - skipped <= part->producers * part->each, "%d accepted, more than there are",
               (int)(claimed - skipped));
    check_that(claimed - skipped >= pushed, "%d accepted, and this thread has pushed %d", (int)(claimed - skipped),
               (int)pushed);
}

/* pushed: the messages of this thread. */
static void look(const part *part, uint64_t pushed) {
    uint64_t choice = check_random(4);
    if (choice == 0 || part->isCut) {
        look_at_accepted(part, pushed);
        return;
    }
    if (choice == 1) {
        look_at_number(part);
        return;
    }
    uint64_t depth;
    if (part->usesHint) {
        millrace_read_begin();
        depth = millrace_queue_depth_hint(part->queue);
        millrace_read_end();
    } else {
        depth = millrace_queue_depth(part->queue);
    }
    check_note("is told a depth of %d", (int)depth);
    check_that(!part->isExact || depth <= part->producers, "%d messages at most, and a depth of %d",
               (int)part->producers, (int)depth);
}

static void produce_by_turns(void *argument) {
    const part *part = argument;
    for (uint64_t number = 0; number < part->each; number++) {
        look(part, number);
        push(part->queue, part->producer, number, 1);
        /* acquire: the consumer's report, which comes before this count; pairs with the addition in run. */
        while (atomic_load_explicit(&part->consumed[part->producer], memory_order_acquire) <= number) {
            check_yield();
        }
    }
}

static void observe(void *argument) {
    const part *part = argument;
    for (unsigned look_number = 0; look_number < 5; look_number++) {
        look(part, 0);
    }
}

/* isCut: the consumer takes positions out of use all the time, and each look is at the accepted messages. */
static void run(bool usesHint, bool isCut) {
    reset_counters();
    bool isLong = !isCut && check_random(3) == 0;
    millrace_queue *queue = isLong                           ? make_long_queue()
                            : !isCut && check_random(2) == 0 ? make_reusing_queue()
                                                             : make_queue();
    enum { PRODUCERS = 2 };
    millrace_stage *stage = calloc(1, sizeof *stage);
    /* Where segments are used again the hint may be too large, as its comment says. */
    bool isExact = !usesHint || isLong;
    _Atomic uint64_t *consumed = calloc(PRODUCERS, sizeof(uint64_t));
    part *parts = calloc(PRODUCERS, sizeof(part));
    uint64_t each = 4 + check_random(6);
    for (uint64_t producer = 0; producer < PRODUCERS; producer++) {
        parts[producer] = (part){queue, producer, each, PRODUCERS, consumed, stage, usesHint, isExact, isCut};
        check_spawn(producer == 0 ? "producer 0" : "producer 1", produce_by_turns, &parts[producer]);
    }
    check_spawn("observer", observe, &parts[0]);
    bool trims = isCut || (!usesHint && check_random(4) != 0);
    while (received() < PRODUCERS * each) {
        unsigned char *slot = millrace_queue_front(queue);
        if (!slot) {
            check_yield();
            continue;
        }
        uint64_t producer = *(uint64_t *)(void *)(slot + queue->payload_offset) >> 32;
        millrace_stage_begin(stage, slot, received() + 1, MILLRACE_STAGE_HANDLING);
        consume(queue, slot);
        millrace_stage_leave(stage);
        if (trims && check_random(2)) {
            millrace_queue_trim(queue);
        }
        millrace_queue_report(queue);
        /* release: the report before this count; pairs with the look of the producer. */
        atomic_fetch_add_explicit(&consumed[producer], 1, memory_order_release);
        if (trims && check_random(2)) {
            millrace_queue_trim(queue);
        }
    }
    check_join();
    destroy_queue(queue);
    free(stage);
    free(consumed);
    free(parts);
}

void scenario_depth(void) { run(false, false); }
void scenario_depth_hint(void) { run(true, false); }
void scenario_cuts(void) { run(false, true); }
