/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: where their memory comes from, and the three ways in which they leave the chain. The rules are Q1 and Q2 of
 * millrace_queue.h.
 *
 *                   [1] [2] [3] [4] [5]
 *   [1] obtain       -   -   -   -   -    producer on the slow path, or the consumer: lock-free
 *   [2] reject       -   -   -   -   -    as obtain: gives back a segment that the caller obtained and could not link
 *   [3] drain        -   -   X   X   X    the consumer: a segment behind `tail`, all slots popped
 *   [4] recycle      -   -   X   X   X    the consumer: drained and rejected segments become spares, when allowed
 *   [5] shrink       -   -   X   X   X    the consumer: spares go back to the system
 */
#ifndef MILLRACE_SEGMENT_H
#define MILLRACE_SEGMENT_H

#include "millrace_queue.h"

/* Returns page-aligned zeroed memory; null when there is none. */
void *_Nullable millrace_segment_map(size_t bytes);

/* Returns a shut segment with `next` null and `base` unset, which only the caller uses; null when there is no
 * memory. */
millrace_segment *_Nullable millrace_segment_obtain(millrace_queue *_Nonnull queue);
void millrace_segment_reject(millrace_queue *_Nonnull queue, millrace_segment *_Nonnull segment);

void millrace_segment_drain(millrace_queue *_Nonnull queue, millrace_segment *_Nonnull segment);
void millrace_segment_recycle(millrace_queue *_Nonnull queue);
void millrace_segment_shrink(millrace_queue *_Nonnull queue);

/* Gives the segments back to the system at once. Only when no other thread can be in the queue. */
void millrace_segment_unmap_list(millrace_segment *_Nullable segment);

#endif
