/* SPDX-License-Identifier: Apache-2.0 */

#include "segment.h"

#include "fault.h"

#include <sys/mman.h>
#include <urcu/urcu-bp.h>

_Static_assert(sizeof(struct rcu_head) <= sizeof(((millrace_segment *)0)->rcu), "liburcu's head fits");

static millrace_segment *below_of(millrace_segment *segment) {
    return atomic_load_explicit(&segment->below, memory_order_relaxed);
}

static void set_below(millrace_segment *segment, millrace_segment *below) {
    atomic_store_explicit(&segment->below, below, memory_order_relaxed);
}

void *millrace_segment_map(size_t bytes) {
    if (millrace_fault_here()) {
        return NULL;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static millrace_segment *take_spare(millrace_queue *queue) {
    /* acquire: `below`, and the consumer's last use of the slots; pairs with the push in millrace_segment_recycle. */
    millrace_segment *top = atomic_load_explicit(&queue->spares, memory_order_acquire);
    while (top) {
        MILLRACE_REUSE_EVENT(has, top);
        MILLRACE_INTERLEAVE();
        /* acquire on failure: the next `top`, as above. Success would need no order, but C11 does not allow a weaker one
         * than on failure. No ABA: `top` cannot be pushed again while this thread is counted in `linkers` (Q2). */
        if (atomic_compare_exchange_weak_explicit(&queue->spares, &top, below_of(top), memory_order_acquire,
                                                  memory_order_acquire)) {
            MILLRACE_REUSE_EVENT(taken, top);
            atomic_fetch_sub_explicit(&queue->spare_count, 1, memory_order_relaxed);
            return top;
        }
    }
    return NULL;
}

static millrace_segment *map_segment(millrace_queue *queue) {
    /* relaxed, all: a hint for the size, and a statistic. Every size that racing writers store is valid. */
    size_t bytes = atomic_load_explicit(&queue->link_bytes, memory_order_relaxed);
    millrace_segment *segment = queue->map(bytes);
    if (!segment) {
        return NULL;
    }
    if (bytes < queue->largest_bytes) {
        size_t doubled = bytes * 2 < queue->largest_bytes ? bytes * 2 : queue->largest_bytes;
        atomic_store_explicit(&queue->link_bytes, doubled, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&queue->mapped, 1, memory_order_relaxed);
    segment->bytes = bytes;
    segment->capacity = (bytes - queue->slots_offset) / queue->stride;
    return segment;
}

millrace_segment *millrace_segment_obtain(millrace_queue *queue) {
    millrace_segment *segment = take_spare(queue);
    if (!segment) {
        segment = map_segment(queue);
    }
    if (segment) {
        /* relaxed, both: the compare-and-swap that links the segment publishes them. Overwriting `claimed` can lose the
         * addition of a producer with a stale pointer. That does no harm: the producer gets an index beyond the
         * capacity with the old value and with the new one. */
        atomic_store_explicit(&segment->next, NULL, memory_order_relaxed);
        atomic_store_explicit(&segment->claimed, MILLRACE_SEGMENT_SHUT, memory_order_relaxed);
    }
    return segment;
}

void millrace_segment_reject(millrace_queue *queue, millrace_segment *segment) {
    millrace_segment *top = atomic_load_explicit(&queue->rejected, memory_order_relaxed);
    do {
        set_below(segment, top);
        /* release: this thread's place in `linkers` and `below` before the segment; pairs with the exchange in
         * millrace_segment_recycle. That takes the whole stack, so there is no ABA. */
    } while (!atomic_compare_exchange_weak_explicit(&queue->rejected, &top, segment, memory_order_release,
                                                    memory_order_relaxed));
}

static void after_grace_period(struct rcu_head *head) {
    millrace_segment *segment = (millrace_segment *)(void *)((char *)head - offsetof(millrace_segment, rcu));
    millrace_happens_after(segment);
    munmap(segment, segment->bytes);
}

static void retire(millrace_queue *queue, millrace_segment *segment) {
    atomic_fetch_sub_explicit(&queue->mapped, 1, memory_order_relaxed);
    queue->retired++;
    millrace_happens_before(segment);
    urcu_bp_call_rcu((struct rcu_head *)(void *)segment->rcu, after_grace_period);
}

static uint64_t most_spares(const millrace_queue *queue) {
    uint64_t most = MOST_BYTES / queue->largest_bytes;
    return most > MOST_SPARES ? MOST_SPARES : most < FEWEST_SPARES ? FEWEST_SPARES : most;
}

/* Fresh memory costs a page fault for each page. So the limit doubles when producers had to map a segment. It falls by
 * half of the spares that nobody has taken while LOOK_EVERY segments were drained. While there are as many spares as the
 * limit, a drained segment goes back to the system. */
static void adjust_limit(millrace_queue *queue) {
    /* relaxed, both: numbers that decide only how much memory is kept. */
    uint64_t spares = atomic_load_explicit(&queue->spare_count, memory_order_relaxed);
    uint64_t maps = atomic_load_explicit(&queue->mapped, memory_order_relaxed) + queue->retired;
    bool is_short = maps != queue->known_maps;
    queue->known_maps = maps;
    if (is_short) {
        uint64_t most = most_spares(queue);
        queue->spare_limit = queue->spare_limit * 2 < most ? queue->spare_limit * 2 : most;
    } else {
        queue->fewest_spares = spares < queue->fewest_spares ? spares : queue->fewest_spares;
        if (++queue->drained_count < LOOK_EVERY) {
            return;
        }
        uint64_t unneeded = queue->fewest_spares / 2;
        queue->spare_limit =
            queue->spare_limit > FEWEST_SPARES + unneeded ? queue->spare_limit - unneeded : FEWEST_SPARES;
    }
    queue->fewest_spares = spares;
    queue->drained_count = 0;
}

void millrace_segment_drain(millrace_queue *queue, millrace_segment *segment) {
    if (segment->bytes == queue->largest_bytes) { /* smaller ones are replaced by larger ones, whatever the limit */
        adjust_limit(queue);
    }
    set_below(segment, queue->drained);
    queue->drained = segment;
    millrace_segment_recycle(queue);
}

static void push_spare(millrace_queue *queue, millrace_segment *segment) {
    MILLRACE_REUSE_EVENT(spare, segment);
    atomic_fetch_add_explicit(&queue->spare_count, 1, memory_order_relaxed); /* before a pop can subtract it */
    millrace_segment *top = atomic_load_explicit(&queue->spares, memory_order_relaxed);
    do {
        set_below(segment, top);
        /* release: `below`, and the consumer's last use of the slots; pairs with take_spare. */
    } while (!atomic_compare_exchange_weak_explicit(&queue->spares, &top, segment, memory_order_release,
                                                    memory_order_relaxed));
}

void millrace_segment_recycle(millrace_queue *queue) {
    /* seq_cst: after the compare-and-swap that moved `tail` past the drained segments. A producer that counts itself in
     * later loads a `tail` beyond them. A producer that counted itself out has released its last use. Pairs with
     * millrace_queue_claim_slowly. */
    if (atomic_load_explicit(&queue->linkers, memory_order_seq_cst) != 0) {
        return; /* at the next call */
    }
    MILLRACE_INTERLEAVE();
    millrace_segment *segment = queue->drained;
    while (segment) {
        millrace_segment *below = below_of(segment);
        if (segment->bytes == queue->largest_bytes &&
            atomic_load_explicit(&queue->spare_count, memory_order_relaxed) < queue->spare_limit) {
            push_spare(queue, segment);
        } else {
            retire(queue, segment);
        }
        segment = below;
    }
    /* Rejected segments wait for the next look at `linkers`, which must come after the consumer has taken them here.
     * acquire: so that look sees the producers that have rejected them, if they are still counted. */
    queue->drained = atomic_load_explicit(&queue->rejected, memory_order_relaxed)
                         ? atomic_exchange_explicit(&queue->rejected, NULL, memory_order_acquire)
                         : NULL;
}

void millrace_segment_shrink(millrace_queue *queue) {
    queue->spare_limit = FEWEST_SPARES; /* the queue is quiet: what the next bursts need is not known */
    /* relaxed: only the consumer pushes. */
    millrace_segment *segment = atomic_exchange_explicit(&queue->spares, NULL, memory_order_relaxed);
    while (segment) {
        millrace_segment *below = below_of(segment);
        MILLRACE_REUSE_EVENT(taken, segment);
        atomic_fetch_sub_explicit(&queue->spare_count, 1, memory_order_relaxed);
        retire(queue, segment); /* a producer on the slow path may read it, in a read section */
        segment = below;
    }
}

void millrace_segment_unmap_list(millrace_segment *segment) {
    while (segment) {
        millrace_segment *below = below_of(segment);
        munmap(segment, segment->bytes);
        segment = below;
    }
}
