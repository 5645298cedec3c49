/* SPDX-License-Identifier: Apache-2.0
 *
 * Queue: an unbounded multi-producer, single-consumer queue, first in first out. Slots have a fixed stride and hold the
 * actions in place.
 *
 * X = the caller must exclude the pair; - = any threads may run both at once, without a lock. Consumer = the one thread
 * that consumes at present.
 *
 *                   [1] [2] [3] [4] [5] [6]
 *   [1] claim        -   -   -   -   -   X    producer, in a read section: lock-free; one fetch-add, rarely more
 *   [2] publish      -   -   -   -   -   X    producer, same section: wait-free; one system call if it wakes a sleeper
 *   [3] front, pop   -   -   X   X   -   X    consumer: wait-free; front fails while the oldest claim is unpublished,
 *                                             and then a window may go on behind it (millrace_window.h)
 *   [4] trim         -   -   X   X   -   X    consumer: gives memory back to the system
 *   [5] counters     -   -   -   -   -   X    any thread: wait-free; exact while no thread is in [1]..[4]
 *   [6] destroy      X   X   X   X   X   X    after the last producer and consumer have gone
 *
 * A producer:   millrace_read_begin(); claim; move its value into each slot; publish each; millrace_read_end()
 *   Between claim and publish the producer runs no code but the move: only in a window does the consumer go on behind a
 *   claimed slot.
 * The consumer: while (front) { use and empty the slot; pop; }  millrace_queue_report(); now and then. If it opens
 *   windows: pop_handled for a slot with MILLRACE_SLOT_HANDLED.
 *
 * Order: one total order, the order of the claims, except for slots that a window hands out early (W1). Two claims of
 * one thread keep their order. So do the slots of one run of actions, if the producer publishes them in order; also when
 * the run continues in the next segment (slots of other producers may then be in between).
 *
 * Segments. Slots are in segments, whose memory comes from mmap. `tail` points to the segment in which producers claim:
 * a claim is one fetch-add on its `claimed`. A producer that gets an index beyond the capacity of the segment takes the
 * slow path: it adds itself to `linkers`, loads `tail` again, links the next segment (or finds it linked), and claims
 * there. The consumer reuses a drained segment at once if no producer is on the slow path. So a queue whose consumer
 * keeps up uses two or three segments, which stay in the cache. An action then costs half of what it costs with
 * recycling after a grace period (liburcu's worker ends grace periods every 10 ms).
 *
 * Invariants; Q1 to Q5 are also rows of docs/invariants.md:
 * Q1 (free): the memory of a segment goes back to the system only after a grace period that began when the segment was
 *   neither linked nor in the stack of spares. So a producer may touch `claimed` of the segment that it loaded from
 *   `tail` until its read section ends, whatever has happened to that segment.
 * Q2 (reuse): only the consumer makes a segment a spare, and only after three steps: all slots of the segment were
 *   popped, `tail` was moved past it, and then `linkers` was seen to be 0. So a producer on the slow path may follow,
 *   link and compare-and-swap every segment that it reached from `tail` and every spare that it saw: none of them is
 *   recycled meanwhile.
 * Q3 (opening): a segment is linked shut: the top bit of `claimed` is set, so that every index is beyond the capacity.
 *   A thread on the slow path opens it, coming from a segment that is full. The pointer of a producer on the fast path
 *   may be stale. Such a producer gets either an index of an open segment, which is the right place in the order, or an
 *   index beyond the capacity, and then starts again on the slow path.
 * Q4 (stamp): the ready word of a published slot holds (position + 1) << 4 | flags. Positions never repeat, so a
 *   segment needs no clearing before it is used again: an old word in a slot cannot be mistaken for a publication.
 * Q5 (chain): base of a segment = base + capacity of the segment before it; `tail` only moves along `next`.
 */
#ifndef MILLRACE_QUEUE_H
#define MILLRACE_QUEUE_H

#include "millrace_baton.h"
#include "millrace_doorbell.h"
#include "millrace_platform.h"
#include "millrace_read_section.h"
#include "millrace_window.h"

/* A slot: this header, then the action at the queue's payload_offset. `source`, `origin`, `link` and `extra` are opaque to
 * the core: Slot.swift says what they hold. In a message slot `link` holds the message. */
