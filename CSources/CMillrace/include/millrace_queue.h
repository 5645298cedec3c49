/* SPDX-License-Identifier: Apache-2.0
 *
 * Queue: unbounded, multi-producer single-consumer, first in first out, slots of a fixed stride held in place.
 *
 * X = the caller must exclude the pair; - = any threads at once, no lock. Consumer = the one thread that consumes now.
 *
 *                   [1] [2] [3] [4] [5] [6]
 *   [1] claim        -   -   -   -   -   X    producer, in a read section: lock-free; one fetch-add, rarely more
 *   [2] publish      -   -   -   -   -   X    producer, same section: wait-free, one wake-up system call when it rings
 *   [3] front, pop   -   -   X   X   -   X    consumer: wait-free; front fails while the oldest claim is unpublished
 *   [4] trim         -   -   X   X   -   X    consumer: gives memory back
 *   [5] counters     -   -   -   -   -   X    any thread: wait-free; exact when nobody is in [1]..[4]
 *   [6] destroy      X   X   X   X   X   X    after the last producer and consumer have gone
 *
 * A producer:   millrace_read_begin(); claim; move its value into each slot; publish each; millrace_read_end()
 *   Between claim and publish runs no code but the move: the consumer waits for every claimed slot in turn.
 * The consumer: while (front) { use and empty the slot; pop; }  millrace_queue_report(); now and then.
 *
 * Order: one total order, that of the claims. Two claims of one thread keep their order; so do the slots of one
 * batch, also when it straddles segments (slots of other producers may then stand between).
 *
 * Segments. Slots live in segments that mmap gave; `tail` points to the one in which producers claim. Claiming is one
 * fetch-add on its `claimed`. Who gets an index beyond the capacity goes the slow way: it counts itself in `linkers`,
 * loads `tail` again, links the next segment (or finds it linked), and claims there. A drained segment is used again
 * at once if nobody is on the slow way, so that a queue whose consumer keeps up lives in two or three segments that
 * stay in the cache: half the cost an action, against recycling after a grace period (which liburcu's worker ends
 * every 10 ms).
 *
 * Invariant 1 (free): memory goes back to the system only after a grace period that began when the segment was
 *   neither linked nor in the stack of spares. So a producer may touch `claimed` of the segment that it loaded from
 *   `tail` as long as its read section lasts, whatever has become of that segment.
 * Invariant 2 (reuse): a segment becomes a spare only by the consumer, only when all its slots were popped, `tail` was
 *   moved past it, and after that `linkers` was seen to be 0. So whoever is on the slow way may follow, link and
 *   compare-and-swap every segment it reached from `tail` and every spare it saw: none is recycled under its hands.
 * Invariant 3 (opening): a segment is linked shut (`claimed` has its top bit set, so that every index is beyond the
 *   capacity) and opened by whoever comes to it on the slow way, from a segment that is full. So a producer on the
 *   fast way, whose pointer may be stale, either gets an index of an open segment, which is the right place in the
 *   order, or one beyond the capacity, and starts again on the slow way.
 * Invariant 4 (stamp): the ready word of a published slot holds (position + 1) << 4 | flags. Positions never repeat,
 *   so a segment that is used again needs no clearing: what its slots still hold can not be taken for a publication.
 * Invariant 5 (chain): base of a segment = base + capacity of the one before; `tail` only ever moves along `next`.
 */
#ifndef MILLRACE_QUEUE_H
#define MILLRACE_QUEUE_H

#include "millrace_baton.h"
#include "millrace_doorbell.h"
#include "millrace_platform.h"
#include "millrace_read_section.h"

/* A slot: this header, then the action at the queue's payload_offset. `source` and `run` are opaque to the core. */
typedef struct millrace_slot {
    _Atomic uint64_t ready; /* stamp of invariant 4 */
    uint64_t parent;        /* number of the action that caused this one, 0 = none */
    uint64_t root;          /* number of the first cause, 0 = this action itself */
    uint64_t source[4];     /* where it was dispatched */
    void *_Nullable run;    /* the effect run it belongs to; of a control slot, its message */
    uint64_t time;          /* of a measured slot: ticks at dispatch, or at the time it was meant for */
} millrace_slot;

