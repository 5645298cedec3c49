/* SPDX-License-Identifier: Apache-2.0
 *
 * Source table: gives each place in the code that dispatches actions a small number, so that a slot holds 4 bytes instead
 * of the 32 bytes of the place. One table for the process. An entry is written once and never changes.
 *
 *             number   at
 *   number      -       -    any thread: lock-free; about ten instructions for a place that is in the table
 *   at          -       -    any thread: wait-free
 *
 * A place is found by hashing and linear probing, up to MILLRACE_SOURCE_PROBES entries. A place that finds all of them
 * taken gets no number: the slot then refers to a copy of the whole source. A program has some hundred places, unless it
 * makes up line numbers at run time.
 *
 * Invariant T1: a thread that gets the number of an entry sees the whole entry. `file` is not 0 in a finished entry, and
 * is stored last.
 */
#ifndef MILLRACE_SOURCE_H
#define MILLRACE_SOURCE_H

#include "millrace_platform.h"

/* The layout of Swift's ActionSource. `none` stays 0. */
typedef struct millrace_source {
    _Atomic uint64_t file; /* 0: no entry yet */
    uint64_t function;
    uint64_t packed;
    uint64_t none;
} millrace_source;

_Static_assert(sizeof(millrace_source) == 32, "Swift reads an ActionSource here");

#define MILLRACE_SOURCE_BITS 12
#define MILLRACE_SOURCE_PROBES 16
#define MILLRACE_SOURCE_COUNT (((uint32_t)1 << MILLRACE_SOURCE_BITS) + MILLRACE_SOURCE_PROBES)

/* Returned for a place that has no number. */
#define MILLRACE_NO_SOURCE UINT32_MAX

extern millrace_source millrace_sources[MILLRACE_SOURCE_COUNT];

/* The slow path of number: looks further, or makes an entry. */
uint32_t millrace_source_find(uint32_t first, uint64_t file, uint64_t function, uint64_t packed);

/* The number of a place; MILLRACE_NO_SOURCE if the table has no room for it. */
static inline uint32_t millrace_source_number(uint64_t file, uint64_t function, uint64_t packed) {
    /* Multiples of the golden ratio: neighbouring lines of one file get entries far from each other. */
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

/* The entry with this number, which a thread got from another one with acquire and release. */
static inline const void *_Nonnull millrace_source_at(uint32_t number) { return &millrace_sources[number]; }

#endif