typedef struct millrace_slot {
    _Atomic uint64_t ready; /* the stamp of Q4 */
    uint32_t source;        /* number of the source in the table of millrace_source.h */
    uint32_t origin;
    uint64_t link;
    uint64_t extra;
} millrace_slot;

_Static_assert(sizeof(millrace_slot) == 32, "the slot header is 32 bytes");
_Static_assert(offsetof(millrace_slot, source) == 8 && offsetof(millrace_slot, origin) == 12 &&
                   offsetof(millrace_slot, link) == 16 && offsetof(millrace_slot, extra) == 24,
               "Swift writes at these offsets");

/* Flags of a ready word. MESSAGE: the slot holds no action; `link` holds a message for the pipeline. BEYOND_CAPACITY:
 * the capacity does not apply to the action, so the overflow policy neither rejects nor drops it. MEASURED: a probe is
 * told about the action, and `extra` holds the ticks at its dispatch. */
#define MILLRACE_SLOT_FLAG_BITS 4
#define MILLRACE_SLOT_MESSAGE ((uint64_t)1)
#define MILLRACE_SLOT_BEYOND_CAPACITY ((uint64_t)2)
#define MILLRACE_SLOT_MEASURED ((uint64_t)4)
/* The consumer has handled the action in a window (millrace_window.h): the slot is empty. */
#define MILLRACE_SLOT_HANDLED ((uint64_t)8)

typedef struct millrace_segment {
    /* Constant until the memory is unmapped. */
    uint64_t capacity; /* slots */
    size_t bytes;
    /* Written before the segment is opened, constant while any of its slots is in use. */
    _Atomic uint64_t base; /* position of its first slot; relaxed, as `claimed` orders it */
    /* The next spare, or the next segment in a list of the consumer. Relaxed: a thread that follows it has acquired the
     * head of the list, and the compare-and-swap that comes next fails if the value is outdated. */
    _Atomic(struct millrace_segment *) below;
    _Atomic(struct millrace_segment *) next;
    void *_Nullable rcu[2]; /* used by liburcu while the segment waits for a grace period */
    uint64_t reserved;
    /* On a cache line of its own, as every producer writes it. A value above the capacity means "full", and may grow
     * further. */
    _Atomic uint64_t claimed;
    char pad[MILLRACE_CACHE_LINE - sizeof(uint64_t)];
} millrace_segment;

/* In `claimed`: the segment is linked, but not opened yet (Q3). */
#define MILLRACE_SEGMENT_SHUT ((uint64_t)1 << 63)

_Static_assert(sizeof(millrace_segment) == 2 * MILLRACE_CACHE_LINE, "two lines: constants, and the claims");
_Static_assert(offsetof(millrace_segment, claimed) == MILLRACE_CACHE_LINE, "claims on a line of their own");

static inline uint64_t millrace_segment_base(const millrace_segment *_Nonnull segment) {
    return atomic_load_explicit(&segment->base, memory_order_relaxed);
}

/* Maps the memory of a segment. Tests pass a function that fails. */
typedef void *_Nullable (*millrace_map_function)(size_t bytes);

