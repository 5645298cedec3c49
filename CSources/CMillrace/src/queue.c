/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_queue.h"

#include "fault.h"
#include "segment.h"
#include "window.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_BYTES = 1024 * 1024, LARGEST_ALIGNMENT = 4096 };
#ifdef MILLRACE_TINY
enum { FIRST_BYTES = 16, FEWEST_SLOTS = 2 }; /* for the memory-model checker: segments end after a few slots */
#else
enum { FIRST_BYTES = 16 * 1024, FEWEST_SLOTS = 4 };
#endif

static size_t rounded_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/* Returns the segment after `segment`, and links one if there is none; null without memory. Called on the slow path, or
 * by the consumer. */
static millrace_segment *next_segment(millrace_queue *queue, millrace_segment *segment) {
    /* acquire: the next segment's constants; pairs with the compare-and-swap below. */
    millrace_segment *next = atomic_load_explicit(&segment->next, memory_order_acquire);
    if (next) {
        return next;
    }
    millrace_segment *fresh = millrace_segment_obtain(queue);
    if (!fresh) {
        return atomic_load_explicit(&segment->next, memory_order_acquire);
    }
    atomic_store_explicit(&fresh->base, millrace_segment_base(segment) + segment->capacity,
                          memory_order_relaxed); /* Q5 */
    MILLRACE_INTERLEAVE();
    /* seq_cst on success: the writes to `fresh` come before its link (pairs with the acquire loads of `next`). The link
     * comes before this thread's later look at the doorbell, so that a sleeper that saw no next segment is woken for
     * the slot in it. acquire on failure: the segment of another thread. */
    if (atomic_compare_exchange_strong_explicit(&segment->next, &next, fresh, memory_order_seq_cst,
                                                memory_order_acquire)) {
        return fresh;
    }
    millrace_segment_reject(queue, fresh);
    return next;
}

/* Moves `tail` from `segment` to `next`, unless another thread has done so. */
static void pass(millrace_queue *queue, millrace_segment *segment, millrace_segment *next) {
    millrace_segment *expected = segment;
    MILLRACE_INTERLEAVE();
    /* seq_cst on success: releases the constants of `next`, which this thread has acquired or written (pairs with the loads
     * of `tail`), and comes before the consumer's look at `linkers` (Q2).
     * acquire on failure: the consumer's exchange fails only if a producer P has moved `tail`. The consumer acquires that
     * move, so its look at `linkers` reads P's addition or a newer value. Let X be another producer that loaded the old
     * `tail`. In the modification order of `linkers`, X's addition comes before P's subtraction: if it came after it, X
     * would have acquired P's move, and loaded the new `tail`. So if the look reads 0, it reads a value behind X's
     * subtraction, and acquires X's last use of the segment. */
    atomic_compare_exchange_strong_explicit(&queue->tail, &expected, next, memory_order_seq_cst, memory_order_acquire);
}

/* Opens the first segment, or a linked one whose predecessor is full, unless another thread has done so (Q3). */
static void open_segment(millrace_segment *segment) {
    uint64_t claimed = atomic_load_explicit(&segment->claimed, memory_order_relaxed);
    while (claimed & MILLRACE_SEGMENT_SHUT) {
        MILLRACE_INTERLEAVE();
        /* release: `base`, and the empty slots; pairs with the acquire fetch-add of the claim. Fails when a producer
         * with a stale pointer adds to the shut word. That producer then comes here, too, and helps. */
        if (atomic_compare_exchange_weak_explicit(&segment->claimed, &claimed, 0, memory_order_release,
                                                  memory_order_relaxed)) {
            return;
        }
    }
}

