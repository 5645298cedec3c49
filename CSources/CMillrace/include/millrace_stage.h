/* SPDX-License-Identifier: Apache-2.0
 *
 * Stage: what the consumer is doing, and with which slot. Another thread can inspect an action while its handler runs,
 * and can stop the consumer between two actions. That is how a stuck handler is named.
 *
 *                     enter, leave   attend   inspect..release   ask
 *   begin, enter, leave    X            X            -             -    consumer: wait-free, plain stores and one load
 *   attend                 X            X            -             -    consumer, when leave said so: waits for an
 *                                                                       inspector
 *   inspect..release       -            -            X             -    any thread, one at a time; inspect makes a
 *                                                                       system call, and the consumer waits for release
 *   ask, number            -            -            -             -    any thread: wait-free
 *   take                   X            X            -             -    consumer: wait-free
 *
 * The handshake (Dekker's, with the barrier on one side as in the doorbell): the consumer clears `word`, then looks at
 * `attention`, and only then empties its slot. An inspector sets `attention`, runs a barrier on every core of the
 * process, then looks at `word`. If it finds a slot there, the consumer has not cleared `word` yet. So the consumer
 * looks at `attention` later, finds the inspector, and leaves the slot as it is until release. Without membarrier
 * nothing can be inspected.
 */
#ifndef MILLRACE_STAGE_H
#define MILLRACE_STAGE_H

#include "millrace_platform.h"

/* The stages. They are the low bits of `word`, which are free because slots are aligned to 8 bytes. */
static const uintptr_t MILLRACE_STAGE_HANDLING = 1;
static const uintptr_t MILLRACE_STAGE_REDUCING = 2;
static const uintptr_t MILLRACE_STAGE_EFFECTS = 3;
static const uintptr_t MILLRACE_STAGE_NOTIFYING = 4; /* without a slot: subscribers are called, between two actions */
static const uintptr_t MILLRACE_STAGE_BITS = 7;

/* Bits of `attention`. */
static const uint32_t MILLRACE_ATTENTION_INSPECTED = 1; /* an inspector looks at a slot */
static const uint32_t MILLRACE_ATTENTION_ABANDON = 2;   /* the pipeline stops after the current action */
static const uint32_t MILLRACE_ATTENTION_URGENT = 4;    /* the queue of urgent actions has something */

typedef struct millrace_stage {
    _Atomic uintptr_t word;     /* slot and stage; 0 between two actions */
    _Atomic uint32_t attention; /* read after every action; written only by inspect, release, ask and take */
    uint32_t reserved;
    _Atomic uint64_t number; /* of the current action, or of the one before it between two actions; 0: none yet */
    char pad[MILLRACE_CACHE_LINE - 3 * sizeof(uint64_t)];
} millrace_stage;

/* Consumer: begins an action, with this number and in this slot. */
static inline void millrace_stage_begin(millrace_stage *_Nonnull stage, const void *_Nonnull slot, uint64_t number,
                                        uintptr_t which) {
    /* release: what the consumer did with the actions before; pairs with millrace_stage_number. The number changes only
     * here, so an inspector that finds a slot reads the number of that action. */
    atomic_store_explicit(&stage->number, number, memory_order_release);
    /* release: as in millrace_stage_enter. */
    atomic_store_explicit(&stage->word, (uintptr_t)slot | which, memory_order_release);
}

/* Any thread: the number of the action that the consumer began last. */
static inline uint64_t millrace_stage_number(const millrace_stage *_Nonnull stage) {
    /* acquire: pairs with millrace_stage_begin. */
    return atomic_load_explicit(&stage->number, memory_order_acquire);
}

/* Consumer: begins a further stage of the action in `slot`. */
static inline void millrace_stage_enter(millrace_stage *_Nonnull stage, const void *_Nonnull slot, uintptr_t which) {
    /* release: the content of the slot, which the consumer acquired from its producer; pairs with
     * millrace_stage_inspect. */
    atomic_store_explicit(&stage->word, (uintptr_t)slot | which, memory_order_release);
}