typedef struct millrace_queue {
    /* Line 0: read by all threads, constant except `mode`. */
    size_t stride;
    size_t payload_offset;
    size_t slots_offset;
    size_t first_bytes;
    size_t largest_bytes;
    millrace_map_function _Nonnull map;
    _Atomic uint32_t mode; /* MILLRACE_MODE bits */
    uint32_t reserved0;
    uint64_t reserved1;
    /* Line 1: for producers. The fast path of a claim loads only `tail`. */
    _Atomic(millrace_segment *) tail;
    _Atomic uint64_t linkers;             /* threads on the slow path, or in millrace_queue_claimed (Q2) */
    _Atomic(millrace_segment *) spares;   /* stack; the consumer pushes, the slow path pops */
    _Atomic uint64_t spare_count;         /* number of spares; orders nothing */
    _Atomic(millrace_segment *) rejected; /* stack of segments that lost a race to be linked; the consumer takes all */
    _Atomic uint64_t link_bytes;          /* size of the next segment to be mapped; a hint */
    _Atomic uint64_t mapped;              /* segments that do not wait for a grace period; a statistic */
    char pad1[MILLRACE_CACHE_LINE - 7 * sizeof(uint64_t)];
    /* Line 2: touched by the consumer only. */
    unsigned char *_Nonnull head_slot; /* the next slot */
    unsigned char *_Nonnull head_end;  /* end of the head segment's usable slots */
    uint64_t stamp;                    /* the ready word of head_slot once it is published, without flags (Q4) */
    millrace_segment *_Nonnull head;
    millrace_segment *_Nullable drained; /* segments behind the head that are not spares yet */
    uint64_t unused;    /* positions that trim took out of use at the end of the head, and window.ahead */
    uint64_t head_base; /* position of the first slot of the head */
    uint64_t gap_stamp; /* the stamp at which is_stalled has returned true last */
    /* Line 3: what the consumer reports to other threads, once a batch. */
    _Atomic uint64_t consumed; /* slots popped, in windows, too, and positions that will never be used */
    _Atomic uint64_t skipped;  /* positions that trim took out of use: they never held an action */
    _Atomic uint64_t cuts;     /* odd while trim takes positions out of use and has not reported them in `consumed` */
    /* On the same line, but for the consumer only, at the end of a segment: see millrace_segment_drain. */
    uint64_t spare_limit;   /* the most spares to keep */
    uint64_t fewest_spares; /* the smallest number of spares since `drained_count` was 0 */
    uint64_t drained_count; /* segments drained since the limit was last looked at */
    uint64_t retired;       /* segments that were given to liburcu */
    uint64_t known_maps;    /* segments that had been mapped at the last look */
    /* Line 4: loaded by every producer, written when the consumer goes to sleep. */
    millrace_doorbell bell;
    char pad4[MILLRACE_CACHE_LINE - sizeof(millrace_doorbell)];
    /* The other lines: touched by the consumer only, while a producer is stopped between claim and publish. */
    millrace_window window;
    uint64_t consumer_thread; /* debug builds: the thread that consumes, 0 = none */
    char pad5[MILLRACE_CACHE_LINE - (sizeof(millrace_window) + sizeof(uint64_t)) % MILLRACE_CACHE_LINE];
} millrace_queue;

_Static_assert(sizeof(millrace_queue) % MILLRACE_CACHE_LINE == 0, "whole lines");
_Static_assert(offsetof(millrace_queue, tail) == 1 * MILLRACE_CACHE_LINE, "producers' line");
_Static_assert(offsetof(millrace_queue, head_slot) == 2 * MILLRACE_CACHE_LINE, "consumer's line");
_Static_assert(offsetof(millrace_queue, consumed) == 3 * MILLRACE_CACHE_LINE, "the consumer's reports");
_Static_assert(offsetof(millrace_queue, bell) == 4 * MILLRACE_CACHE_LINE, "doorbell");
_Static_assert(offsetof(millrace_queue, window) == 5 * MILLRACE_CACHE_LINE, "window");

/* Bits of `mode`, which a producer loads once for each action. The queue itself does not interpret them. */
#define MILLRACE_MODE_CLOSED ((uint32_t)1)   /* no actions from outside are accepted */
#define MILLRACE_MODE_STAMPING ((uint32_t)2) /* producers set the flag and the time of one slot in 2^n */
#define MILLRACE_MODE_RATE_AT 8              /* where the bits of n begin */
#define MILLRACE_MODE_RATE ((uint32_t)0x1f00)

typedef struct millrace_queue_options {
    size_t action_size;
    size_t action_alignment; /* a power of two, at most 4096 */
    size_t first_bytes;      /* size of the first segment; 0 = 16 KB */
    size_t largest_bytes;    /* segment sizes double up to this; 0 = 1 MB */
    millrace_map_function _Nullable map;
} millrace_queue_options;

/* A run of slots that a producer has claimed. */
typedef struct millrace_claim {
    unsigned char *_Nullable slot; /* the first slot; the others follow at the stride */
    uint64_t position;             /* of the first slot */
    uint64_t count;                /* at least 1; if less than asked for, claim again for the rest */
} millrace_claim;

/* Returns MILLRACE_INVALID_ARGUMENT if the alignment is not a power of two up to 4096, or if the sizes overflow. */
millrace_result millrace_queue_create(millrace_queue_options options, millrace_queue *_Nullable *_Nonnull out);

/* Calls `visit` with every published slot that was not popped, oldest first, then frees everything. `visit` must empty
 * the slot. */
