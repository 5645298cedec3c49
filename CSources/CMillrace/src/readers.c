/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of threads that read snapshots. It tells which thread holds up a grace period, and whether nobody reads.
 */

#include "millrace_read_section.h"

#include "fault.h"
#include "membarrier.h"

#include "millrace_thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

millrace_reader_list millrace_readers_here;
_Thread_local millrace_reader *millrace_reader_here;

_Static_assert(sizeof(millrace_reader) <= MILLRACE_CACHE_LINE, "an entry fits into a cache line");

static pthread_key_t leaving;
static bool has_key;

/* The thread may read once more, in the destructor of another key: it needs an entry again then. */
static void leave_list(void *entry) {
    millrace_reader_here = NULL;
    /* release: this thread's last use of the entry; pairs with the compare-and-swap in find_free. */
    atomic_store_explicit(&((millrace_reader *)entry)->thread, 0, memory_order_release);
}

__attribute__((constructor)) static void make_key(void) { has_key = pthread_key_create(&leaving, leave_list) == 0; }

void millrace_reader_list_add(millrace_reader_list *list, millrace_reader *reader) {
    reader->next = atomic_load_explicit(&list->first, memory_order_relaxed);
    /* release: the entry; pairs with the loads of `first`. */
    while (!atomic_compare_exchange_weak_explicit(&list->first, &reader->next, reader, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

/* Takes over the entry of a thread that has ended, and marks it (-1). Returns null if there is none. */
static millrace_reader *find_free(void) {
    /* acquire: `next` of the entries; pairs with the one in millrace_reader_list_add. */
    for (millrace_reader *entry = atomic_load_explicit(&millrace_readers_here.first, memory_order_acquire); entry;
         entry = entry->next) {
        int32_t expected = 0;
        /* acquire: the last use by the thread that has ended; pairs with leave_list. */
        if (atomic_compare_exchange_strong_explicit(&entry->thread, &expected, -1, memory_order_acquire,
                                                    memory_order_relaxed)) {
            return entry;
        }
    }
    return NULL;
}

/* Returns an entry in the list for the calling thread, or null. */
static millrace_reader *make_entry(void) {
    /* Without a key the entry would not be given back when the thread ends. */
    if (!has_key) {
        return NULL;
    }
    millrace_reader *entry = find_free();
    bool is_new = !entry;
    if (is_new) {
        /* A cache line of its own, because its thread writes to it at each reading. */
        entry = millrace_fault_here() ? NULL : aligned_alloc(MILLRACE_CACHE_LINE, MILLRACE_CACHE_LINE);
        if (!entry) {
            return NULL;
        }
        memset(entry, 0, sizeof *entry);
    }
    if (pthread_setspecific(leaving, entry) != 0) {
        if (is_new) {
            free(entry);
        } else {
            /* release: as in leave_list. */
            atomic_store_explicit(&entry->thread, 0, memory_order_release);
        }
        return NULL;
    }
    /* relaxed: the number is for reports. */
    atomic_store_explicit(&entry->thread, millrace_thread_number(), memory_order_relaxed);
    if (is_new) {
        millrace_reader_list_add(&millrace_readers_here, entry);
    }
    return entry;
}

millrace_reader *millrace_reader_enlist(void) {
    millrace_reader_here = make_entry();
    return millrace_reader_here;
}

size_t millrace_readers(int32_t *threads, size_t most) {
    size_t count = 0;
    /* acquire: the entries; pairs with millrace_reader_list_add. */
    for (millrace_reader *entry = atomic_load_explicit(&millrace_readers_here.first, memory_order_acquire);
         entry && count < most; entry = entry->next) {
        /* relaxed: a report. */
        int32_t thread = atomic_load_explicit(&entry->thread, memory_order_relaxed);
        if (thread > 0 && atomic_load_explicit(&entry->depth, memory_order_relaxed) != 0) {
            threads[count++] = thread;
        }
    }
    return count;
}

/* A section that is not counted here cannot reach what was unpublished before. The barrier runs on the reader's thread
 * either before the section is counted, or after. If before, all reads of the section come after the barrier, and find what
 * is published now. If after, the count, and the entry before it, are visible here. */
bool millrace_reader_list_is_quiet(millrace_reader_list *list) {
    if (!millrace_has_membarrier() || !millrace_membarrier()) {
        return false;
    }
    /* acquire: what the section read; pairs with millrace_reader_end_unlisted. */
    if (atomic_load_explicit(&list->unlisted, memory_order_acquire) != 0) {
        return false;
    }
    /* acquire: the entries; pairs with millrace_reader_list_add. */
    for (millrace_reader *entry = atomic_load_explicit(&list->first, memory_order_acquire); entry;
         entry = entry->next) {
        /* acquire: what the section read; pairs with millrace_reader_end. */
        if (atomic_load_explicit(&entry->depth, memory_order_acquire) != 0) {
            return false;
        }
    }
    return true;
}
