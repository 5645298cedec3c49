/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MILLRACE_WINDOW_LOOK_H
#define MILLRACE_WINDOW_LOOK_H

#include "millrace_queue.h"

/* Whether the slot with this index was claimed. */
static inline bool millrace_segment_has_claimed(const millrace_segment *_Nonnull segment, uint64_t index) {
    /* seq_cst: the second look after a store of `sleeping` or `held`; pairs with the claims. A slot that is not claimed
     * yet will be published by a producer that sees that store. */
    uint64_t claimed = atomic_load_explicit(&segment->claimed, memory_order_seq_cst);
    return (int64_t)claimed > (int64_t)index; /* a shut segment is negative */
}

/* Consumer: brings the queue's window up to date with the consumer's place in the queue, and returns it. */
const millrace_window *_Nonnull millrace_window_follow(millrace_queue *_Nonnull queue);

/* The look of millrace_queue_has_ready_behind, which changes `copy`. The caller need not be the consumer any more, if it
 * is in a read section that began before the copy. */
bool millrace_window_has_ready(const millrace_queue *_Nonnull queue, millrace_window *_Nonnull copy);

#endif