void millrace_queue_destroy(millrace_queue *_Nonnull queue,
                            void (*_Nullable visit)(unsigned char *_Nonnull slot, void *_Nullable context),
                            void *_Nullable context);

/* The slow path of claim: the segment loaded from `tail` is full, shut or stale. */
millrace_result millrace_queue_claim_slowly(millrace_queue *_Nonnull queue, uint64_t count,
                                            millrace_claim *_Nonnull out);

/* Claims up to `count` indexes of the tail segment. Returns false if the segment is full, shut or stale. */
static inline bool millrace_queue_claim_here(millrace_queue *_Nonnull queue, uint64_t count,
                                             millrace_segment *_Nonnull *_Nonnull out, uint64_t *_Nonnull first) {
    /* acquire: the segment's constants; pairs with the compare-and-swaps on `tail`. At the next line the pointer may
     * already be stale, which Q1 and Q3 make harmless. */
    millrace_segment *segment = atomic_load_explicit(&queue->tail, memory_order_acquire);
    MILLRACE_INTERLEAVE();
    /* The linearisation point of the order. acquire: `base`, and the emptied slots if the segment was used before;
     * pairs with the opening (open_segment in queue.c). `capacity` never changes. release: the progress of the consumer
     * that this producer has seen. A thread that counts the claim then counts that progress, too; pairs with the loads
     * of `claimed` for the depth. seq_cst: before this producer's look at `sleeping` or `held`; pairs with the consumer's
     * second look for a gap. */
    uint64_t index = atomic_fetch_add_explicit(&segment->claimed, count, memory_order_seq_cst);
    MILLRACE_INTERLEAVE();
    if (MILLRACE_UNLIKELY(index >= segment->capacity)) {
        return false;
    }
    *out = segment;
    *first = index;
    return true;
}

static inline unsigned char *_Nonnull millrace_queue_slot(const millrace_queue *_Nonnull queue,
                                                          millrace_segment *_Nonnull segment, uint64_t index) {
    return (unsigned char *)segment + queue->slots_offset + index * queue->stride;
}

/* Claims between 1 and `count` consecutive slots. To be called in a read section. MILLRACE_OUT_OF_MEMORY: nothing was
 * claimed. */
static inline millrace_result millrace_queue_claim(millrace_queue *_Nonnull queue, uint64_t count,
                                                   millrace_claim *_Nonnull out) {
    millrace_segment *segment;
    uint64_t index;
    if (!millrace_queue_claim_here(queue, count, &segment, &index)) {
        return millrace_queue_claim_slowly(queue, count, out);
    }
    uint64_t left = segment->capacity - index;
    out->slot = millrace_queue_slot(queue, segment, index);
    out->position = millrace_segment_base(segment) + index;
    out->count = count < left ? count : left;
    return MILLRACE_OK;
}

/* The same for one slot; null if there is no memory. Its results stay in registers: the address of `position` goes to no
 * other function. */
static inline unsigned char *_Nullable millrace_queue_claim_one(millrace_queue *_Nonnull queue,
                                                                uint64_t *_Nonnull position) {
    millrace_segment *segment;
    uint64_t index;
    if (MILLRACE_LIKELY(millrace_queue_claim_here(queue, 1, &segment, &index))) {
        *position = millrace_segment_base(segment) + index;
        unsigned char *slot = millrace_queue_slot(queue, segment, index);
        MILLRACE_ASSUME(slot != NULL);
        return slot;
    }
    millrace_claim claim;
    if (millrace_queue_claim_slowly(queue, 1, &claim) != MILLRACE_OK) {
        return NULL;
    }
    *position = claim.position;
    return claim.slot;
}

/* Publishes one slot of a claim, and rings the doorbell if the consumer sleeps. `position` is that of this slot. */
static inline void millrace_queue_publish(millrace_queue *_Nonnull queue, unsigned char *_Nonnull slot,
                                          uint64_t position, uint64_t flags) {
    /* release or stronger: the slot's content before its stamp; pairs with the acquire load in millrace_queue_front. */
    millrace_doorbell_publish(&queue->bell, &((millrace_slot *)(void *)slot)->ready,
                              (position + 1) << MILLRACE_SLOT_FLAG_BITS | flags);
}

