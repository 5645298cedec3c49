/* SPDX-License-Identifier: Apache-2.0
 *
 * moodycamel::ConcurrentQueue with a payload of 64 bytes. The loops run in C++, so the queue is inlined into them and
 * a call between languages does not slow the rival down. A queue is kept between runs, so that its blocks and the
 * state of its producers are warm.
 *
 *   call                       who may call it
 *   rival_queue_produce        one thread per producer index; may run together with all other calls
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
    RIVAL_TOKENS,               /* producer and consumer tokens, one element per call */
    RIVAL_NO_TOKENS,            /* implicit producers, one element per call */
    RIVAL_BULK_DEQUEUE,         /* tokens, dequeued in bulk */
    RIVAL_BULK_LARGE_BLOCKS,    /* as above, with blocks of 512 elements instead of 32 */
    RIVAL_BULK_OF_ITS_PRODUCER, /* as above, dequeued from the only producer, without the search for one */
} rival_variant;

/* Returns NULL if there is no memory, or if the variant does not allow this number of producers. */
rival_queue *_Nullable rival_queue_create(rival_variant variant, int producers);

/* Enqueues the numbers 1 to count, one element per call. */
void rival_queue_produce(rival_queue *_Nonnull queue, int producer, uint64_t count);

/* Enqueues the numbers 1 to count, in bulk calls of 64 elements. */
void rival_queue_produce_bulk(rival_queue *_Nonnull queue, int producer, uint64_t count);

/* How a consumer waits after it dequeued few elements. A consumer that looks again at once competes with its producer
 * for a cache line. A consumer that waits until more elements are there is up to three times as fast, but each element
 * is some microseconds later. */
typedef struct rival_patience {
    uint32_t enough; /* the consumer waits after it dequeued fewer elements than this */
    uint32_t pauses; /* the length of the wait, in iterations of a spin loop */
} rival_patience;

/* Dequeues count elements and returns the sum of their numbers. */
uint64_t rival_queue_consume(rival_queue *_Nonnull queue, uint64_t count, rival_patience patience);

void rival_queue_destroy(rival_queue *_Nonnull queue);

#ifdef __cplusplus
}
#endif

#endif
