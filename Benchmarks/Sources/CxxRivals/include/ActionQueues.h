/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues of C++ and C that carry the workload's actions (16 bytes) to a consumer that reduces them. All loops, and the
 * reducers, are in C++ or C, so that no call between languages slows a queue down. A queue is kept between runs, so that
 * its memory is warm.
 *
 *   call                     who may call it
 *   action_queue_produce     one thread per producer index; may run together with all other calls
 *   action_queue_consume     one thread
 *   create, destroy          no other call on the queue at the same time
 */
#ifndef ACTION_QUEUES_H
#define ACTION_QUEUES_H

#include "CxxRivals.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum action_queue_kind {
    ACTION_QUEUE_MOODYCAMEL,        /* tokens, one element per call */
    ACTION_QUEUE_MOODYCAMEL_BULK,   /* tokens, dequeued in bulk, blocks of 512 elements */
    ACTION_QUEUE_MOODYCAMEL_BLOCKS, /* the same with the usual blocks of 32 elements */
    ACTION_QUEUE_MOODYCAMEL_DIRECT, /* blocks of 512, dequeued from the only producer, without the search for one */
    ACTION_QUEUE_MOODYCAMEL_PLAIN,  /* without tokens, one element per call */
    ACTION_QUEUE_BOOST,             /* boost::lockfree::queue, consumed by consume_all */
    ACTION_QUEUE_BOOST_SINGLE,      /* boost::lockfree::spsc_queue for one producer, consumed by consume_all */
    ACTION_QUEUE_WFCQUEUE,          /* liburcu's wfcqueue, a malloc for each node, consumed by splice */
} action_queue_kind;

typedef struct action_queue action_queue;

/* What the actions do: the sums that the workload's reducers keep. */
typedef struct action_sums {
    int64_t count;
    int64_t ticks;
} action_sums;

/* Returns NULL if there is no memory. */
action_queue *_Nullable action_queue_create(action_queue_kind kind, int producers);

/* Enqueues the first `count` actions of the workload's sequence. */
void action_queue_produce(action_queue *_Nonnull queue, int producer, uint64_t count);

/* Dequeues `count` actions and reduces each into the sums. */
void action_queue_consume(action_queue *_Nonnull queue, uint64_t count, rival_patience patience,
                          action_sums *_Nonnull sums);

void action_queue_destroy(action_queue *_Nonnull queue);

#ifdef __cplusplus
}
#endif

#endif