millrace_result millrace_queue_claim_slowly(millrace_queue *queue, uint64_t count, millrace_claim *out) {
    millrace_result result = MILLRACE_OUT_OF_MEMORY;
    /* seq_cst: before this thread's load of `tail`; pairs with the look in millrace_segment_recycle (Q2). */
    atomic_fetch_add_explicit(&queue->linkers, 1, memory_order_seq_cst);
    MILLRACE_REUSE_EVENT(in, queue);
    MILLRACE_INTERLEAVE();
    millrace_segment *segment = atomic_load_explicit(&queue->tail, memory_order_seq_cst);
    while (segment) {
        MILLRACE_REUSE_EVENT(uses, segment);
        open_segment(segment);
        MILLRACE_INTERLEAVE();
        /* release, seq_cst: as in millrace_queue_claim_here. acquire: the claims and the cut before this one. If the
         * segment is full, this thread moves `tail`, and whoever counts the next segment counts their progress, too. */
        uint64_t index = atomic_fetch_add_explicit(&segment->claimed, count, memory_order_seq_cst);
        if (index < segment->capacity) {
            uint64_t left = segment->capacity - index;
            out->slot = millrace_queue_slot(queue, segment, index);
            out->position = millrace_segment_base(segment) + index;
            out->count = count < left ? count : left;
            result = MILLRACE_OK;
            break;
        }
        millrace_segment *next = next_segment(queue, segment);
        if (next) {
            pass(queue, segment, next);
        }
        segment = next;
    }
    MILLRACE_REUSE_EVENT(out, queue);
    /* release: this thread's last use of every segment seen here; pairs with the look in millrace_segment_recycle. */
    atomic_fetch_sub_explicit(&queue->linkers, 1, memory_order_release);
    return result;
}

static void enter_segment(millrace_queue *queue, millrace_segment *segment) {
    queue->head = segment;
    queue->head_slot = (unsigned char *)segment + queue->slots_offset;
    queue->head_end = queue->head_slot + segment->capacity * queue->stride;
    queue->stamp = (millrace_segment_base(segment) + 1) << MILLRACE_SLOT_FLAG_BITS;
    queue->head_base = millrace_segment_base(segment);
    queue->unused = queue->window.ahead;
}

bool millrace_queue_advance(millrace_queue *queue) {
    if (queue->window.oldest_slot) {
        return false; /* at the end of an open window */
    }
    millrace_segment *head = queue->head;
    /* seq_cst: a consumer at the end of a segment also makes its second look (doorbell, baton) here. Acquires the
     * constants of the next segment. */
    millrace_segment *next = atomic_load_explicit(&head->next, memory_order_seq_cst);
    if (!next) {
        return false;
    }
    pass(queue, head, next);
    enter_segment(queue, next);
    millrace_segment_drain(queue, head);
    return true;
}

bool millrace_queue_has_ready(millrace_queue *queue) {
    if (queue->head_slot == queue->head_end && !millrace_queue_advance(queue)) {
        return false;
    }
    /* seq_cst: after the caller's store of `sleeping` or `held`; pairs with the publisher's stamp. */
    uint64_t ready = atomic_load_explicit(&((millrace_slot *)(void *)queue->head_slot)->ready, memory_order_seq_cst);
    return ready >> MILLRACE_SLOT_FLAG_BITS == queue->stamp >> MILLRACE_SLOT_FLAG_BITS;
}

/* For a consumer that has met a gap: also looks behind it. A function of its own, as the copy needs much of the stack. */
static __attribute__((noinline)) bool hand_over_at_gap(millrace_queue *queue, millrace_baton *baton) {
    millrace_read_begin();
    millrace_slot *slot = (millrace_slot *)(void *)queue->head_slot;
    uint64_t stamp = queue->stamp;
    millrace_window window = *millrace_window_follow(queue);
    millrace_queue_consumer_leave(queue);
    millrace_baton_give_back(baton);
    /* seq_cst: after the store of `held`; pairs with the publisher's stamp. The front may be a message, which the look
     * behind gaps leaves out. */
    uint64_t ready = atomic_load_explicit(&slot->ready, memory_order_seq_cst);
    bool more = ready >> MILLRACE_SLOT_FLAG_BITS == stamp >> MILLRACE_SLOT_FLAG_BITS ||
                millrace_window_has_ready(queue, &window);
    millrace_read_end();
    return more;
}

