/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: where their memory comes from, and where it goes. The chain of the queue gives up a segment when the
 * consumer has popped its slots. Such a segment, or one that could not be linked, becomes a spare, which is used again,
 * or goes back to the system. The rules are Q1 and Q2 of millrace_queue.h, which also explains X and -.
 *
 *                   [1] [2] [3] [4] [5]
 *   [1] obtain       -   -   -   -   -    producer on the slow path, or the consumer: lock-free
 *   [2] reject       -   -   -   -   -    as obtain: gives back a segment that the caller obtained and could not link
 *   [3] drain        -   -   X   X   X    the consumer: gives up a segment behind `tail` whose slots are popped
 *   [4] recycle      -   -   X   X   X    the consumer, if `linkers` is 0: makes drained segments spares, or unmaps
 *                                         them after a grace period; rejected segments then count as drained
 *   [5] shrink       -   -   X   X   X    the consumer: unmaps all spares after a grace period
 */
#ifndef MILLRACE_SEGMENT_H
#define MILLRACE_SEGMENT_H

#include "millrace_queue.h"

/* How many spares the consumer keeps while actions come: at least FEWEST_SPARES, and at most MOST_SPARES, with at most
 * MOST_BYTES together. An idle queue keeps none. */
#ifdef MILLRACE_TINY
enum { FEWEST_SPARES = 3, MOST_SPARES = 3, LOOK_EVERY = 2 }; /* for the memory-model checker */
#else
enum { FEWEST_SPARES = 16, MOST_SPARES = 256, LOOK_EVERY = 256 };
#endif
#define MOST_BYTES ((size_t)256 * 1024 * 1024)

/* The memory-model checker sees Q2 broken at the step that breaks it, not only where it does harm later: a thread counts
 * itself in (`in`) or out (`out`) of `linkers`; while it is counted it has the address of a segment (`has`), or uses the
 * segment (`uses`); a segment becomes a spare (`spare`), or is taken from the spares (`taken`). */
#ifndef MILLRACE_REUSE_EVENT
#define MILLRACE_REUSE_EVENT(event, segment) ((void)0)
#endif

/* Returns page-aligned zeroed memory; null if the system has none to give. */
void *_Nullable millrace_segment_map(size_t bytes);

/* Returns a shut segment with `next` null, which only the caller uses; null when there is no memory. The caller must
 * set `base` before it links the segment. */
millrace_segment *_Nullable millrace_segment_obtain(millrace_queue *_Nonnull queue);
void millrace_segment_reject(millrace_queue *_Nonnull queue, millrace_segment *_Nonnull segment);

void millrace_segment_drain(millrace_queue *_Nonnull queue, millrace_segment *_Nonnull segment);
void millrace_segment_recycle(millrace_queue *_Nonnull queue);
void millrace_segment_shrink(millrace_queue *_Nonnull queue);

/* Gives a list of segments, linked by `below`, back to the system at once, without a grace period. Only when no other
 * thread can be in the queue. */
void millrace_segment_unmap_list(millrace_segment *_Nullable segment);

#endif
