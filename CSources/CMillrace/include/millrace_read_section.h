/* SPDX-License-Identifier: Apache-2.0
 *
 * Read section: memory that a thread reaches through an RCU-published pointer stays allocated until the thread leaves
 * its section.
 *
 *   begin, end   any thread, may be nested; wait-free, except that the first begin of a thread registers it with
 *                liburcu and may wait for liburcu's lock.
 *   ongoing      any thread; for debug checks.
 *   lend_begin   as begin, for a section that runs a user's closure. It puts the thread into a list, so that a report
 *                can name a thread that stays inside for long. The section is ended by end.
 *   readers      any thread: the threads of that list that are inside a section now.
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

/* An entry of the list. Entries are never freed: a new thread takes over the entry of a thread that has ended. */
typedef struct millrace_reader {
    struct millrace_reader *_Nullable next; /* written before the entry is in the list */
    _Atomic int32_t thread;                 /* its number in the system; 0: the entry is free; -1: being taken over */
    const unsigned long *_Nonnull nesting;  /* liburcu's nesting counter of the thread; written before `thread` */
} millrace_reader;

/* The entry of the current thread. Do not touch directly. */
extern _Thread_local millrace_reader *_Nullable millrace_reader_here;

/* The slow path of lend_begin: adds the thread to the list. Without memory the thread is not in the list, and tries
 * again at its next lend_begin. */
void millrace_reader_enlist(void);

static inline void millrace_lend_begin(void) {
    if (MILLRACE_UNLIKELY(millrace_reader_here == NULL)) {
        millrace_reader_enlist();
    }
    millrace_read_begin();
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