bool millrace_queue_hand_over(millrace_queue *queue, millrace_baton *baton) {
    millrace_queue_report(queue);
    if (MILLRACE_UNLIKELY(millrace_queue_has_gap(queue))) {
        return hand_over_at_gap(queue, baton);
    }
    millrace_read_begin(); /* the next holder may retire the head while this thread reads it */
    millrace_segment *head = queue->head;
    bool exhausted = queue->head_slot == queue->head_end;
    uint64_t index = millrace_queue_position(queue) - queue->head_base;
    millrace_queue_consumer_leave(queue);
    millrace_baton_give_back(baton);
    /* After the store of `held`; pairs with the producer's claim, or with its link of the next segment. If another thread
     * holds the baton by now, that thread handles what is found here. A claimed slot that is not published yet may be a
     * gap: the next consumer then meets it. */
    bool more = exhausted ? atomic_load_explicit(&head->next, memory_order_seq_cst) != NULL
                          : millrace_segment_has_claimed(head, index);
    millrace_read_end();
    return more;
}

bool millrace_queue_is_stalled(millrace_queue *queue) {
    if (queue->head_slot == queue->head_end) {
        return false;
    }
    uint64_t index = millrace_queue_position(queue) - queue->head_base;
    bool is_stalled = millrace_segment_has_claimed(queue->head, index) && !millrace_queue_has_ready(queue);
    if (is_stalled) {
        queue->gap_stamp = queue->stamp;
    }
    return is_stalled;
}

bool millrace_queue_is_handled(const millrace_queue *queue, uint64_t position) {
    if (position < millrace_queue_position(queue)) {
        return true;
    }
    millrace_segment *segment = queue->head;
    while (segment && position >= millrace_segment_base(segment) + segment->capacity) {
        /* acquire: the segment's constants, as in millrace_queue_advance. */
        segment = atomic_load_explicit(&segment->next, memory_order_acquire);
    }
    if (!segment) {
        return false;
    }
    unsigned char *slot = millrace_queue_slot(queue, segment, position - millrace_segment_base(segment));
    /* relaxed: the consumer has written the word, if it has handled the action. */
    return atomic_load_explicit(&((millrace_slot *)(void *)slot)->ready, memory_order_relaxed) ==
           ((position + 1) << MILLRACE_SLOT_FLAG_BITS | MILLRACE_SLOT_HANDLED);
}

bool millrace_queue_drop_unpublished(millrace_queue *queue) {
    /* `front` goes to the next segment, if there is one. */
    if (millrace_queue_front(queue) || !millrace_queue_is_stalled(queue)) {
        return false;
    }
    millrace_queue_pop(queue);
    return true;
}

uint64_t millrace_queue_claimed(millrace_queue *queue) {
    millrace_read_begin();
    /* Counts itself in `linkers`, as on the slow path: `base` must not change between the two loads (Q2). */
    atomic_fetch_add_explicit(&queue->linkers, 1, memory_order_seq_cst);
    MILLRACE_REUSE_EVENT(in, queue);
    millrace_segment *tail = atomic_load_explicit(&queue->tail, memory_order_seq_cst);
    MILLRACE_REUSE_EVENT(uses, tail);
    MILLRACE_INTERLEAVE();
    /* acquire: the progress that the claiming producers had seen; pairs with the claims. */
    uint64_t index = atomic_load_explicit(&tail->claimed, memory_order_acquire);
    MILLRACE_INTERLEAVE();
    if (index & MILLRACE_SEGMENT_SHUT) {
        index = 0;
    }
    uint64_t claimed = millrace_segment_base(tail) + (index < tail->capacity ? index : tail->capacity);
    MILLRACE_REUSE_EVENT(out, queue);
    atomic_fetch_sub_explicit(&queue->linkers, 1, memory_order_release);
    millrace_read_end();
    return claimed;
}

