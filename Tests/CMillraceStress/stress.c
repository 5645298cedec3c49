/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_stress.h"

#include "CMillrace.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PRODUCERS = 64, LARGEST_BATCH = 200 };

/* Nanoseconds. A round is given up if nothing arrives for this time after the last producer has sent all: a message or
 * a wake-up was lost. */
static const uint64_t patience = UINT64_C(3000000000);

/* The payload of a slot: its producer, its number in the producer's sequence, and a check word over both. */
typedef struct message {
    uint64_t producer;
    uint64_t number;
    uint64_t check;
} message;

static uint64_t check_of(uint64_t producer, uint64_t number) {
    uint64_t mixed = (producer + 1) * 0x9E3779B97F4A7C15u ^ number * 0xBF58476D1CE4E5B9u;
    return mixed ^ mixed >> 31;
}

/* SplitMix64. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

typedef struct round_state {
    millrace_queue *queue;
    _Atomic uint64_t producing; /* producers that have not sent all */
    uint64_t messages;
    bool is_in_order;              /* the slots of a run are published in order */
    uint64_t next[MOST_PRODUCERS]; /* the number expected from each producer */
    millrace_stress_report *report;
} round_state;

typedef struct producer {
    pthread_t thread;
    round_state *round;
    uint64_t seed;
    uint64_t name;
} producer;

static void write_slot(const millrace_queue *queue, unsigned char *slot, uint64_t producer, uint64_t number) {
    message *payload = (message *)(void *)(slot + queue->payload_offset);
    *payload = (message){producer, number, check_of(producer, number)};
}

static void *produce(void *argument) {
    producer *self = argument;
    millrace_queue *queue = self->round->queue;
    uint64_t random = self->seed;
    uint64_t number = 0;
    while (number < self->round->messages) {
        uint64_t dice = next_random(&random);
        uint64_t want = dice % 4 ? 1 : 1 + dice / 4 % LARGEST_BATCH;
        if (want > self->round->messages - number) {
            want = self->round->messages - number;
        }
        while (want > 0) {
            millrace_read_begin();
            millrace_claim claim;
            if (millrace_queue_claim(queue, want, &claim) != MILLRACE_OK) {
                millrace_read_end();
                sched_yield();
                continue;
            }
            uint64_t loud = self->round->is_in_order ? claim.count - 1 : 0; /* the slot that is published last */
            for (uint64_t index = 0; index < claim.count; index++) {
                unsigned char *slot = claim.slot + index * queue->stride;
                write_slot(queue, slot, self->name, number + index);
                MILLRACE_INTERLEAVE();
                if (index != loud) {
                    millrace_queue_publish_quietly(slot, claim.position + index, 0);
                }
            }
            millrace_queue_publish(queue, claim.slot + loud * queue->stride, claim.position + loud, 0);
            millrace_read_end();
            number += claim.count;
            want -= claim.count;
        }
        if (dice % 1024 == 0) {
            sched_yield();
        }
    }
    /* relaxed: it only decides when a round is given up. */
    atomic_fetch_sub_explicit(&self->round->producing, 1, memory_order_relaxed);
    return NULL;
}

static void receive(round_state *round, const unsigned char *slot) {
    const message *payload = (const message *)(const void *)(slot + round->queue->payload_offset);
    millrace_stress_report *report = round->report;
    report->received += 1;
    if (payload->producer >= MOST_PRODUCERS || payload->check != check_of(payload->producer, payload->number)) {
        report->damaged += 1;
        return;
    }
    uint64_t *expected = &round->next[payload->producer];
    if (payload->number == *expected) {
        *expected += 1;
    } else if (payload->number > *expected) {
        report->lost += payload->number - *expected;
        *expected = payload->number + 1;
    } else if (payload->number + 1 == *expected) {
        report->doubled += 1;
    } else {
        report->reordered += 1;
    }
}

static void visit(unsigned char *slot, void *context) {
    round_state *round = context;
    receive(round, slot);
    round->report->visited += 1;
}

/* Whether all producers have sent all, and nothing has arrived for too long. `since` is the start of that time; 0: not
 * yet. */
static bool is_stuck(round_state *round, uint64_t *since) {
    if (atomic_load_explicit(&round->producing, memory_order_relaxed) > 0) {
        return false;
    }
    uint64_t now = millrace_clock_monotonic();
    *since = *since ? *since : now;
    return now - *since > patience;
}

/* Takes the content out of the slot that front returned. */
static void take(round_state *round, unsigned char *slot) {
    receive(round, slot);
    memset(slot + round->queue->payload_offset, 0xDD, sizeof(message));
    millrace_queue_pop(round->queue);
}

static bool is_handled(const unsigned char *slot) { return millrace_slot_flags(slot) & MILLRACE_SLOT_HANDLED; }

