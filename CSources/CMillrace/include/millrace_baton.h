/* SPDX-License-Identifier: Apache-2.0
 *
 * Baton: the role of the consumer, where any producer may become the consumer. At most one thread holds the baton; that
 * thread is the queue's consumer. The baton is not a lock: no thread waits for it. A thread that finds it taken leaves
 * its actions to the holder.
 *
 *              try_take   give_back
 *   try_take      -           -        any thread, after it has published its slot; wait-free
 *   give_back     -           X        the holder. It must then look at the queue again and, if a slot is there, call
 *                                      try_take once more: a producer that published while the baton was held has left
 *                                      its slot to the holder. millrace_queue_hand_over gives back and looks again.
 *
 * The handshake is that of the doorbell, with sequentially consistent operations on both sides. A producer publishes
 * its slot, then looks at `held`. The holder clears `held`, then looks at the slot.
 */
#ifndef MILLRACE_BATON_H
#define MILLRACE_BATON_H

#include "millrace_platform.h"

typedef struct millrace_baton {
    _Atomic uint32_t held;
} millrace_baton;

static inline bool millrace_baton_try_take(millrace_baton *_Nonnull baton) {
    uint32_t expected = 0;
    /* seq_cst load: after the caller's published slot; pairs with give_back. It also spares a contended line the
     * exchange. acquire: the previous holder's writes to the state and the queue; pairs with give_back. */
    return atomic_load_explicit(&baton->held, memory_order_seq_cst) == 0 &&
           atomic_compare_exchange_strong_explicit(&baton->held, &expected, 1, memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline void millrace_baton_give_back(millrace_baton *_Nonnull baton) {
    /* seq_cst: releases all that the holder did, and comes before the holder's next look at the queue; pairs with
     * try_take. */
    atomic_store_explicit(&baton->held, 0, memory_order_seq_cst);
}

#endif
