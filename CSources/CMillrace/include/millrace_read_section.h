/* SPDX-License-Identifier: Apache-2.0
 *
 * Read section: what a thread sees through an RCU-published pointer stays allocated until it leaves the section.
 *
 *   begin, end   any thread, nest freely; wait-free, but the first begin of a thread registers it with liburcu and may
 *                wait for its lock.
 *   ongoing      any thread; for debug checks.
 *   lend_begin   as begin, for a section that runs a user's closure: from its first one on the thread is in a list, so
 *                that it can be named when it stays inside for long. Ended by end.
 *   readers      any thread: the threads of that list that are inside a section now.
 *
 * The caller must not block, park, drain or suspend between begin and end: a grace period of the whole process waits.
 *
 * liburcu-bp offers these two inlines, each shorter than ten lines, to callers under any licence (LGPL-2.1 section 5;
 * the comments in <urcu/static/urcu-bp.h> say so). Called through the library the same pair costs three times as
 * much.
 */
#ifndef MILLRACE_READ_SECTION_H
#define MILLRACE_READ_SECTION_H

#include "millrace_platform.h"

static inline void millrace_read_begin(void) { _urcu_bp_read_lock(); }

static inline void millrace_read_end(void) { _urcu_bp_read_unlock(); }

bool millrace_read_ongoing(void);

/* A thread in the list. Entries are never freed; that of a thread which has ended goes to a new one. */
typedef struct millrace_reader {
    struct millrace_reader *_Nullable next; /* written before the entry is in the list */
    _Atomic int32_t thread;                 /* the system's number; 0: the entry is free */
    const unsigned long *_Nonnull nesting;  /* liburcu's word of the thread; written before `thread` */
} millrace_reader;

/* The thread's own entry. Do not touch directly. */
extern _Thread_local millrace_reader *_Nullable millrace_reader_here;

/* Cold half of lend_begin: a thread's first one. Without memory the thread stays unnamed, and tries again. */
void millrace_reader_enlist(void);

static inline void millrace_lend_begin(void) {
    if (MILLRACE_UNLIKELY(millrace_reader_here == NULL)) {
        millrace_reader_enlist();
    }
    millrace_read_begin();
}

/* Writes the numbers of at most `most` threads that are inside a section now, and returns how many. */
size_t millrace_readers(int32_t *_Nonnull threads, size_t most);

/* Debug builds stop here, naming `what`, when the calling thread is inside a read section. Nothing in release. */
void millrace_assert_outside_read_section(const char *_Nonnull what);

/* Waits until every read section that is open now has ended. Blocks; never in a read section. */
void millrace_wait_for_readers(void);

/* Waits until every callback that was handed to liburcu before has run. Blocks for up to tens of milliseconds; never
 * from a callback or a read section. For tests and orderly ends. */
void millrace_reclaim_barrier(void);

#endif
