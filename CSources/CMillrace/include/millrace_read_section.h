/* SPDX-License-Identifier: Apache-2.0
 *
 * Read section: memory that a thread reaches through an RCU-published pointer stays allocated until the thread leaves
 * its section.
 *
 *   begin, end   any thread, may be nested; wait-free, except that the first begin of a thread registers it with
 *                liburcu and may wait for liburcu's lock.
 *   ongoing      any thread; for debug checks.
 *   lend_begin, lend_end
 *                as begin and end, for a section that reads a snapshot. They also count the section in an entry of a list
 *                of threads, so that the owner of a snapshot can see whether anybody reads.
 *   readers      any thread: the threads of that list that are inside such a section now.
 *   list_is_quiet
 *                any thread: whether every such section that was open at the call has ended.
 *
 * Between begin and end the caller must not block, park, drain or suspend: every grace period of the process waits for
 * it.
 *
 * liburcu-bp offers these two inlines, each shorter than ten lines, to callers under any licence (LGPL-2.1 section 5;
 * the comments in <urcu/static/urcu-bp.h> say so). Called through the library, the same pair costs three times as much.
 */
#ifndef MILLRACE_READ_SECTION_H
#define MILLRACE_READ_SECTION_H

#include "millrace_platform.h"

static inline void millrace_read_begin(void) { _urcu_bp_read_lock(); }

static inline void millrace_read_end(void) { _urcu_bp_read_unlock(); }

bool millrace_read_ongoing(void);

/* An entry of a list of readers. Entries are never freed: a new thread takes over the entry of a thread that has ended. */
typedef struct millrace_reader {
    struct millrace_reader *_Nullable next; /* written before the entry is in the list */
    _Atomic int32_t thread;                 /* its number in the system; 0: the entry is free; -1: being taken over */
    _Atomic uint32_t depth;                 /* how many sections the thread is in; only the thread writes */
} millrace_reader;

typedef struct millrace_reader_list {
    _Atomic(millrace_reader *) first;
    _Atomic uint64_t unlisted; /* the sections of threads that have no entry: there was no memory or no key for it */
} millrace_reader_list;

/* The list of this process, and the entry of the current thread. Do not touch directly. */
extern millrace_reader_list millrace_readers_here;
extern _Thread_local millrace_reader *_Nullable millrace_reader_here;

static inline void millrace_reader_begin(millrace_reader *_Nonnull reader) {
    /* relaxed: only this thread writes. */
    uint32_t depth = atomic_load_explicit(&reader->depth, memory_order_relaxed);
    atomic_store_explicit(&reader->depth, depth + 1, memory_order_relaxed);
    /* For the compiler: the count before each read of the section. For the processor, the barrier in
     * millrace_reader_list_is_quiet orders them. */
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void millrace_reader_end(millrace_reader *_Nonnull reader) {
    uint32_t depth = atomic_load_explicit(&reader->depth, memory_order_relaxed);
    /* release: each read of the section; pairs with the load in millrace_reader_list_is_quiet. */
    atomic_store_explicit(&reader->depth, depth - 1, memory_order_release);
}

/* The same for a thread that has no entry. */
static inline void millrace_reader_begin_unlisted(millrace_reader_list *_Nonnull list) {
    /* relaxed, and a fence for the compiler: as in millrace_reader_begin. */
    atomic_fetch_add_explicit(&list->unlisted, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void millrace_reader_end_unlisted(millrace_reader_list *_Nonnull list) {
    /* release: each read of the section; pairs with the load in millrace_reader_list_is_quiet. */
    atomic_fetch_sub_explicit(&list->unlisted, 1, memory_order_release);
}

/* Puts an entry into a list. */
void millrace_reader_list_add(millrace_reader_list *_Nonnull list, millrace_reader *_Nonnull reader);

/* True: no thread is in a section, or it began after the call, so no reader can reach what the caller unpublished before
 * the call. False: a thread may be in a section, or the kernel has no barrier. Runs a barrier on each core that runs a
 * thread of this process: 0.3 µs if there is none, up to 10 µs otherwise. Does not wait. */
bool millrace_reader_list_is_quiet(millrace_reader_list *_Nonnull list);

/* The slow path of lend_begin: adds the thread to the list, and returns its entry; null if there is no memory. */
millrace_reader *_Nullable millrace_reader_enlist(void);

/* Returns what the end of the section needs. */
static inline millrace_reader *_Nullable millrace_lend_begin(void) {
    millrace_reader *reader = millrace_reader_here;
    if (MILLRACE_UNLIKELY(reader == NULL)) {
        reader = millrace_reader_enlist();
    }
    if (MILLRACE_LIKELY(reader != NULL)) {
        millrace_reader_begin(reader);
    } else {
        millrace_reader_begin_unlisted(&millrace_readers_here);
    }
    millrace_read_begin();
    return reader;
}

/* `reader` is what the begin of the section returned. */
static inline void millrace_lend_end(millrace_reader *_Nullable reader) {
    millrace_read_end();
    if (MILLRACE_LIKELY(reader != NULL)) {
        millrace_reader_end(reader);
    } else {
        millrace_reader_end_unlisted(&millrace_readers_here);
    }
}

/* Writes the numbers of at most `most` threads of the list that are inside a section now. Returns how many it wrote. */
size_t millrace_readers(int32_t *_Nonnull threads, size_t most);

/* Debug builds: stops the program with a message that names `what` if the calling thread is inside a read section.
 * Release builds: does nothing. */
void millrace_assert_outside_read_section(const char *_Nonnull what);

/* Waits until every read section that is open now has ended. Blocks. Must not be called in a read section. */
void millrace_wait_for_readers(void);

/* Waits until every callback that was handed to liburcu before has run. Blocks for up to tens of milliseconds. Must not
 * be called from a callback or in a read section. For tests and orderly ends. */
void millrace_reclaim_barrier(void);

#endif