_Static_assert(sizeof(millrace_slot) == 72, "the slot header is 72 bytes");
_Static_assert(offsetof(millrace_slot, source) == 24 && offsetof(millrace_slot, run) == 56,
               "Swift writes at these offsets");

/* Flags of a ready word. A message slot carries a message for the pipeline in `run` and no action. An exempt slot
 * carries an action that a bounded queue neither refuses nor throws away. A measured slot carries an action of which a
 * probe is told, and has its time. */
#define MILLRACE_SLOT_FLAG_BITS 4
#define MILLRACE_SLOT_MESSAGE ((uint64_t)1)
#define MILLRACE_SLOT_EXEMPT ((uint64_t)2)
#define MILLRACE_SLOT_MEASURED ((uint64_t)4)

typedef struct millrace_segment {
    /* Constant as long as the mapping lives. */
    uint64_t capacity; /* slots */
    size_t bytes;
    /* Written before the segment is opened, constant while any of its slots is in use. */
    _Atomic uint64_t base; /* position of its first slot; relaxed, as `claimed` orders it */
    /* Next spare, or next in a list of the consumer's. Relaxed: who may follow it has acquired the head of its list,
     * and a value read too late is thrown away by the compare-and-swap that comes after. */
    _Atomic(struct millrace_segment *) below;
    _Atomic(struct millrace_segment *) next;
    void *_Nullable rcu[2]; /* liburcu's, while it waits for a grace period */
    uint64_t reserved;
    /* Its own line: every producer writes it. Above the capacity it means "full" and goes on growing. */
    _Atomic uint64_t claimed;
    char pad[MILLRACE_CACHE_LINE - sizeof(uint64_t)];
} millrace_segment;

/* In `claimed`: linked, but not opened yet (invariant 3). */
#define MILLRACE_SEGMENT_SHUT ((uint64_t)1 << 63)

_Static_assert(sizeof(millrace_segment) == 2 * MILLRACE_CACHE_LINE, "two lines: constants, and the claims");
_Static_assert(offsetof(millrace_segment, claimed) == MILLRACE_CACHE_LINE, "claims on a line of their own");

static inline uint64_t millrace_segment_base(const millrace_segment *_Nonnull segment) {
    return atomic_load_explicit(&segment->base, memory_order_relaxed);
}

/* Where segments come from; tests make it fail. */
typedef void *_Nullable (*millrace_map_function)(size_t bytes);

