/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_source.h"

millrace_source millrace_sources[MILLRACE_SOURCE_COUNT];

/* 1: a thread has taken the entry, and may not have finished it yet. */
static _Atomic uint8_t taken[MILLRACE_SOURCE_COUNT];

uint32_t millrace_source_find(uint32_t first, uint64_t file, uint64_t function, uint64_t packed) {
    for (uint32_t number = first; number < first + MILLRACE_SOURCE_PROBES && number < MILLRACE_SOURCE_COUNT; number++) {
        millrace_source *entry = &millrace_sources[number];
        /* relaxed: one thread wins the entry; what it writes is ordered by `file`. */
        if (!atomic_load_explicit(&taken[number], memory_order_relaxed) &&
            !atomic_exchange_explicit(&taken[number], 1, memory_order_relaxed)) {
            entry->function = function;
            entry->packed = packed;
            MILLRACE_INTERLEAVE();
            /* release: the whole entry before `file` (T1); pairs with the acquire loads. */
            atomic_store_explicit(&entry->file, file, memory_order_release);
            return number;
        }
        /* An entry that another thread has not finished yet is passed over. The same place may then get a second number,
         * which means the same. */
        if (atomic_load_explicit(&entry->file, memory_order_acquire) == file && entry->packed == packed &&
            entry->function == function) {
            return number;
        }
    }
    return MILLRACE_NO_SOURCE;
}
