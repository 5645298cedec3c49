/* SPDX-License-Identifier: Apache-2.0
 *
 * Source table: gives each place in the code that dispatches actions a small number. So a slot holds 4 bytes instead of
 * the 32 bytes of the place. The process has one table. An entry is written once and never changes.
 *
 *             number   at
 *   number      -       -    any thread: lock-free; about ten instructions if the first entry is that of the place
 *   at          -       -    any thread: wait-free
 *
 * A thread looks for a place by its hash, then by linear probing, in at most MILLRACE_SOURCE_PROBES entries. If other
 * places have taken all of these, the place gets no number: the slot then refers to a copy of the whole source. A
 * program has a few hundred places, unless it makes up line numbers at run time.
 *
 * Invariant T1: a thread that has the number of an entry sees the whole entry. The thread that makes an entry stores
 * `file` last, and `file` is not 0.
 */
#ifndef MILLRACE_SOURCE_H
#define MILLRACE_SOURCE_H

#include "millrace_platform.h"

/* The layout of Swift's ActionSource. `none` is at the place of its `text`, which is nil here: so it stays 0. */
typedef struct millrace_source {
    _Atomic uint64_t file; /* 0: no entry yet */
    uint64_t function;
    uint64_t packed;
    uint64_t none;
} millrace_source;

_Static_assert(sizeof(millrace_source) == 32, "an entry must have the size of Swift's ActionSource");

#ifdef MILLRACE_TINY /* for the memory-model checker: threads meet at the same entries */
#define MILLRACE_SOURCE_BITS 1
#define MILLRACE_SOURCE_PROBES 2
#else
#define MILLRACE_SOURCE_BITS 12
#define MILLRACE_SOURCE_PROBES 16
#endif
#define MILLRACE_SOURCE_COUNT (((uint32_t)1 << MILLRACE_SOURCE_BITS) + MILLRACE_SOURCE_PROBES)

/* Returned for a place that has no number. */
#define MILLRACE_NO_SOURCE UINT32_MAX

extern millrace_source millrace_sources[MILLRACE_SOURCE_COUNT];

/* The slow path of millrace_source_number: looks for the place from entry `first` on, or makes an entry. */
uint32_t millrace_source_find(uint32_t first, uint64_t file, uint64_t function, uint64_t packed);

/* Returns the number of a place; MILLRACE_NO_SOURCE if other places have taken all entries that it may have. */
static inline uint32_t millrace_source_number(uint64_t file, uint64_t function, uint64_t packed) {
    /* The factor is 2^64 divided by the golden ratio: it gives neighbouring lines of a file distant entries. */
    uint64_t hash = (file + packed) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t first = (uint32_t)(hash >> (64 - MILLRACE_SOURCE_BITS));
    const millrace_source *entry = &millrace_sources[first];
    /* acquire: the rest of the entry (T1); pairs with the store in millrace_source_find. */
    if (MILLRACE_LIKELY(atomic_load_explicit(&entry->file, memory_order_acquire) == file && entry->packed == packed &&
                        entry->function == function)) {
        return first;
    }
    return millrace_source_find(first, file, function, packed);
}

/* Returns the entry with this number. The thread has the number from millrace_source_number, or it has acquired the
 * number that another thread released (T1). */
static inline const void *_Nonnull millrace_source_at(uint32_t number) { return &millrace_sources[number]; }

#endif
