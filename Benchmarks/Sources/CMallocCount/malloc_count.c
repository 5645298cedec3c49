/* SPDX-License-Identifier: Apache-2.0 */
#include "CMallocCount.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>

/* Relaxed everywhere: neither variable orders other memory, and the count is read when the measured threads are idle.
 * Each has a cache line of its own, so that `counting` stays in the cache during a timed run. */
static _Alignas(64) _Atomic bool counting;
static _Alignas(64) _Atomic uint64_t count;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *old);

static inline void count_one(void) {
    if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count_one();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count_one();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    count_one();
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) {
        return ENOMEM;
    }
    *result = memory;
    return 0;
}

void free(void *old) { __libc_free(old); }

void malloc_count_start(void) {
    atomic_store_explicit(&count, 0, memory_order_relaxed);
    atomic_store_explicit(&counting, true, memory_order_relaxed);
}

uint64_t malloc_count_stop(void) {
    atomic_store_explicit(&counting, false, memory_order_relaxed);
    return atomic_load_explicit(&count, memory_order_relaxed);
}

const char *malloc_count_allocator(void) {
    static char text[32];
    snprintf(text, sizeof text, "glibc %s", gnu_get_libc_version());
    return text;
}
#else
#error "The benchmarks count allocations through glibc's __libc_malloc: they run on Linux with glibc only"
#endif