typedef struct millrace_queue {
    /* Line 0, read by everybody: constant but for `mode`. */
    size_t stride;
    size_t payload_offset;
    size_t slots_offset;
    size_t first_bytes;
    size_t largest_bytes;
    millrace_map_function _Nonnull map;
    _Atomic uint32_t mode; /* MILLRACE_MODE bits */
    uint32_t reserved0;
    uint64_t reserved1;
    /* Line 1: producers. All but `tail` change only where a segment ends. */
    _Atomic(millrace_segment *) tail;
    _Atomic uint64_t linkers;             /* producers on the slow way (invariant 2) */
    _Atomic(millrace_segment *) spares;   /* stack; the consumer pushes, the slow way pops */
    _Atomic uint64_t spare_count;         /* in the stack; orders nothing */
    _Atomic(millrace_segment *) rejected; /* stack; lost a race to be linked; the consumer takes all */
    _Atomic uint64_t link_bytes;          /* size of the next segment to be mapped; a hint */
    _Atomic uint64_t mapped;              /* segments that do not wait for a grace period; a statistic */
    char pad1[MILLRACE_CACHE_LINE - 7 * sizeof(uint64_t)];
    /* Line 2: the consumer's own. */
    unsigned char *_Nonnull head_slot; /* the next slot */
    unsigned char *_Nonnull head_end;  /* end of the head segment's usable slots */
    uint64_t position;                 /* of head_slot */
    millrace_segment *_Nonnull head;
    millrace_segment *_Nullable drained; /* behind the head, not spares yet: somebody was on the slow way */
    uint64_t consumer_thread;            /* debug builds: who consumes, 0 = nobody */
    uint64_t unused;                     /* positions that trim took out of use at the end of the head segment */
    char pad2[MILLRACE_CACHE_LINE - 7 * sizeof(uint64_t)];
    /* Line 3: what the consumer tells others, once a batch. */
    _Atomic uint64_t consumed; /* positions popped, and those that never will be used */
    _Atomic uint64_t skipped;  /* positions that trim took out of use: never held anything */
    _Atomic uint64_t cuts;     /* odd while trim takes positions out of use and has not said so in `consumed` */
    char pad3[MILLRACE_CACHE_LINE - 3 * sizeof(uint64_t)];
    /* Line 4: loaded by every producer, written when the consumer parks. */
    millrace_doorbell bell;
    char pad4[MILLRACE_CACHE_LINE - sizeof(millrace_doorbell)];
} millrace_queue;

_Static_assert(sizeof(millrace_queue) == 5 * MILLRACE_CACHE_LINE, "five lines");
_Static_assert(offsetof(millrace_queue, tail) == 1 * MILLRACE_CACHE_LINE, "producers' line");
_Static_assert(offsetof(millrace_queue, head_slot) == 2 * MILLRACE_CACHE_LINE, "consumer's line");
_Static_assert(offsetof(millrace_queue, consumed) == 3 * MILLRACE_CACHE_LINE, "the consumer's reports");
_Static_assert(offsetof(millrace_queue, bell) == 4 * MILLRACE_CACHE_LINE, "doorbell");

/* Bits of `mode`, which a producer loads once an action. The queue itself gives them no meaning. */
#define MILLRACE_MODE_CLOSED ((uint32_t)1)   /* outside intake is closed */
#define MILLRACE_MODE_STAMPING ((uint32_t)2) /* producers measure: flag and time, of one slot in 2^n */
#define MILLRACE_MODE_RATE_AT 8              /* where the bits of n begin */
#define MILLRACE_MODE_RATE ((uint32_t)0x1f00)

typedef struct millrace_queue_options {
    size_t action_size;
    size_t action_alignment; /* a power of two, at most 4096 */
    size_t first_bytes;      /* of the first segment; 0 = 16 KB */
    size_t largest_bytes;    /* segments double up to this; 0 = 1 MB */
    millrace_map_function _Nullable map;
} millrace_queue_options;

/* A run of slots that a producer claimed. */
typedef struct millrace_claim {
    unsigned char *_Nullable slot; /* the first; the others follow at the stride */
    uint64_t position;             /* of the first */
    uint64_t count;                /* at least 1, may be less than asked for: claim again for the rest */
} millrace_claim;

/* MILLRACE_INVALID_ARGUMENT: alignment not a power of two up to 4096, or sizes that overflow. */
millrace_result millrace_queue_create(millrace_queue_options options, millrace_queue *_Nullable *_Nonnull out);

/* Calls `visit` with every published slot that was not popped, oldest first (it must empty the slot), then frees
 * everything. */
void millrace_queue_destroy(millrace_queue *_Nonnull queue,
                            void (*_Nullable visit)(unsigned char *_Nonnull slot, void *_Nullable context),
                            void *_Nullable context);

/* Cold half of claim: the tail segment is full, shut or stale. */
millrace_result millrace_queue_claim_slowly(millrace_queue *_Nonnull queue, uint64_t count,
                                            millrace_claim *_Nonnull out);