/* Publishes one slot of a claim without looking at the doorbell. To publish a run, a producer uses this function for
 * all slots but one, and publishes the remaining slot by millrace_queue_publish, last in time. In the Swift store that
 * is the last slot: then the consumer can begin while the run is being written, and may open windows. Its look before it
 * sleeps must then be millrace_queue_has_ready_behind: it sees the claim, and behind unpublished slots the one that was
 * published last. The slot at the head alone may be one that this function publishes, which C11 does not order with the
 * producer's look at `sleeping` (x86-64 and arm64 do). */
static inline void millrace_queue_publish_quietly(unsigned char *_Nonnull slot, uint64_t position, uint64_t flags) {
    /* release: as in millrace_queue_publish. */
    atomic_store_explicit(&((millrace_slot *)(void *)slot)->ready, (position + 1) << MILLRACE_SLOT_FLAG_BITS | flags,
                          memory_order_release);
}

/* The slow path of front: moves to the next segment, and makes the old head a spare or frees it. Returns false if there
 * is no next segment yet. */
bool millrace_queue_advance(millrace_queue *_Nonnull queue);

/* Consumer: the position of the next slot that front returns. */
static inline uint64_t millrace_queue_position(const millrace_queue *_Nonnull queue) {
    return (queue->stamp >> MILLRACE_SLOT_FLAG_BITS) - 1;
}

/* Consumer: returns the oldest slot and its flags, or null if it is not published. */
static inline unsigned char *_Nullable millrace_queue_front_flags(millrace_queue *_Nonnull queue,
                                                                  uint64_t *_Nonnull flags) {
    if (MILLRACE_UNLIKELY(queue->head_slot == queue->head_end) && !millrace_queue_advance(queue)) {
        return NULL;
    }
    unsigned char *slot = queue->head_slot;
    /* acquire: the stamp before the slot's content; pairs with millrace_queue_publish. */
    uint64_t ready = atomic_load_explicit(&((millrace_slot *)(void *)queue->head_slot)->ready, memory_order_acquire);
    /* What is left of the stamp of this position; any other word leaves more than the flags. */
    uint64_t rest = ready - queue->stamp;
    *flags = rest;
    MILLRACE_ASSUME(slot != NULL);
    return rest >> MILLRACE_SLOT_FLAG_BITS == 0 ? slot : NULL;
}

/* Consumer: returns the oldest slot, or null if it is not published. */
static inline unsigned char *_Nullable millrace_queue_front(millrace_queue *_Nonnull queue) {
    uint64_t flags;
    return millrace_queue_front_flags(queue, &flags);
}

/* The flags of a published slot. */
static inline uint64_t millrace_slot_flags(const unsigned char *_Nonnull slot) {
    /* relaxed: front has acquired this very word. */
    return atomic_load_explicit(&((const millrace_slot *)(const void *)slot)->ready, memory_order_relaxed) &
           (((uint64_t)1 << MILLRACE_SLOT_FLAG_BITS) - 1);
}

/* Whether a published slot carries a message instead of an action. */
static inline bool millrace_slot_is_message(const unsigned char *_Nonnull slot) {
    return millrace_slot_flags(slot) & MILLRACE_SLOT_MESSAGE;
}

/* Consumer: moves past the slot that front returned. The content of the slot must have been moved out. */
static inline void millrace_queue_pop(millrace_queue *_Nonnull queue) {
    queue->head_slot += queue->stride;
    queue->stamp += (uint64_t)1 << MILLRACE_SLOT_FLAG_BITS;
}

/* Consumer: moves past the slot that front returned, which has the flag MILLRACE_SLOT_HANDLED. */
static inline void millrace_queue_pop_handled(millrace_queue *_Nonnull queue) {
    queue->window.ahead -= 1;
    queue->unused -= 1;
    millrace_queue_pop(queue);
}

/* Consumer, outside a window: the number of slots popped, in windows, too, and of positions that will never be used. */
static inline uint64_t millrace_queue_passed(const millrace_queue *_Nonnull queue) {
    return millrace_queue_position(queue) + queue->unused;
}

/* Consumer: the position of the oldest slot, also while a window is open. */
static inline uint64_t millrace_queue_oldest_position(const millrace_queue *_Nonnull queue) {
    uint64_t stamp = queue->window.oldest_slot ? queue->window.oldest_stamp : queue->stamp;
    return (stamp >> MILLRACE_SLOT_FLAG_BITS) - 1;
}