/* Ends a head segment that is larger than the first size, so that the queue goes on in a small one. */
static void leave_large_segment(millrace_queue *queue) {
    millrace_segment *head = queue->head;
    /* relaxed: while the head is not full, only the consumer can move `tail` past it. */
    if (head->bytes <= queue->first_bytes || queue->head_slot == queue->head_end ||
        atomic_load_explicit(&queue->tail, memory_order_relaxed) != head || !next_segment(queue, head)) {
        return;
    }
    /* Claims every index that is left, so that the segment ends here: producers find it full and go to the next one.
     * Nothing is ever published in these slots. */
    open_segment(head);
    /* Both additions to `cuts` enclose the claim and the report. A thread that sees the claim and not the report reads an
     * odd number, or two numbers that differ; pairs with millrace_queue_depth. release: the first addition before the
     * claim, for those who acquire the claim. */
    atomic_fetch_add_explicit(&queue->cuts, 1, memory_order_relaxed);
    MILLRACE_INTERLEAVE();
    uint64_t index = atomic_fetch_add_explicit(&head->claimed, head->capacity, memory_order_release);
    if (index < head->capacity) {
        /* release: the claim before the number; pairs with millrace_queue_skipped. */
        atomic_fetch_add_explicit(&queue->skipped, head->capacity - index, memory_order_release);
        queue->unused += head->capacity - index;
        queue->head_end = (unsigned char *)head + queue->slots_offset + index * queue->stride;
        MILLRACE_INTERLEAVE();
        if (queue->head_slot == queue->head_end) {
            millrace_queue_advance(queue);
        }
        millrace_queue_report(queue);
    }
    /* release: the report before it, for those who acquire this number. */
    atomic_fetch_add_explicit(&queue->cuts, 1, memory_order_release);
}

uint64_t millrace_queue_depth(millrace_queue *queue) {
    while (true) {
        /* acquire: the report of the last cut; pairs with the second addition in leave_large_segment. */
        uint64_t cuts = atomic_load_explicit(&queue->cuts, memory_order_acquire);
        if (cuts & 1) {
            sched_yield();
            continue;
        }
        /* Reads `claimed` first: if this thread is stopped between the two reads, the depth is too small. In the other
         * order it would be too large. */
        uint64_t claimed = millrace_queue_claimed(queue);
        uint64_t consumed = millrace_queue_consumed(queue);
        /* relaxed: the acquires of the loads above keep it after them. */
        if (atomic_load_explicit(&queue->cuts, memory_order_relaxed) == cuts) {
            return claimed > consumed ? claimed - consumed : 0;
        }
    }
}

void millrace_queue_trim(millrace_queue *queue) {
    millrace_segment_recycle(queue); /* rejected segments become drained ones, */
    millrace_segment_recycle(queue); /* then spares, */
    millrace_segment_shrink(queue);  /* and all spares go back to the system */
    /* relaxed: a hint. */
    atomic_store_explicit(&queue->link_bytes, queue->first_bytes, memory_order_relaxed);
    if (queue->head_slot == queue->head_end) {
        millrace_queue_advance(queue);
    }
    leave_large_segment(queue);
    millrace_segment_shrink(queue);
}

void millrace_queue_consumer_enter(millrace_queue *queue) {
#ifdef MILLRACE_INTERNAL_CHECKS
    millrace_assert_outside_read_section("consuming a queue");
    uint64_t mine = (uint64_t)pthread_self();
    uint64_t other = __atomic_exchange_n(&queue->consumer_thread, mine, __ATOMIC_RELAXED);
    if (other != 0) {
        fprintf(stderr,
                "millrace: thread %llx consumes a queue while thread %llx is consuming it: one consumer at a time\n",
                (unsigned long long)mine, (unsigned long long)other);
        __builtin_trap();
    }
#else
    (void)queue;
#endif
}

