/* SPDX-License-Identifier: Apache-2.0
 *
 * Baton: who consumes, when whoever dispatches may be the consumer. Held by at most one thread; holding it is being the
 * queue's consumer. Not a lock: nobody waits for it. A thread that finds it taken leaves its work to the holder.
 *
 *              try_take   give_back
 *   try_take      -           -        any thread, after publishing its slot; wait-free
 *   give_back     -           X        the holder; must then look at the queue again and, if something is there,
 *                                      try_take once more: a producer that published while the baton was held has gone
 *                                      away without it. millrace_queue_hand_over does both.
 *
 * Same handshake as the doorbell, with sequentially consistent operations on both sides: slot before baton here, baton
 * before slot there.
 */
#ifndef MILLRACE_BATON_H
#define MILLRACE_BATON_H

#include "millrace_platform.h"

typedef struct millrace_baton {
    _Atomic uint32_t held;
} millrace_baton;

static inline bool millrace_baton_try_take(millrace_baton *_Nonnull baton) {
    uint32_t expected = 0;
    /* seq_cst look first: orders the caller's published slot before it, pairs with give_back; spares a contended line.
     * acquire on success: the previous holder's writes to state and queue before ours, pairs with give_back. */
    return atomic_load_explicit(&baton->held, memory_order_seq_cst) == 0 &&
           atomic_compare_exchange_strong_explicit(&baton->held, &expected, 1, memory_order_seq_cst,
                                                   memory_order_relaxed);
}

static inline void millrace_baton_give_back(millrace_baton *_Nonnull baton) {
    /* seq_cst: everything the holder did before, and this store before the holder's next look at the queue. */
    atomic_store_explicit(&baton->held, 0, memory_order_seq_cst);
}

#endif
