/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the allocations of this process on all threads. The executable defines malloc, calloc, realloc, aligned_alloc,
 * memalign and posix_memalign itself: they replace the functions of glibc and call them. While counting is off, each
 * call costs one predictable branch more, so that timed runs are not distorted.
 *
 *   call                   who may call it
 *   malloc_count_start     one thread; not nested
 *   malloc_count_stop      the thread that called malloc_count_start
 *
 * A realloc counts as one allocation, a free as none. Allocations that other threads make during either call may or may
 * not be counted.
 */
#ifndef C_MALLOC_COUNT_H
#define C_MALLOC_COUNT_H

#include <stdint.h>

/* Sets the count to 0 and starts counting. */
void malloc_count_start(void);

/* Stops counting, and returns the number of allocations since malloc_count_start. */
uint64_t malloc_count_stop(void);

/* Returns the name of the allocator that is called, for example "glibc 2.36". */
const char *_Nonnull malloc_count_allocator(void);

#endif