/* As millrace_queue_passed, but also right while a window is open. */
static inline uint64_t millrace_queue_finished(const millrace_queue *_Nonnull queue) {
    uint64_t first = queue->window.oldest_slot ? queue->window.first_stamp : queue->stamp;
    return millrace_queue_oldest_position(queue) + queue->unused + ((queue->stamp - first) >> MILLRACE_SLOT_FLAG_BITS);
}

/* Consumer: whether front would return a slot. For the second look in the handshakes of the doorbell and the baton. */
bool millrace_queue_has_ready(millrace_queue *_Nonnull queue);

/* A consumer that holds a baton: reports its progress, gives the baton back, and looks at the queue once more. Returns
 * true if there may be a slot that no consumer has seen: the caller then tries to take the baton again. */
bool millrace_queue_hand_over(millrace_queue *_Nonnull queue, millrace_baton *_Nonnull baton);

/* Consumer: whether the oldest slot is claimed and not published yet, so that some producer is between claim and
 * publish. Outside a window. */
bool millrace_queue_is_stalled(millrace_queue *_Nonnull queue);

/* Consumer: whether is_stalled has returned true for the oldest slot. Outside a window. */
static inline bool millrace_queue_has_gap(const millrace_queue *_Nonnull queue) {
    return queue->gap_stamp == queue->stamp;
}

/* Consumer: skips the oldest slot if it was claimed and is not published. Returns whether it was skipped. Only after the
 * last producer has gone: then a producer has ended between claim and publish, and the slot stays empty for ever. */
bool millrace_queue_drop_unpublished(millrace_queue *_Nonnull queue);

/* Consumer: reports its progress to other threads. Once a batch. */
static inline void millrace_queue_report(millrace_queue *_Nonnull queue) {
    /* relaxed: a number that never falls. No thread reads a slot because it has read this number. */
    atomic_store_explicit(&queue->consumed, millrace_queue_passed(queue), memory_order_relaxed);
}

/* Consumer: whether the queue keeps more spares than it needs while the consumer keeps up, so that a trim is
 * worthwhile. */
static inline bool millrace_queue_is_bloated(const millrace_queue *_Nonnull queue) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&queue->spare_count, memory_order_relaxed) >= 4;
}

/* Consumer, when idle: gives the spares back to the system, and ends a head segment that is larger than the first size,
 * so that an idle queue holds one small segment. Costs a few microseconds. Producers may claim during the call. */
void millrace_queue_trim(millrace_queue *_Nonnull queue);

/* As millrace_queue_report, with a barrier: afterwards the consumer sees every waiter for room that showed that it
 * waits before it loaded `consumed`. */
static inline void millrace_queue_report_fully(millrace_queue *_Nonnull queue) {
    /* seq_cst: before the consumer looks for waiters; pairs with a waiter's load of `consumed` after it has shown that
     * it waits. */
    atomic_store_explicit(&queue->consumed, millrace_queue_passed(queue), memory_order_seq_cst);
}

/* Debug builds: between enter and leave this thread is the consumer. A second consumer stops the program with a message
 * that names both threads. Release builds: does nothing. */
void millrace_queue_consumer_enter(millrace_queue *_Nonnull queue);
void millrace_queue_consumer_leave(millrace_queue *_Nonnull queue);

/* Any thread: the number of positions that were claimed, consumed, and taken out of use, since the queue was made. */
uint64_t millrace_queue_claimed(millrace_queue *_Nonnull queue);
static inline uint64_t millrace_queue_consumed(const millrace_queue *_Nonnull queue) {
    /* seq_cst: in a waiter for room it comes after the store by which the waiter shows that it waits. */
    return atomic_load_explicit(&queue->consumed, memory_order_seq_cst);
}
static inline uint64_t millrace_queue_skipped(const millrace_queue *_Nonnull queue) {
    /* acquire: the claim of these positions; pairs with the addition in leave_large_segment. So whoever loads `claimed`
     * later counts them. */
    return atomic_load_explicit(&queue->skipped, memory_order_acquire);
}
/* The number of segments in use or kept as spares. Segments that wait for a grace period are not counted. */
static inline uint64_t millrace_queue_segments(const millrace_queue *_Nonnull queue) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&queue->mapped, memory_order_relaxed);
}

