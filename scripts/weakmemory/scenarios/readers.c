/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that enter the list of readers, read, and end: a later thread takes over the entry of one that has ended. Its count
 * of sections must be 0 then. The system may refuse a thread's key.
 */
/* The model watches only memory that was allocated, so the list is allocated here; and a thread ends where this file says. */
#define millrace_readers_here (*check_readers)
#define millrace_reader_here check_reader_here
#define millrace_reader_list_add check_reader_list_add
#define millrace_reader_list_is_quiet check_reader_list_is_quiet
#define millrace_reader_enlist check_reader_enlist
#define millrace_readers check_readers_in_sections
#ifdef __clang__
#pragma clang diagnostic ignored "-Wnullability-completeness"
#endif

#include "shared.h"

#include <pthread.h>

static int set_key(pthread_key_t key, const void *entry) {
    (void)key, (void)entry;
    return check_random(4) == 0;
}
#define pthread_setspecific(key, entry) set_key(key, entry)

#include "../src/readers.c"

static void live(void *argument) {
    (void)argument;
    for (unsigned life = 0; life < 2; life++) {
        millrace_reader *entry = make_entry();
        if (!entry) {
            continue;
        }
        uint64_t depth = atomic_load_explicit(&entry->depth, memory_order_relaxed);
        check_that(depth == 0, "a new reader is in %d sections", (int)depth);
        millrace_reader_begin(entry);
        check_yield();
        millrace_reader_end(entry);
        leave_list(entry);
    }
}

static void count(void *argument) {
    (void)argument;
    int32_t threads[4];
    for (unsigned look = 0; look < 3; look++) {
        check_that(check_readers_in_sections(threads, 4) <= 3, "more readers than threads");
        check_yield();
    }
}

void scenario_readers(void) {
    check_readers = calloc(1, sizeof *check_readers);
    check_spawn("reader 0", live, NULL);
    check_spawn("reader 1", live, NULL);
    check_spawn("reader 2", live, NULL);
    check_spawn("counter", count, NULL);
    check_join();
    for (millrace_reader *entry = atomic_load_explicit(&check_readers->first, memory_order_acquire); entry;) {
        millrace_reader *next = entry->next;
        free(entry);
        entry = next;
    }
    free(check_readers);
}