/* Claims 1...count slots in a row. In a read section. MILLRACE_OUT_OF_MEMORY: nothing was claimed. */
static inline millrace_result millrace_queue_claim(millrace_queue *_Nonnull queue, uint64_t count,
                                                   millrace_claim *_Nonnull out) {
    /* acquire: the segment's constants; pairs with the compare-and-swaps on `tail`. By the next line it may already be
     * stale, which invariants 1 and 3 make harmless. */
    millrace_segment *segment = atomic_load_explicit(&queue->tail, memory_order_acquire);
    MILLRACE_INTERLEAVE();
    /* The linearisation point of the order. acquire: `base` and the emptied slots, if the segment was used before;
     * pairs with its opening (claim_slowly). `capacity` never changes. release: what this producer has seen consumed
     * before the claim, so that who counts the claim counts that, too; pairs with the loads of `claimed` in depth. */
    uint64_t index = atomic_fetch_add_explicit(&segment->claimed, count, memory_order_acq_rel);
    MILLRACE_INTERLEAVE();
    if (MILLRACE_UNLIKELY(index >= segment->capacity)) {
        return millrace_queue_claim_slowly(queue, count, out);
    }
    uint64_t left = segment->capacity - index;
    out->slot = (unsigned char *)segment + queue->slots_offset + index * queue->stride;
    out->position = millrace_segment_base(segment) + index;
    out->count = count < left ? count : left;
    return MILLRACE_OK;
}

/* Publishes one slot of a claim and rings when the consumer sleeps. `position` is the slot's own. */
static inline void millrace_queue_publish(millrace_queue *_Nonnull queue, unsigned char *_Nonnull slot,
                                          uint64_t position, uint64_t flags) {
    /* release or stronger: the slot's content before its stamp; pairs with the acquire load in millrace_queue_front. */
    millrace_doorbell_publish(&queue->bell, &((millrace_slot *)(void *)slot)->ready,
                              (position + 1) << MILLRACE_SLOT_FLAG_BITS | flags);
}

/* Publishes one slot of a claim without looking at the doorbell: all but one slot of a batch. The one that rings by
 * millrace_queue_publish comes last in time. If that is the first slot of the claim, the handshake holds in C11, as the
 * consumer looks at that one before it sleeps. If it is the last slot, as in the Swift store, whose consumer can begin
 * while a batch is being written, the consumer may have looked at a quiet one: where `asymmetric` is 0, C11 does not order
 * that with the look at `sleeping`; x86-64 and arm64 do. */
static inline void millrace_queue_publish_quietly(unsigned char *_Nonnull slot, uint64_t position, uint64_t flags) {
    /* release: as above. */
    atomic_store_explicit(&((millrace_slot *)(void *)slot)->ready, (position + 1) << MILLRACE_SLOT_FLAG_BITS | flags,
                          memory_order_release);
}

/* Cold half of front: moves to the next segment, and makes the head a spare or frees it. False: there is none yet. */
bool millrace_queue_advance(millrace_queue *_Nonnull queue);

/* Consumer: the oldest slot, or null when it is not published. */
static inline unsigned char *_Nullable millrace_queue_front(millrace_queue *_Nonnull queue) {
    if (MILLRACE_UNLIKELY(queue->head_slot == queue->head_end) && !millrace_queue_advance(queue)) {
        return NULL;
    }
    /* acquire: the stamp before the slot's content; pairs with millrace_queue_publish. */
    uint64_t ready = atomic_load_explicit(&((millrace_slot *)(void *)queue->head_slot)->ready, memory_order_acquire);
    return ready >> MILLRACE_SLOT_FLAG_BITS == queue->position + 1 ? queue->head_slot : NULL;
}

/* Of a published slot: its flags. */
static inline uint64_t millrace_slot_flags(const unsigned char *_Nonnull slot) {
    /* relaxed: front has acquired this very word. */
    return atomic_load_explicit(&((const millrace_slot *)(const void *)slot)->ready, memory_order_relaxed) &
           (((uint64_t)1 << MILLRACE_SLOT_FLAG_BITS) - 1);
}

