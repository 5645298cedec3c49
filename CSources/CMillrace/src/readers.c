/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of threads that have been inside withState. It tells which thread holds up a grace period.
 */

#include "millrace_read_section.h"

#include "fault.h"

#include "millrace_thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <urcu/urcu-bp.h>

_Thread_local millrace_reader *millrace_reader_here;

static _Atomic(millrace_reader *) readers;
static pthread_key_t leaving;
static bool has_key;

static void leave_list(void *entry) {
    /* release: this thread's last use of the entry; pairs with the compare-and-swap in find_free. */
    atomic_store_explicit(&((millrace_reader *)entry)->thread, 0, memory_order_release);
}

__attribute__((constructor)) static void make_key(void) { has_key = pthread_key_create(&leaving, leave_list) == 0; }

/* Takes over the entry of a thread that has ended, and marks it (-1). Returns null if there is none. */
static millrace_reader *find_free(void) {
    /* acquire: `next` of the entries; pairs with the compare-and-swap in millrace_reader_enlist. */
    for (millrace_reader *entry = atomic_load_explicit(&readers, memory_order_acquire); entry; entry = entry->next) {
        int32_t expected = 0;
        /* acquire: the last use by the thread that has ended; pairs with leave_list. */
        if (atomic_compare_exchange_strong_explicit(&entry->thread, &expected, -1, memory_order_acquire,
                                                    memory_order_relaxed)) {
            return entry;
        }
    }
    return NULL;
}

void millrace_reader_enlist(void) {
    /* Without a key the entry would not be given back when the thread ends. */
    if (!has_key) {
        return;
    }
    millrace_read_begin(); /* registers the thread with liburcu, which makes its counter */
    millrace_read_end();
    millrace_reader *entry = find_free();
    bool is_new = !entry;
    if (is_new) {
        entry = millrace_fault_here() ? NULL : calloc(1, sizeof *entry);
        if (!entry) {
            return;
        }
    }
    if (pthread_setspecific(leaving, entry) != 0) {
        if (is_new) {
            free(entry);
        } else {
            leave_list(entry);
        }
        return;
    }
    entry->nesting = &URCU_TLS(urcu_bp_reader)->ctr;
    /* release: `nesting`; pairs with the load in millrace_readers. */
    atomic_store_explicit(&entry->thread, millrace_thread_number(), memory_order_release);
    if (is_new) {
        entry->next = atomic_load_explicit(&readers, memory_order_relaxed);
        /* release: the entry; pairs with the loads of `readers`. */
        while (!atomic_compare_exchange_weak_explicit(&readers, &entry->next, entry, memory_order_release,
                                                      memory_order_relaxed)) {
        }
    }
    millrace_reader_here = entry;
}

/* liburcu's counter is not atomic, and its thread writes it, so ThreadSanitizer must not check this function. At worst,
 * an old value names a thread that has just left its section. The memory stays valid: liburcu unmaps it when the
 * process ends. */
__attribute__((no_sanitize("thread"))) static bool is_inside(const millrace_reader *entry) {
    return (*(const volatile unsigned long *)entry->nesting & URCU_BP_GP_CTR_NEST_MASK) != 0;
}

size_t millrace_readers(int32_t *threads, size_t most) {
    size_t count = 0;
    /* acquire: the entries; pairs with millrace_reader_enlist. */
    for (millrace_reader *entry = atomic_load_explicit(&readers, memory_order_acquire); entry && count < most;
         entry = entry->next) {
        /* acquire: `nesting`; pairs with millrace_reader_enlist. */
        int32_t thread = atomic_load_explicit(&entry->thread, memory_order_acquire);
        if (thread > 0 && is_inside(entry)) {
            threads[count++] = thread;
        }
    }
    return count;
}
