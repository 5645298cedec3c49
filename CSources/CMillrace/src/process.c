/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_process.h"

#include <pthread.h>
#include <stdatomic.h>

#include "millrace_doorbell.h"
#include "ring.h"

/* relaxed, all: it changes only in a child, which has one thread then. */
static _Atomic uint64_t generation;

/* The watched doorbells and rings. A fork waits for the lock, so a child finds the lists whole. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static millrace_doorbell *watched;
static millrace_ring *rings;

static void begin_fork(void) { pthread_mutex_lock(&lock); }

static void end_fork(void) { pthread_mutex_unlock(&lock); }

/* Gives the child a ring of its own in place of each ring with a file: in memory, with the texts, without entries.
 * Otherwise parent and child would write to the same places, and a child that ends its ring would mark the file as ended,
 * and release the lock. Not a private mapping of the file: that shows what the parent writes later. */
static void replace_rings(void) {
    for (millrace_ring *ring = rings, *next; ring; ring = next) {
        next = ring->next_ring;
        ring->next_ring = NULL;
        millrace_ring_leave_file(ring);
    }
    rings = NULL;
}

static void begin_child(void) {
    replace_rings();
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
    for (millrace_doorbell *bell = watched; bell; bell = bell->next) {
        /* relaxed, both: the child has one thread. */
        bool has_baton = bell->baton != NULL;
        bool is_held = has_baton && atomic_load_explicit(&bell->baton->held, memory_order_relaxed);
        if (!has_baton || is_held) {
            atomic_store_explicit(&bell->sleeping, 1, memory_order_relaxed);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* When the program starts: handlers run in the reverse order before a fork, so this one takes its lock after those that
 * the program registers later, which may wait for threads that make or release stores. */
__attribute__((constructor)) static void begin(void) {
    if (pthread_atfork(begin_fork, end_fork, begin_child) != 0) {
        millrace_stop("there is no memory to register a handler of fork (pthread_atfork)");
    }
}

uint64_t millrace_process_generation(void) { return atomic_load_explicit(&generation, memory_order_relaxed); }

void millrace_doorbell_watch(millrace_doorbell *bell, const millrace_baton *baton) {
    pthread_mutex_lock(&lock);
    bell->baton = baton;
    bell->next = watched;
    bell->previous = NULL;
    if (watched) {
        watched->previous = bell;
    }
    watched = bell;
    pthread_mutex_unlock(&lock);
}

void millrace_doorbell_unwatch(millrace_doorbell *bell) {
    pthread_mutex_lock(&lock);
    if (bell->next) {
        bell->next->previous = bell->previous;
    }
    if (bell->previous) {
        bell->previous->next = bell->next;
    } else if (watched == bell) {
        watched = bell->next;
    }
    bell->next = bell->previous = NULL;
    pthread_mutex_unlock(&lock);
}

void millrace_ring_watch(millrace_ring *ring) {
    pthread_mutex_lock(&lock);
    ring->next_ring = rings;
    rings = ring;
    pthread_mutex_unlock(&lock);
}

void millrace_ring_unwatch(millrace_ring *ring) {
    pthread_mutex_lock(&lock);
    millrace_ring **link = &rings; /* a walk: a program has few rings with files */
    while (*link != ring) {
        link = &(*link)->next_ring;
    }
    *link = ring->next_ring;
    pthread_mutex_unlock(&lock);
}
