/* SPDX-License-Identifier: Apache-2.0 */

#include "window.h"

#include "membarrier.h"

static const uint64_t ONE_SLOT = (uint64_t)1 << MILLRACE_SLOT_FLAG_BITS;

/* Loads the ready word of a slot. Returns what is left of it without the stamp: the flags if the slot is published. */
static uint64_t rest_of(const unsigned char *slot, uint64_t stamp) {
    /* seq_cst: the second look after a store of `sleeping` or `held`, as in millrace_queue_has_ready. It also acquires
     * the content of the slot; pairs with millrace_queue_publish. */
    return atomic_load_explicit(&((const millrace_slot *)(const void *)slot)->ready, memory_order_seq_cst) - stamp;
}

static bool is_published(uint64_t rest) { return rest < ONE_SLOT; }

static unsigned char *end_of(const millrace_queue *queue, const millrace_window *window, millrace_segment *segment) {
    return segment == window->head ? window->head_end : millrace_queue_slot(queue, segment, segment->capacity);
}

/* Counts published actions from a slot on, up to `most`; at least this one. */
static uint64_t count_actions(const millrace_queue *queue, const unsigned char *slot, uint64_t stamp, uint64_t most) {
    uint64_t count = 1;
    for (; count < most; count++) {
        uint64_t rest = rest_of(slot + count * queue->stride, stamp + count * ONE_SLOT);
        if (!is_published(rest) || rest & (MILLRACE_SLOT_MESSAGE | MILLRACE_SLOT_HANDLED)) {
            break;
        }
    }
    return count;
}

static void drop_gap(millrace_window *window, uint64_t index) {
    window->gap_slots -= window->gaps[index].count;
    window->gap_count -= 1;
    for (; index < window->gap_count; index++) {
        window->gaps[index] = window->gaps[index + 1];
    }
}

const millrace_window *millrace_window_follow(millrace_queue *queue) {
    millrace_window *window = &queue->window;
    window->head = queue->head;
    window->head_end = queue->head_end;
    /* Also if both are equal: the cursor may stand at the end of a segment that the consumer has left. */
    if (!window->segment || window->stamp <= queue->stamp) {
        window->segment = queue->head;
        window->slot = queue->head_slot;
        window->stamp = queue->stamp;
        window->gap_count = window->gap_slots = 0;
    }
    /* Slots that the consumer has passed are not handled a second time (W3). */
    while (window->gap_count > 0 && window->gaps[0].stamp < queue->stamp) {
        millrace_gap *gap = &window->gaps[0];
        uint64_t passed = (queue->stamp - gap->stamp) / ONE_SLOT;
        if (passed >= gap->count) {
            drop_gap(window, 0);
            continue;
        }
        gap->slot += passed * queue->stride;
        gap->stamp = queue->stamp;
        gap->count -= passed;
        window->gap_slots -= passed;
    }
    return window;
}

/* The index of the cursor in its segment. */
static uint64_t index_of(const millrace_window *window) {
    return (window->stamp >> MILLRACE_SLOT_FLAG_BITS) - 1 - millrace_segment_base(window->segment);
}

/* Moves the cursor over the unpublished slots that begin there. Returns false if it stays: no slot behind them is
 * published, or there are too many gaps. */
static bool pass_gap(const millrace_queue *queue, millrace_window *window) {
    uint64_t limit = (uint64_t)(end_of(queue, window, window->segment) - window->slot) / queue->stride;
    uint64_t index = index_of(window), count = 1;
    while (count < limit && millrace_segment_has_claimed(window->segment, index + count) &&
           !is_published(rest_of(window->slot + count * queue->stride, window->stamp + count * ONE_SLOT))) {
        count++;
    }
    if ((count < limit && !millrace_segment_has_claimed(window->segment, index + count)) ||
        window->gap_count == MILLRACE_MOST_GAPS || window->gap_slots + count > MILLRACE_MOST_GAP_SLOTS) {
        return false;
    }
    window->gaps[window->gap_count++] = (millrace_gap){window->slot, window->stamp, count};
    window->gap_slots += count;
    window->slot += count * queue->stride;
    window->stamp += count * ONE_SLOT;
    return true;
}

/* Moves the cursor over handled slots and over gaps, if `waits` only over gaps that were there at an earlier look. Returns
 * the number of published actions at the cursor, up to `most`; they are all in one segment. */
static uint64_t look(const millrace_queue *queue, millrace_window *window, uint64_t most, bool waits) {
    if (window->ahead >= window->most_ahead) {
        return 0;
    }
    while (true) {
        millrace_segment *segment = window->segment;
        if (window->slot == end_of(queue, window, segment)) {
            /* seq_cst: as in millrace_queue_advance. */
            millrace_segment *next = atomic_load_explicit(&segment->next, memory_order_seq_cst);
            if (!next) {
                return 0;
            }
            window->segment = next;
            window->slot = millrace_queue_slot(queue, next, 0);
            /* Not the stamp after the last slot: a trim may have taken the end of the segment out of use. */
            window->stamp = (millrace_segment_base(next) + 1) << MILLRACE_SLOT_FLAG_BITS;
            continue;
        }
        uint64_t rest = rest_of(window->slot, window->stamp);
        if (is_published(rest)) {
            if (rest & MILLRACE_SLOT_MESSAGE) {
                return 0; /* W2 */
            }
            if (rest & MILLRACE_SLOT_HANDLED) {
                window->slot += queue->stride;
                window->stamp += ONE_SLOT;
                continue;
            }
            uint64_t left = (uint64_t)(end_of(queue, window, segment) - window->slot) / queue->stride;
            return count_actions(queue, window->slot, window->stamp, most < left ? most : left);
        }
        if (!millrace_segment_has_claimed(segment, index_of(window))) {
            return 0;
        }
        if (waits && window->noted != window->stamp) {
            window->noted = window->stamp;
            return 0;
        }
        if (!pass_gap(queue, window)) {
            return 0;
        }
    }
}

