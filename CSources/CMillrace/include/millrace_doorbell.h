/* SPDX-License-Identifier: Apache-2.0
 *
 * Doorbell: lets one consumer sleep without losing a wake-up. It costs a producer one load for each action.
 *
 *                 ring    prepare/cancel/wait
 *   ring            -            -              any thread, after its publication; wait-free, one system call to wake
 *   prepare..wait   -            X              the consumer only
 *
 * The handshake (Dekker's): a producer publishes, then looks at `sleeping`; the consumer sets `sleeping`, then looks at
 * the queue. At least one of the two must see the other's write, so each side needs a full barrier between its two
 * steps. Linux can run both barriers on the consumer's side (membarrier, private expedited). The consumer is about to
 * make a system call anyway, so it also runs a barrier on every core of the process; the producer's two steps are then
 * a plain store and a plain load. Where the kernel has no such call, `asymmetric` is 0 and both sides use sequentially
 * consistent operations.
 *
 * The core chooses between the two when the program starts. A filter of system calls (seccomp) that is installed later
 * must allow membarrier. If the kernel refuses the call then, the core stops the program with a message. The program
 * could not go on, because liburcu relies on the same call and stops the program at its next grace period. A filter
 * that is installed before the start may refuse the call.
 *
 * There is one wake-up for each change from idle to busy: only the thread that turns `sleeping` from 1 to 0 makes the
 * system call.
 */
#ifndef MILLRACE_DOORBELL_H
#define MILLRACE_DOORBELL_H

#include "millrace_baton.h"
#include "millrace_platform.h"

typedef struct millrace_doorbell {
    _Atomic uint32_t sleeping; /* 1: the consumer sleeps or is about to; the futex word */
    uint32_t asymmetric;       /* 1: the sleeper runs the barrier for both sides; constant */
    _Atomic uint64_t wakeups;  /* system calls made to wake; a statistic, orders nothing */
    uint64_t generation;       /* of the process that made it; constant */
    /* The list of the watched doorbells: process.c, whose lock guards the links. */
    struct millrace_doorbell *_Nullable next;
    struct millrace_doorbell *_Nullable previous;
    const millrace_baton *_Nullable baton; /* constant while the doorbell is watched */
} millrace_doorbell;

void millrace_doorbell_init(millrace_doorbell *_Nonnull bell);

/* From here on, a child of fork finds `sleeping` set, if the consumer is a thread of the parent. So its first publish or
 * ring stops it with a message, also if the consumer was awake. With a baton the consumer may be any thread that
 * publishes: then `sleeping` is set only if the baton was held during the fork, by whichever thread. Once. */
void millrace_doorbell_watch(millrace_doorbell *_Nonnull bell, const millrace_baton *_Nullable baton);

/* Before the memory of a doorbell or of its baton is freed; millrace_queue_destroy does it. It need not be watched. */
void millrace_doorbell_unwatch(millrace_doorbell *_Nonnull bell);

/* Stops the program with a message if a parent process made the doorbell: the consumer's thread is not in this process.
 * For callers that are about to wait for the consumer; waking does it, too. */
void millrace_doorbell_assert_process(const millrace_doorbell *_Nonnull bell);

/* The slow path of publish and ring: wakes the consumer if this thread is the first to see that it sleeps. */
void millrace_doorbell_wake(millrace_doorbell *_Nonnull bell);

/* Stores a word that the consumer looks for, then wakes the consumer if it sleeps. Everything before the call (the
 * content of the slot) is ordered before the word; pairs with the consumer's acquire load of the word. The word may
 * already be consumed when this call looks at `sleeping`. */
static inline void millrace_doorbell_publish(millrace_doorbell *_Nonnull bell, _Atomic uint64_t *_Nonnull word,
                                             uint64_t value) {
    uint32_t sleeping;
    if (MILLRACE_LIKELY(bell->asymmetric)) {
        /* release: the content before the word. The signal fence keeps the compiler from reordering the store and the
         * load. For the processor, the membarrier in millrace_doorbell_prepare does that; this pairs with it. */
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

/* Any thread: wakes the consumer for a reason other than a published word (closing, the request of a reader). The
 * caller must have stored its request with memory_order_seq_cst before. */
void millrace_doorbell_ring(millrace_doorbell *_Nonnull bell);

/* Any thread: a statistic. */
static inline uint64_t millrace_doorbell_wakeups(const millrace_doorbell *_Nonnull bell) {
    return atomic_load_explicit(&bell->wakeups, memory_order_relaxed);
}

/* Consumer: announces that it will sleep. It must then check every reason to stay awake, and call wait or cancel. */
void millrace_doorbell_prepare(millrace_doorbell *_Nonnull bell);

/* Consumer: withdraws the announcement. */
void millrace_doorbell_cancel(millrace_doorbell *_Nonnull bell);

/* Consumer, after prepare: sleeps until the doorbell rings, or for `nanoseconds` (0: without limit). Returns false when
 * the time ran out. The call may return early without cause: the consumer looks at its queue again anyway. */
bool millrace_doorbell_wait(millrace_doorbell *_Nonnull bell, uint64_t nanoseconds);

#endif
