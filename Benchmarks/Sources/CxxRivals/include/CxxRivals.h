/* SPDX-License-Identifier: Apache-2.0
 *
 * moodycamel::ConcurrentQueue with a payload of 64 bytes. The loops run in C++, where the queue is inlined into them: the
 * rival pays for no border between languages. A queue is kept between runs, so that its blocks and its per-producer state are
 * warm.
 *
 *   call                       who may call it
 *   rival_queue_produce        one thread a producer index, together with all others
 *   rival_queue_consume        one thread
 *   create, destroy            no other call on the queue at the same time
 */
#ifndef CXX_RIVALS_H
#define CXX_RIVALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rival_queue rival_queue;

typedef enum rival_variant {
    RIVAL_TOKENS,               /* producer and consumer tokens, one element a call */
    RIVAL_NO_TOKENS,            /* implicit producers, one element a call */
    RIVAL_BULK_DEQUEUE,         /* tokens, dequeued in bulk */
    RIVAL_BULK_LARGE_BLOCKS,    /* the same with blocks of 512 elements in place of 32 */
    RIVAL_BULK_OF_ITS_PRODUCER, /* large blocks, dequeued in bulk past the search for a producer; one producer only */
} rival_variant;

/* NULL when memory is short, or when the variant does not allow that many producers. */
rival_queue *_Nullable rival_queue_create(rival_variant variant, int producers);

/* Enqueues the numbers 1 to count, one element a call. */
void rival_queue_produce(rival_queue *_Nonnull queue, int producer, uint64_t count);

/* The same in bulk calls of 64. */
void rival_queue_produce_bulk(rival_queue *_Nonnull queue, int producer, uint64_t count);

/* How a consumer waits. One that looks again at once trails right behind its producer, and both fight over a cache line; one
 * that lets elements gather after a small catch is up to three times as fast, and later by some microseconds. */
typedef struct rival_patience {
    uint32_t enough; /* a catch of fewer elements than this is followed by a wait */
    uint32_t pauses; /* of so many turns of a spin loop */
} rival_patience;

/* Dequeues count elements and returns the sum of their numbers. */
uint64_t rival_queue_consume(rival_queue *_Nonnull queue, uint64_t count, rival_patience patience);

void rival_queue_destroy(rival_queue *_Nonnull queue);

#ifdef __cplusplus
}
#endif

#endif