void millrace_queue_consumer_leave(millrace_queue *queue) {
#ifdef MILLRACE_INTERNAL_CHECKS
    __atomic_store_n(&queue->consumer_thread, 0, __ATOMIC_RELAXED);
#else
    (void)queue;
#endif
}

millrace_result millrace_queue_create(millrace_queue_options options, millrace_queue **out) {
    size_t alignment = options.action_alignment ? options.action_alignment : 1;
    if (alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) != 0 || options.action_size >= SIZE_MAX / 16) {
        return MILLRACE_INVALID_ARGUMENT;
    }
    size_t slot_alignment = alignment > 8 ? alignment : 8;
    size_t payload_offset = rounded_up(sizeof(millrace_slot), slot_alignment);
    size_t stride = rounded_up(payload_offset + options.action_size, slot_alignment);
    size_t slots_offset = rounded_up(sizeof(millrace_segment), slot_alignment);
    size_t fewest = rounded_up(slots_offset + FEWEST_SLOTS * stride, FIRST_BYTES);
    size_t first = options.first_bytes ? options.first_bytes : FIRST_BYTES;
    size_t largest = options.largest_bytes ? options.largest_bytes : LARGEST_BYTES;

    millrace_queue *queue = millrace_fault_here() ? NULL : aligned_alloc(MILLRACE_CACHE_LINE, sizeof(millrace_queue));
    if (!queue) {
        return MILLRACE_OUT_OF_MEMORY;
    }
    memset(queue, 0, sizeof *queue);
    queue->stride = stride;
    queue->payload_offset = payload_offset;
    queue->slots_offset = slots_offset;
    queue->first_bytes = first > fewest ? rounded_up(first, FIRST_BYTES) : fewest;
    queue->largest_bytes = largest > queue->first_bytes ? largest : queue->first_bytes;
    queue->map = options.map ? options.map : millrace_segment_map;
    queue->spare_limit = FEWEST_SPARES;
    queue->window.most_ahead = UINT64_MAX;
    millrace_doorbell_init(&queue->bell);
    atomic_store_explicit(&queue->link_bytes, queue->first_bytes, memory_order_relaxed);
    millrace_segment *segment = millrace_segment_obtain(queue);
    if (!segment) {
        free(queue);
        return MILLRACE_OUT_OF_MEMORY;
    }
    atomic_store_explicit(&segment->base, 0, memory_order_relaxed);
    open_segment(segment);
    enter_segment(queue, segment);
    /* relaxed: no other thread has the queue yet. */
    atomic_store_explicit(&queue->tail, segment, memory_order_relaxed);
    *out = queue;
    return MILLRACE_OK;
}

void millrace_queue_destroy(millrace_queue *queue, void (*visit)(unsigned char *slot, void *context), void *context) {
    unsigned char *slot;
    while ((slot = millrace_queue_front(queue))) {
        if (visit && !(millrace_slot_flags(slot) & MILLRACE_SLOT_HANDLED)) {
            visit(slot, context);
        }
        millrace_queue_pop(queue);
    }
    /* No other thread is in the queue any more, and each producer has left its read section after its last publication:
     * linked segments and spares need no grace period. */
    for (millrace_segment *segment = queue->head; segment;) {
        millrace_segment *next = atomic_load_explicit(&segment->next, memory_order_relaxed);
        atomic_store_explicit(&segment->below, queue->drained, memory_order_relaxed);
        queue->drained = segment;
        segment = next;
    }
    millrace_segment_unmap_list(queue->drained);
    millrace_segment_unmap_list(atomic_load_explicit(&queue->spares, memory_order_relaxed));
    millrace_segment_unmap_list(atomic_load_explicit(&queue->rejected, memory_order_relaxed));
    millrace_doorbell_unwatch(&queue->bell);
    free(queue);
}
