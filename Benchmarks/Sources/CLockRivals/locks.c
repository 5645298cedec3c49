/* SPDX-License-Identifier: Apache-2.0 */
#include "CLockRivals.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void futex_lock_wait(futex_lock *lock) {
    /* acquire: as in futex_lock_take. The word stays 2, as this thread does not know whether others sleep, too. */
    while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire) != 0) {
        syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    }
}

void futex_lock_wake(futex_lock *lock) { syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void initialize(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void adaptive_mutex_initialize(pthread_mutex_t *mutex) { initialize(mutex, PTHREAD_MUTEX_ADAPTIVE_NP); }

void checking_mutex_initialize(pthread_mutex_t *mutex) { initialize(mutex, PTHREAD_MUTEX_ERRORCHECK); }