/* Of a published slot: whether it carries a message instead of an action. */
static inline bool millrace_slot_is_message(const unsigned char *_Nonnull slot) {
    return millrace_slot_flags(slot) & MILLRACE_SLOT_MESSAGE;
}

/* Of a published slot: whether it is a message, or measured. */
static inline bool millrace_slot_is_special(const unsigned char *_Nonnull slot) {
    return MILLRACE_UNLIKELY(millrace_slot_flags(slot) & (MILLRACE_SLOT_MESSAGE | MILLRACE_SLOT_MEASURED));
}

/* Of a published slot: its position in the queue. */
static inline uint64_t millrace_slot_position(const unsigned char *_Nonnull slot) {
    /* relaxed: who holds the slot has acquired its content. */
    return (atomic_load_explicit(&((const millrace_slot *)(const void *)slot)->ready, memory_order_relaxed) >>
            MILLRACE_SLOT_FLAG_BITS) -
           1;
}

/* Consumer: goes past the slot that front returned; its content must have been moved out. */
static inline void millrace_queue_pop(millrace_queue *_Nonnull queue) {
    queue->head_slot += queue->stride;
    queue->position += 1;
}

/* Consumer: as front, for the second look of the doorbell's and the baton's handshake. */
bool millrace_queue_has_ready(millrace_queue *_Nonnull queue);

/* Consumer whose role is a baton: gives it back and looks once more. True: something may have come that nobody has
 * seen; try to take the baton again. Reports progress first. */
bool millrace_queue_hand_over(millrace_queue *_Nonnull queue, millrace_baton *_Nonnull baton);

/* Consumer: a slot was claimed and is not published yet: some producer is between claim and publish. */
bool millrace_queue_is_stalled(millrace_queue *_Nonnull queue);

/* Consumer: lets others see how far it has come. Once a batch. */
static inline void millrace_queue_report(millrace_queue *_Nonnull queue) {
    /* release: what was done for those positions before the number; pairs with millrace_queue_consumed. */
    atomic_store_explicit(&queue->consumed, queue->position + queue->unused, memory_order_release);
}

/* Consumer: more is kept for use than a queue needs whose consumer keeps up; worth a trim. */
static inline bool millrace_queue_is_bloated(const millrace_queue *_Nonnull queue) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&queue->spare_count, memory_order_relaxed) >= 4;
}

/* Consumer, when idle: gives the spares back, and ends a head segment that is larger than the first size, so that an
 * idle queue holds one small segment. Costs a few microseconds; what producers claim meanwhile is safe. */
void millrace_queue_trim(millrace_queue *_Nonnull queue);

/* As above, with a barrier: who waits for room and has said so before looking at `consumed` is seen afterwards. */
static inline void millrace_queue_report_fully(millrace_queue *_Nonnull queue) {
    /* seq_cst: before the consumer's look at who waits; pairs with the waiter's look after it has said so. */
    atomic_store_explicit(&queue->consumed, queue->position + queue->unused, memory_order_seq_cst);
}

/* Debug builds: between enter and leave this thread is the consumer, and a second one stops the program, naming both.
 * Nothing in release. */
void millrace_queue_consumer_enter(millrace_queue *_Nonnull queue);
void millrace_queue_consumer_leave(millrace_queue *_Nonnull queue);

/* Any thread: positions claimed, popped, and never used, since the queue was made. */
uint64_t millrace_queue_claimed(millrace_queue *_Nonnull queue);
static inline uint64_t millrace_queue_consumed(const millrace_queue *_Nonnull queue) {
    /* seq_cst: acquires what was done for those positions (pairs with millrace_queue_report), and comes after a waiter's
     * word that it waits. */
    return atomic_load_explicit(&queue->consumed, memory_order_seq_cst);
}
static inline uint64_t millrace_queue_skipped(const millrace_queue *_Nonnull queue) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&queue->skipped, memory_order_relaxed);
}
/* Segments in use or kept for use; those that only wait for a grace period are no longer counted. */
static inline uint64_t millrace_queue_segments(const millrace_queue *_Nonnull queue) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&queue->mapped, memory_order_relaxed);
}

