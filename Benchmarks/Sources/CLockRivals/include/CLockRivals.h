/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks of the system, as rivals: inlined into the loops of Swift.
 *
 *   futex_lock       a word and a futex: what os_unfair_lock is on Apple's systems. 4 bytes, unfair (the running thread
 *                    may take it again at once), and a thread that does not get it sleeps in the kernel without spinning.
 *   adaptive mutex   glibc's PTHREAD_MUTEX_ADAPTIVE_NP: spins a little before it sleeps
 *   checking mutex   PTHREAD_MUTEX_ERRORCHECK: finds a thread that locks it twice
 */
#ifndef C_LOCK_RIVALS_H
#define C_LOCK_RIVALS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct futex_lock {
    _Atomic(uint32_t) word; /* 0: free; 1: taken; 2: taken, and a thread may sleep */
} futex_lock;

/* Takes the lock when the first attempt has failed; sleeps. */
void futex_lock_wait(futex_lock *_Nonnull lock);

/* Wakes one thread that sleeps in futex_lock_wait. */
void futex_lock_wake(futex_lock *_Nonnull lock);

static inline void futex_lock_initialize(futex_lock *_Nonnull lock) { atomic_init(&lock->word, 0); }

static inline void futex_lock_take(futex_lock *_Nonnull lock) {
    uint32_t expected = 0;
    /* acquire: pairs with the release of the thread that had the lock before. */
    if (!atomic_compare_exchange_strong_explicit(&lock->word, &expected, 1, memory_order_acquire,
                                                 memory_order_relaxed)) {
        futex_lock_wait(lock);
    }
}

static inline void futex_lock_release(futex_lock *_Nonnull lock) {
    /* release: pairs with the acquire of the thread that takes the lock next. */
    if (atomic_exchange_explicit(&lock->word, 0, memory_order_release) == 2) {
        futex_lock_wake(lock);
    }
}

void adaptive_mutex_initialize(pthread_mutex_t *_Nonnull mutex);

void checking_mutex_initialize(pthread_mutex_t *_Nonnull mutex);

#endif