/* Receives what is published behind producers that are stopped. Returns the number of messages. */
static uint64_t look_behind(round_state *round, uint64_t most) {
    millrace_queue *queue = round->queue;
    if (!millrace_queue_is_stalled(queue) || !millrace_queue_open_window(queue, most)) {
        return 0;
    }
    uint64_t got = 0;
    for (unsigned char *slot; (slot = millrace_queue_front(queue)); got++) {
        take(round, slot);
    }
    millrace_queue_close_window(queue);
    round->report->early += got;
    return got;
}

static void consume(round_state *round, millrace_stress_plan plan, uint64_t total, uint64_t random) {
    millrace_queue *queue = round->queue;
    uint64_t got = 0, idle_since = 0;
    millrace_queue_consumer_enter(queue);
    while (got < total) {
        unsigned char *slot = millrace_queue_front(queue);
        if (slot && is_handled(slot)) {
            millrace_queue_pop_handled(queue);
            continue;
        }
        if (slot) {
            take(round, slot);
            got += 1;
            idle_since = 0;
            if (plan.trims && next_random(&random) % 4096 == 0) {
                millrace_queue_trim(queue);
            }
            continue;
        }
        millrace_queue_report(queue);
        uint64_t most = 1 + next_random(&random) % 64;
        uint64_t early = plan.windows ? look_behind(round, most < total - got ? most : total - got) : 0;
        if (early > 0) {
            got += early;
            idle_since = 0;
            continue;
        }
        bool isRung = true;
        if (plan.parks) {
            millrace_doorbell_prepare(&queue->bell);
            if (millrace_queue_has_ready(queue) || (plan.windows && millrace_queue_has_ready_behind(queue))) {
                millrace_doorbell_cancel(&queue->bell);
            } else {
                isRung = millrace_doorbell_wait(&queue->bell, patience);
            }
        } else {
            sched_yield();
        }
        if (!isRung && atomic_load_explicit(&round->producing, memory_order_relaxed) == 0) {
            /* All was sent, and the doorbell did not ring for any of it. */
            round->report->stuck += 1;
            break;
        }
        if (is_stuck(round, &idle_since)) {
            round->report->stuck += 1;
            break;
        }
    }
    for (unsigned char *slot; (slot = millrace_queue_front(queue)) && is_handled(slot);) {
        millrace_queue_pop_handled(queue);
    }
    millrace_queue_report(queue);
    millrace_queue_consumer_leave(queue);
}

static void run_round(millrace_stress_plan plan, uint64_t *random, millrace_stress_report *report) {
    static const size_t alignments[] = {8, 16, 64, 256};
    millrace_queue_options options = {
        .action_size = sizeof(message) + next_random(random) % 300,
        .action_alignment = alignments[next_random(random) % 4],
        .first_bytes = next_random(random) % 2 ? 0 : 4096,
        .largest_bytes = next_random(random) % 2 ? 0 : 32768,
    };
    round_state round = {
        .messages = plan.a_round, .is_in_order = plan.windows, .producing = plan.producers, .report = report};
    if (millrace_queue_create(options, &round.queue) != MILLRACE_OK) {
        report->damaged += 1;
        return;
    }
    producer producers[MOST_PRODUCERS];
    for (unsigned name = 0; name < plan.producers; name++) {
        producers[name] = (producer){.round = &round, .seed = next_random(random), .name = name};
        pthread_create(&producers[name].thread, NULL, produce, &producers[name]);
    }
    uint64_t sent = plan.a_round * plan.producers;
    uint64_t wanted = plan.leaves_some ? sent - next_random(random) % (sent / 2) : sent;
    consume(&round, plan, wanted, next_random(random));
    for (unsigned name = 0; name < plan.producers; name++) {
        pthread_join(producers[name].thread, NULL);
    }
    if (millrace_queue_claimed(round.queue) - millrace_queue_skipped(round.queue) != sent) {
        report->damaged += 1;
    }
    if (!plan.leaves_some && report->rounds % 16 == 0) {
        millrace_queue_trim(round.queue);
        millrace_reclaim_barrier();
        uint64_t left = millrace_queue_segments(round.queue);
        if (left > 1 + report->segments_left) {
            report->segments_left = left - 1;
        }
    }
    millrace_queue_destroy(round.queue, visit, &round);
    for (unsigned name = 0; name < plan.producers; name++) {
        report->lost += plan.a_round - round.next[name];
    }
    report->sent += sent;
    report->rounds += 1;
}

millrace_stress_report millrace_stress(millrace_stress_plan plan) {
    millrace_stress_report report = {0};
    uint64_t random = plan.seed;
    uint64_t start = millrace_clock_monotonic();
    do {
        run_round(plan, &random, &report);
    } while ((double)(millrace_clock_monotonic() - start) < plan.seconds * 1e9 && report.stuck == 0);
    return report;
}