/* The number of positions that were claimed, read without a place in `linkers`. To be called in a read section, or by the
 * consumer. A producer that was stopped between the loads of `claimed` and `base`, while the segment was used again, may
 * read too many or too few. */
static inline uint64_t millrace_queue_claimed_hint(const millrace_queue *_Nonnull queue) {
    /* acquire: the segment's constants, as in claim. */
    const millrace_segment *tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
    /* acquire: `base`, as in claim. */
    uint64_t index = atomic_load_explicit(&tail->claimed, memory_order_acquire);
    if (MILLRACE_UNLIKELY(index >= tail->capacity)) {
        index = index & MILLRACE_SEGMENT_SHUT ? 0 : tail->capacity;
    }
    return millrace_segment_base(tail) + index;
}

/* The number of slots that are claimed and not yet reported as popped: the test of a bounded queue. To be called in a
 * read section, or by the consumer. It is never more than there were when it was called, with two exceptions: that of
 * millrace_queue_claimed_hint, and positions are counted while trim takes them out of use. A producer that finds the
 * queue full calls millrace_queue_depth before it acts on that. */
static inline uint64_t millrace_queue_depth_hint(const millrace_queue *_Nonnull queue) {
    uint64_t claimed = millrace_queue_claimed_hint(queue);
    /* Loaded after the claims: if this producer is stopped between the two loads, the depth is too small. In the other
     * order it would be too large. relaxed: the load of `claimed` has acquired what the claiming producers had read of
     * `consumed`. */
    uint64_t consumed = atomic_load_explicit(&queue->consumed, memory_order_relaxed);
    return claimed > consumed ? claimed - consumed : 0;
}

/* Odd while trim takes positions out of use; changes whenever trim does so. */
static inline uint64_t millrace_queue_cuts(const millrace_queue *_Nonnull queue) {
    /* acquire: the report of the last cut; pairs with the second addition in leave_large_segment. */
    return atomic_load_explicit(&queue->cuts, memory_order_acquire);
}

/* As millrace_queue_depth_hint, but exact: never more than there were at some moment of the call. Any thread, except
 * the consumer while it trims: this call waits for the trim. */
uint64_t millrace_queue_depth(millrace_queue *_Nonnull queue);

static inline millrace_doorbell *_Nonnull millrace_queue_bell(millrace_queue *_Nonnull queue) { return &queue->bell; }

/* Any thread: the bits of `mode`. A bit is set with seq_cst, so that a ring afterwards cannot miss a sleeping
 * consumer. */
static inline uint32_t millrace_queue_mode(const millrace_queue *_Nonnull queue) {
    /* relaxed: a producer that has not seen a new bit yet counts as one that came before. Closing waits for such
     * producers by a grace period. */
    return atomic_load_explicit(&queue->mode, memory_order_relaxed);
}
/* As millrace_queue_mode, for a caller that has just made a seq_cst store (it gave a baton back, or set `sleeping`).
 * Either the thread that sets a bit sees that store, or this load sees the bit. */
static inline uint32_t millrace_queue_mode_now(const millrace_queue *_Nonnull queue) {
    return atomic_load_explicit(&queue->mode, memory_order_seq_cst);
}
static inline uint32_t millrace_queue_set_mode(millrace_queue *_Nonnull queue, uint32_t bits) {
    return atomic_fetch_or_explicit(&queue->mode, bits, memory_order_seq_cst);
}
/* Nobody waits for a bit to be cleared. */
static inline uint32_t millrace_queue_clear_mode(millrace_queue *_Nonnull queue, uint32_t bits) {
    return atomic_fetch_and_explicit(&queue->mode, ~bits, memory_order_relaxed);
}

/* Whether a producer measures the slot of a position. Multiples of the golden ratio lie evenly in the whole range, also
 * when only every second or third position is taken. So actions that alternate in any pattern get their share of the
 * sample. */
static inline bool millrace_mode_measures(uint32_t mode, uint64_t position) {
    if (MILLRACE_LIKELY(!(mode & MILLRACE_MODE_STAMPING))) {
        return false;
    }
    uint32_t rate = (mode & MILLRACE_MODE_RATE) >> MILLRACE_MODE_RATE_AT;
    return position * UINT64_C(0x9E3779B97F4A7C15) <= UINT64_MAX >> rate;
}

#endif
