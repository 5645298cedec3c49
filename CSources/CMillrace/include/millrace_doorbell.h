/* SPDX-License-Identifier: Apache-2.0
 *
 * Doorbell: lets one consumer sleep without losing a wake-up, at the price of one load an action for the producers.
 *
 *                 ring    prepare/cancel/wait
 *   ring            -            -              any thread, after its publication; wait-free, one system call to wake
 *   prepare..wait   -            X              the consumer only
 *
 * The handshake (Dekker's): a producer publishes, then looks at `sleeping`; the consumer sets `sleeping`, then looks
 * at the queue. At least one of the two must see the other's write, so each side needs a full barrier between its two
 * steps. Linux can move both barriers to the consumer (membarrier, private expedited): the sleeper, who is about to
 * make a system call anyway, runs a barrier on every core of the process, and the producer's pair costs a plain store
 * and a plain load. Where the kernel has no such call, `asymmetric` is 0 and both sides use sequentially consistent
 * operations.
 *
 * That is decided when the program starts. A filter of system calls (seccomp) that is installed later must allow
 * membarrier: when it is refused then, the program is stopped with a message. There is no way to go on, as liburcu relies
 * on the same call and stops the program at its next grace period. A filter installed before the start may refuse it.
 *
 * One wake-up per idle-to-busy change: only the thread that turns `sleeping` from 1 to 0 makes the system call.
 */
#ifndef MILLRACE_DOORBELL_H
#define MILLRACE_DOORBELL_H

#include "millrace_platform.h"

typedef struct millrace_doorbell {
    _Atomic uint32_t sleeping; /* 1: the consumer sleeps or is about to; the futex word */
    uint32_t asymmetric;       /* 1: the sleeper runs the barrier for both sides; constant */
    _Atomic uint64_t wakeups;  /* system calls made to wake; a statistic, orders nothing */
    uint64_t reserved;
} millrace_doorbell;

void millrace_doorbell_init(millrace_doorbell *_Nonnull bell);

/* Cold half of ring: wakes the consumer if this thread is the first to notice. */
void millrace_doorbell_wake(millrace_doorbell *_Nonnull bell);

/* Stores a word that the consumer will look for, then wakes the consumer if it sleeps.
 * Orders: everything before it (the slot's content) before the word; pairs with the consumer's acquire load of that
 * word. Between the store and the look another thread may already have consumed the word. */
static inline void millrace_doorbell_publish(millrace_doorbell *_Nonnull bell, _Atomic uint64_t *_Nonnull word,
                                             uint64_t value) {
    uint32_t sleeping;
    if (MILLRACE_LIKELY(bell->asymmetric)) {
        /* release: content before word. The compiler must keep the two in order; the processor is held to it by the
         * membarrier in millrace_doorbell_prepare, which this pairs with. */
        atomic_store_explicit(word, value, memory_order_release);
        atomic_signal_fence(memory_order_seq_cst);
        sleeping = atomic_load_explicit(&bell->sleeping, memory_order_relaxed);
    } else {
        /* seq_cst, seq_cst: word before `sleeping`; pairs with the seq_cst store and load of the sleeper. */
        atomic_store_explicit(word, value, memory_order_seq_cst);
        sleeping = atomic_load_explicit(&bell->sleeping, memory_order_seq_cst);
    }
    if (MILLRACE_UNLIKELY(sleeping)) {
        millrace_doorbell_wake(bell);
    }
}

/* Wakes the consumer for another reason than a published word (closing, a reader's request). The caller's request must
 * have been stored with memory_order_seq_cst before. Any thread. */
void millrace_doorbell_ring(millrace_doorbell *_Nonnull bell);

/* Any thread: a statistic. */
static inline uint64_t millrace_doorbell_wakeups(const millrace_doorbell *_Nonnull bell) {
    return atomic_load_explicit(&bell->wakeups, memory_order_relaxed);
}

/* Consumer: announces sleep. After it, look at everything that could be a reason to stay awake; then wait or cancel. */
void millrace_doorbell_prepare(millrace_doorbell *_Nonnull bell);

/* Consumer: takes the announcement back. */
void millrace_doorbell_cancel(millrace_doorbell *_Nonnull bell);

/* Consumer, after prepare: sleeps until rung, or for `nanoseconds` (0: without limit). Returns false when the time ran
 * out. May return early without cause; the caller looks at its queue again anyway. */
bool millrace_doorbell_wait(millrace_doorbell *_Nonnull bell, uint64_t nanoseconds);

#endif
