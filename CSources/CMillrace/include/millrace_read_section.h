/* SPDX-License-Identifier: Apache-2.0
 *
 * Read section: what a thread sees through an RCU-published pointer stays allocated until it leaves the section.
 *
 *   begin, end   any thread, nest freely; wait-free, but the first begin of a thread registers it with liburcu and may
 *                wait for its lock.
 *   ongoing      any thread; for debug checks.
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

/* Debug builds stop here, naming `what`, when the calling thread is inside a read section. Nothing in release. */
void millrace_assert_outside_read_section(const char *_Nonnull what);

/* Waits until every read section that is open now has ended. Blocks; never in a read section. */
void millrace_wait_for_readers(void);

/* Waits until every callback that was handed to liburcu before has run. Blocks for up to tens of milliseconds; never
 * from a callback or a read section. For tests and orderly ends. */
void millrace_reclaim_barrier(void);

#endif
