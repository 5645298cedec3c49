/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_doorbell.h"

#include "futex.h"
#include "membarrier.h"
#include "millrace_process.h"

void millrace_doorbell_init(millrace_doorbell *bell) {
    atomic_init(&bell->sleeping, 0);
    atomic_init(&bell->wakeups, 0);
    bell->asymmetric = millrace_has_membarrier();
    bell->generation = millrace_process_generation();
    bell->next = bell->previous = NULL;
    bell->baton = NULL;
}

void millrace_doorbell_assert_process(const millrace_doorbell *bell) {
    if (MILLRACE_UNLIKELY(bell->generation != millrace_process_generation())) {
        millrace_stop(
            "this store was created before fork, and the thread that handles its actions is not in this process: a "
            "child process must exec, or create stores of its own");
    }
}

void millrace_doorbell_wake(millrace_doorbell *bell) {
    millrace_doorbell_assert_process(bell);
    /* relaxed: one thread wins in each idle period. The sleeper acquires what was published when it looks at its queue and
     * at requests. If that look misses it, the look after the next prepare finds it. */
    if (atomic_exchange_explicit(&bell->sleeping, 0, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&bell->wakeups, 1, memory_order_relaxed);
        millrace_futex_wake(&bell->sleeping, 1);
    }
}

void millrace_doorbell_ring(millrace_doorbell *bell) {
    /* seq_cst: after the caller's seq_cst store of its request; pairs with millrace_doorbell_prepare. */
    if (atomic_load_explicit(&bell->sleeping, memory_order_seq_cst)) {
        millrace_doorbell_wake(bell);
    }
}

void millrace_doorbell_prepare(millrace_doorbell *bell) {
    /* seq_cst: before the consumer's second look at the queue; pairs with millrace_doorbell_publish and _ring. */
    atomic_store_explicit(&bell->sleeping, 1, memory_order_seq_cst);
    /* A full barrier on every core of the process: a producer either sees `sleeping`, or its word is visible here. */
    if (bell->asymmetric && MILLRACE_UNLIKELY(!millrace_membarrier())) {
        millrace_stop(
            "the system refuses membarrier, which it allowed when the program started: a seccomp filter that is "
            "installed later must allow it");
    }
}

void millrace_doorbell_cancel(millrace_doorbell *bell) {
    /* relaxed: a producer that still sees 1 makes one wake-up too many, no more. */
    atomic_store_explicit(&bell->sleeping, 0, memory_order_relaxed);
}

bool millrace_doorbell_wait(millrace_doorbell *bell, uint64_t nanoseconds) {
    struct timespec limit = {.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
    /* Sleeps only while the word is still 1, so a ring after prepare is not lost. */
    millrace_futex_wait(&bell->sleeping, 1, nanoseconds ? &limit : NULL);
    /* relaxed: as in millrace_doorbell_wake. Still 1: the time ran out, or a signal came. */
    return atomic_exchange_explicit(&bell->sleeping, 0, memory_order_relaxed) == 0;
}