/* Consumer, between two actions: begins a stage without a slot, or ends it (`which` is 0). */
static inline void millrace_stage_between(millrace_stage *_Nonnull stage, uintptr_t which) {
    /* relaxed: there is no slot that an inspector could look at. */
    atomic_store_explicit(&stage->word, which, memory_order_relaxed);
}

/* Consumer: ends the stage of an action, before it empties the slot. Returns true if it must call attend first. */
static inline bool millrace_stage_leave(millrace_stage *_Nonnull stage) {
    /* relaxed: an inspector that reads 0 looks at nothing. */
    atomic_store_explicit(&stage->word, 0, memory_order_relaxed);
    /* The fence keeps the compiler from reordering store and load; for the processor the inspector's barrier does
     * that. */
    atomic_signal_fence(memory_order_seq_cst);
    /* acquire: the reads of an inspector that has already released the slot; pairs with millrace_stage_release. */
    return MILLRACE_UNLIKELY(atomic_load_explicit(&stage->attention, memory_order_acquire) != 0);
}

/* Consumer: waits until no inspector looks at its slot. Returns the bits of `attention` that are left. */
uint32_t millrace_stage_attend(millrace_stage *_Nonnull stage);

/* Any thread: sets a bit of `attention`, which the consumer finds after the current action. Only
 * MILLRACE_ATTENTION_URGENT is ever cleared again, by millrace_stage_take. */
static inline void millrace_stage_ask(millrace_stage *_Nonnull stage, uint32_t bit) {
    /* seq_cst: before the caller's next loads, such as its look at who consumes; pairs with the consumer's loads. */
    atomic_fetch_or_explicit(&stage->attention, bit, memory_order_seq_cst);
}

/* Consumer: clears a bit. Returns whether it was set. */
static inline bool millrace_stage_take(millrace_stage *_Nonnull stage, uint32_t bit) {
    if (!(atomic_load_explicit(&stage->attention, memory_order_relaxed) & bit)) {
        return false;
    }
    /* acquire: the urgent actions of the producers that have set the bit; pairs with millrace_stage_ask. A producer that
     * sets the bit later sets it again, and the consumer finds it at its next look. */
    return atomic_fetch_and_explicit(&stage->attention, ~bit, memory_order_acquire) & bit;
}

static inline uint32_t millrace_stage_attention(const millrace_stage *_Nonnull stage) {
    return atomic_load_explicit(&stage->attention, memory_order_seq_cst);
}

/* Whether the consumer is in the given stage. For the consumer itself: on other threads the answer may be outdated. */
static inline bool millrace_stage_is(const millrace_stage *_Nonnull stage, uintptr_t which) {
    return (atomic_load_explicit(&stage->word, memory_order_relaxed) & MILLRACE_STAGE_BITS) == which;
}

/* For the consumer itself: the slot of the current action; null between two actions. */
static inline const void *_Nullable millrace_stage_slot(const millrace_stage *_Nonnull stage) {
    /* relaxed: the calling thread wrote it. */
    return (const void *)(atomic_load_explicit(&stage->word, memory_order_relaxed) & ~MILLRACE_STAGE_BITS);
}

/* Any thread: a number that changes with the slot and the stage of the consumer; 0 between two actions. Slots are used
 * again, so an equal number does not mean the same action. */
static inline uintptr_t millrace_stage_glance(const millrace_stage *_Nonnull stage) {
    return atomic_load_explicit(&stage->word, memory_order_relaxed);
}

/* Any thread, one at a time: returns the slot of the current action, and its stage in `which`. Returns null if there is
 * no current action, or if the system refuses membarrier. The slot is not emptied until release. The caller must call
 * release soon, also after null, as the consumer waits for it. */
const void *_Nullable millrace_stage_inspect(millrace_stage *_Nonnull stage, uintptr_t *_Nonnull which);
void millrace_stage_release(millrace_stage *_Nonnull stage);

#endif
