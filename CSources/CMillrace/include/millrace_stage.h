/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage: what the consumer is doing with which slot, so that another thread can look at an action while its handler
 * runs, and stop the consumer between two actions. For naming a handler that is stuck.
 *
 *                     enter, leave   attend   inspect..release   ask
 *   enter, leave           X            X            -             -     consumer: wait-free, plain stores and one load
 *   attend                 X            X            -             -     consumer, when leave said so: waits for inspectors
 *   inspect..release       -            -            X             -     any thread, one at a time; inspect makes a system
 *                                                                        call, and the consumer waits for release
 *   ask                    -            -            -             -     any thread: wait-free
 *
 * The handshake (Dekker's, with the barrier on one side as in the doorbell): the consumer clears `word`, then looks at
 * `attention`, and only then takes its slot apart; an inspector sets `attention`, runs a barrier on every core of the
 * process, then looks at `word`. If it finds a slot there, the consumer has not cleared `word` yet, so its look at
 * `attention` comes later and finds the inspector: the slot stays whole until release. Without membarrier nothing can
 * be inspected.
 */
#ifndef MILLRACE_STAGE_H
#define MILLRACE_STAGE_H

#include "millrace_platform.h"

/* What is done with the slot: the low bits of `word`, as slots are aligned to 8 bytes. */
static const uintptr_t MILLRACE_STAGE_HANDLING = 1;
static const uintptr_t MILLRACE_STAGE_REDUCING = 2;
static const uintptr_t MILLRACE_STAGE_EFFECTS = 3;
static const uintptr_t MILLRACE_STAGE_NOTIFYING = 4; /* of no slot: subscribers are told, between two actions */
static const uintptr_t MILLRACE_STAGE_BITS = 7;

/* Bits of `attention`. */
static const uint32_t MILLRACE_ATTENTION_INSPECTED = 1; /* somebody looks at a slot */
static const uint32_t MILLRACE_ATTENTION_ABANDON = 2;   /* stop after the action that runs; the pipeline's meaning */

typedef struct millrace_stage {
    _Atomic uintptr_t word;     /* slot and stage; 0 between two actions */
    _Atomic uint32_t attention; /* looked at after every action; written only when somebody asks */
    uint32_t reserved;
    char pad[MILLRACE_CACHE_LINE - 2 * sizeof(uint64_t)];
} millrace_stage;

/* Consumer: begins a stage of the action in `slot`. */
static inline void millrace_stage_enter(millrace_stage *_Nonnull stage, const void *_Nonnull slot, uintptr_t which) {
    /* release: the slot's content, acquired from its producer; pairs with the load in millrace_stage_inspect. */
    atomic_store_explicit(&stage->word, (uintptr_t)slot | which, memory_order_release);
}

/* Consumer, between two actions: begins or ends a stage of no slot. */
static inline void millrace_stage_between(millrace_stage *_Nonnull stage, uintptr_t which) {
    /* release: as above. */
    atomic_store_explicit(&stage->word, which, memory_order_release);
}

/* Consumer: has finished an action, and has not taken its slot apart yet. True: attend first. */
static inline bool millrace_stage_leave(millrace_stage *_Nonnull stage) {
    atomic_store_explicit(&stage->word, 0, memory_order_release);
    /* The compiler must keep store and load in order; the processor is held to it by the inspector's barrier. */
    atomic_signal_fence(memory_order_seq_cst);
    /* acquire: the looks at the slot of an inspector that has released it already; pairs with millrace_stage_release. */
    return MILLRACE_UNLIKELY(atomic_load_explicit(&stage->attention, memory_order_acquire) != 0);
}

/* Consumer: waits until nobody looks at its slot; returns the bits of `attention` that are left. */
uint32_t millrace_stage_attend(millrace_stage *_Nonnull stage);

/* Any thread: sets a bit, to be found after the action that runs now. For good. */
static inline void millrace_stage_ask(millrace_stage *_Nonnull stage, uint32_t bit) {
    /* seq_cst: before the asker's look at what else may be going on; pairs with the loads of the consumer. */
    atomic_fetch_or_explicit(&stage->attention, bit, memory_order_seq_cst);
}

static inline uint32_t millrace_stage_attention(const millrace_stage *_Nonnull stage) {
    return atomic_load_explicit(&stage->attention, memory_order_seq_cst);
}

/* True while the consumer is in the given stage. For the consumer itself; elsewhere the answer is old. */
static inline bool millrace_stage_is(const millrace_stage *_Nonnull stage, uintptr_t which) {
    return (atomic_load_explicit(&stage->word, memory_order_relaxed) & MILLRACE_STAGE_BITS) == which;
}

/* For the consumer itself: the slot whose action it works on; null between two actions. */
static inline const void *_Nullable millrace_stage_slot(const millrace_stage *_Nonnull stage) {
    /* relaxed: the consumer wrote it. */
    return (const void *)(atomic_load_explicit(&stage->word, memory_order_relaxed) & ~MILLRACE_STAGE_BITS);
}

/* Any thread: where the consumer is, as a number that changes with the slot and the stage; 0 between two actions. Slots
 * are used again: that it is the same as before does not say that the action is. */
static inline uintptr_t millrace_stage_glance(const millrace_stage *_Nonnull stage) {
    return atomic_load_explicit(&stage->word, memory_order_relaxed);
}

/* Any thread, one at a time: the slot whose action is being worked on, and the stage; null when there is none, or it
 * cannot be told. The slot stays whole until release, which must come soon, also after null. */
const void *_Nullable millrace_stage_inspect(millrace_stage *_Nonnull stage, uintptr_t *_Nonnull which);
void millrace_stage_release(millrace_stage *_Nonnull stage);

#endif