/* Slots in the queue, claimed and not popped, as far as reported: the test of a bounded queue. In a read section, or the
 * consumer. Never more than there were when it was called, but for one case: a producer that was stopped between the
 * loads of `claimed` and `base`, while the segment was used again, may read too many or too few; and while trim takes
 * positions out of use they are counted. Who finds the queue full asks millrace_queue_depth before it acts on it. */
static inline uint64_t millrace_queue_depth_hint(const millrace_queue *_Nonnull queue) {
    /* acquire: the segment's constants, as in claim. */
    const millrace_segment *tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
    /* acquire: `base`, as in claim. */
    uint64_t index = atomic_load_explicit(&tail->claimed, memory_order_acquire);
    if (MILLRACE_UNLIKELY(index >= tail->capacity)) {
        index = index & MILLRACE_SEGMENT_SHUT ? 0 : tail->capacity;
    }
    uint64_t claimed = millrace_segment_base(tail) + index;
    /* After the claims: who is stopped in between finds room, not a queue that is full of what has long gone.
     * acquire: pairs with millrace_queue_report. */
    uint64_t consumed = atomic_load_explicit(&queue->consumed, memory_order_acquire);
    return claimed > consumed ? claimed - consumed : 0;
}

/* Odd while positions are taken out of use; changes whenever some are. */
static inline uint64_t millrace_queue_cuts(const millrace_queue *_Nonnull queue) {
    return atomic_load_explicit(&queue->cuts, memory_order_seq_cst);
}

/* The same, exactly: never more than there were at some moment of the call. Any thread, not the consumer while it trims,
 * for which this waits. */
uint64_t millrace_queue_depth(millrace_queue *_Nonnull queue);

static inline millrace_doorbell *_Nonnull millrace_queue_bell(millrace_queue *_Nonnull queue) { return &queue->bell; }

/* Any thread: bits of `mode`. Setting is seq_cst, so that a ring after it can not miss the sleeper. */
static inline uint32_t millrace_queue_mode(const millrace_queue *_Nonnull queue) {
    /* relaxed: a producer that has not seen a new bit yet counts as one that came before; closing waits for it by a
     * grace period. */
    return atomic_load_explicit(&queue->mode, memory_order_relaxed);
}
/* As above, after the caller's own seq_cst store (a baton given back, `sleeping`), so that either that store is seen
 * by who sets a bit, or the bit is seen here. */
static inline uint32_t millrace_queue_mode_now(const millrace_queue *_Nonnull queue) {
    return atomic_load_explicit(&queue->mode, memory_order_seq_cst);
}
static inline uint32_t millrace_queue_set_mode(millrace_queue *_Nonnull queue, uint32_t bits) {
    return atomic_fetch_or_explicit(&queue->mode, bits, memory_order_seq_cst);
}
static inline uint32_t millrace_queue_clear_mode(millrace_queue *_Nonnull queue, uint32_t bits) {
    return atomic_fetch_and_explicit(&queue->mode, ~bits, memory_order_seq_cst);
}

/* Whether a producer measures the slot of a position. Multiples of the golden ratio lie evenly in the whole range, also
 * when only every second, third, … position is looked at: no pattern in the actions can hide from the sample. */
static inline bool millrace_mode_measures(uint32_t mode, uint64_t position) {
    if (MILLRACE_LIKELY(!(mode & MILLRACE_MODE_STAMPING))) {
        return false;
    }
    uint32_t rate = (mode & MILLRACE_MODE_RATE) >> MILLRACE_MODE_RATE_AT;
    return position * UINT64_C(0x9E3779B97F4A7C15) <= UINT64_MAX >> rate;
}

#endif