typedef struct place {
    unsigned char *slot;
    uint64_t stamp, flags;
    uint64_t left; /* slots from here to the end of the gap */
} place;

/* Finds the oldest slot of a gap that is published, not handled, and older than the slot with the stamp `before`. Returns
 * false, and leaves `out` alone, if there is none. Forgets gaps whose slots are all handled. */
static bool find_in_gaps(const millrace_queue *queue, millrace_window *window, uint64_t before, place *out) {
    for (uint64_t index = 0; index < window->gap_count && window->gaps[index].stamp < before;) {
        millrace_gap gap = window->gaps[index];
        uint64_t handled = 0;
        for (uint64_t at = 0; at < gap.count && gap.stamp + at * ONE_SLOT < before; at++) {
            place here = {gap.slot + at * queue->stride, gap.stamp + at * ONE_SLOT, 0, gap.count - at};
            here.flags = rest_of(here.slot, here.stamp);
            if (is_published(here.flags) && !(here.flags & MILLRACE_SLOT_HANDLED)) {
                *out = here;
                return true;
            }
            handled += is_published(here.flags);
        }
        if (handled == gap.count) {
            drop_gap(window, index);
        } else {
            index++;
        }
    }
    return false;
}

bool millrace_window_has_ready(const millrace_queue *queue, millrace_window *copy) {
    place oldest;
    if (find_in_gaps(queue, copy, copy->stamp, &oldest)) {
        return !(oldest.flags & MILLRACE_SLOT_MESSAGE); /* a message has its place before all that follows */
    }
    return look(queue, copy, 1, false) > 0;
}

bool millrace_queue_has_ready_behind(millrace_queue *queue) {
    uint64_t index = millrace_queue_position(queue) - queue->head_base;
    if (queue->head_slot != queue->head_end && !millrace_segment_has_claimed(queue->head, index)) {
        return false;
    }
    millrace_window copy = *millrace_window_follow(queue);
    return millrace_window_has_ready(queue, &copy);
}

bool millrace_queue_open_window(millrace_queue *queue, uint64_t most) {
    millrace_window *window = &queue->window;
    millrace_window_follow(queue);
    place first;
    uint64_t count;
    if (find_in_gaps(queue, window, window->stamp, &first)) {
        count = count_actions(queue, first.slot, first.stamp, most < first.left ? most : first.left);
    } else {
        count = look(queue, window, most, true);
        first = (place){window->slot, window->stamp, 0, 0};
        if (count == 0) {
            return false;
        }
    }
    /* W1. Makes what other cores have published visible here. Without membarrier, producers publish by seq_cst stores,
     * which are visible when their dispatch returns. */
    if (queue->bell.asymmetric && !millrace_membarrier()) {
        millrace_stop(
            "the system refuses membarrier, which it allowed when the program started: a seccomp filter that is "
            "installed later must allow it");
    }
    /* Each slot found here was claimed before the barrier, so no dispatch of an older gap had returned by then. But a run
     * may be published meanwhile, and its younger slot be found first: the loop goes back to its oldest one. */
    while (find_in_gaps(queue, window, first.stamp, &first)) {
        count = 1;
    }
    if (first.flags & MILLRACE_SLOT_MESSAGE) {
        return false;
    }
    window->oldest_slot = queue->head_slot;
    window->oldest_end = queue->head_end;
    window->oldest_stamp = queue->stamp;
    queue->head_slot = window->first_slot = first.slot;
    queue->stamp = window->first_stamp = first.stamp;
    queue->head_end = first.slot + count * queue->stride;
    return true;
}

void millrace_queue_set_most_ahead(millrace_queue *queue, uint64_t slots) { queue->window.most_ahead = slots; }

void millrace_queue_close_window(millrace_queue *queue) {
    millrace_window *window = &queue->window;
    if (window->first_slot == window->slot) {
        window->slot = queue->head_slot;
        window->stamp = queue->stamp;
    }
    unsigned char *slot = window->first_slot;
    uint64_t handled = (queue->stamp - window->first_stamp) / ONE_SLOT;
    window->ahead += handled;
    queue->unused += handled;
    for (uint64_t stamp = window->first_stamp; stamp < queue->stamp; stamp += ONE_SLOT) {
        /* relaxed: only consumers read the word of a published slot. */
        atomic_store_explicit(&((millrace_slot *)(void *)slot)->ready, stamp | MILLRACE_SLOT_HANDLED,
                              memory_order_relaxed);
        slot += queue->stride;
    }
    queue->head_slot = window->oldest_slot;
    queue->head_end = window->oldest_end;
    queue->stamp = window->oldest_stamp;
    window->oldest_slot = NULL;
}
