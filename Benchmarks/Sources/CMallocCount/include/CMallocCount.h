/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the allocations of this process, on every thread: the executable's own malloc, calloc, realloc, aligned_alloc,
 * memalign and posix_memalign take the place of glibc's and call it. While counting is off they cost one predictable
 * branch, so that they do not distort timed runs.
 *
 *   call                   who may call it
 *   malloc_count_start     one thread; not nested
 *   malloc_count_stop      the thread that started
 *
 * A realloc counts as one, a free as none. Allocations in flight on other threads at either call may or may not be counted.
 */
#ifndef C_MALLOC_COUNT_H
#define C_MALLOC_COUNT_H

#include <stdint.h>

/* Sets the count to 0 and begins. */
void malloc_count_start(void);

/* Ends, and returns the number of allocations since the start. */
uint64_t malloc_count_stop(void);

/* The allocator that does the work, as text: "glibc 2.36". */
const char *_Nonnull malloc_count_allocator(void);

#endif
