/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_stage.h"

#include "membarrier.h"

#include <sched.h>

uint32_t millrace_stage_attend(millrace_stage *stage) {
    uint32_t attention;
    /* acquire: the inspector's last read of the slot; pairs with millrace_stage_release. */
    while ((attention = atomic_load_explicit(&stage->attention, memory_order_acquire)) & MILLRACE_ATTENTION_INSPECTED) {
        sched_yield();
    }
    return attention;
}

const void *millrace_stage_inspect(millrace_stage *stage, uintptr_t *which) {
    /* relaxed: the barrier orders it before the look at `word`. */
    atomic_fetch_or_explicit(&stage->attention, MILLRACE_ATTENTION_INSPECTED, memory_order_relaxed);
    MILLRACE_INTERLEAVE();
    if (!millrace_membarrier()) {
        return NULL;
    }
    /* acquire: the slot's content; pairs with millrace_stage_enter. */
    uintptr_t word = atomic_load_explicit(&stage->word, memory_order_acquire);
    *which = word & MILLRACE_STAGE_BITS;
    return (const void *)(word & ~MILLRACE_STAGE_BITS);
}

void millrace_stage_release(millrace_stage *stage) {
    /* release: the inspector's reads of the slot; pairs with millrace_stage_attend. */
    atomic_fetch_and_explicit(&stage->attention, ~MILLRACE_ATTENTION_INSPECTED, memory_order_release);
}
