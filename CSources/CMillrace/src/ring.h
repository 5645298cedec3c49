/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations for ring.c, and for ring_file.c, which makes the file.
 */
#ifndef MILLRACE_RING_INTERNAL_H
#define MILLRACE_RING_INTERNAL_H

#include "millrace_clock.h"
#include "millrace_ring.h"

/* Makes a ring in memory (`file` < 0), or in a file of layout->total_bytes zero bytes. The ring then owns the file. */
millrace_result millrace_ring_make(int file, const millrace_ring_layout *layout, uint64_t words, uint64_t capacity,
                                   uint64_t text_bytes, millrace_ring **out);

/* Releases the lock on the file, also for processes that have inherited the descriptor, and closes the file. */
void millrace_ring_close(int file);

/* From here on, a child of fork has a ring of its own, and not the file. */
void millrace_ring_watch(millrace_ring *ring);
void millrace_ring_unwatch(millrace_ring *ring);

/* In a child of fork: replaces the memory of the file by other memory at the same address, without entries, and closes
 * the descriptor. Without memory, a later use of the ring stops the child (SIGSEGV); a child that calls exec needs none. */
void millrace_ring_leave_file(millrace_ring *ring);

#endif
