/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_snapshot.h"

#include "fault.h"
#include "membarrier.h"

#include <stdlib.h>
#include <urcu/urcu-bp.h>

/* The most nodes that are kept for the next publications; more go back to the allocator. */
#ifdef MILLRACE_TINY
enum { MOST_SPARES = 2 }; /* for the memory-model checker */
#else
enum { MOST_SPARES = 32 };
#endif
enum { LARGEST_ALIGNMENT = 4096 };
/* With so many retired nodes the owner looks for readers in any case. */
enum { MOST_RETIRED = 1024 };

_Static_assert(sizeof(struct rcu_head) <= sizeof(((millrace_snapshot_node *)0)->rcu),
               "the field rcu has room for liburcu's rcu_head");
_Static_assert(offsetof(millrace_snapshot_node, rcu) == 0,
               "rcu is the first field, so the callback gets the node's address");

static size_t rounded_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

millrace_result millrace_snapshot_create(size_t payload_size, size_t payload_alignment, millrace_snapshot **out) {
    size_t alignment = payload_alignment > 16 ? payload_alignment : 16;
    if (alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) != 0 || payload_size > SIZE_MAX / 4) {
        return MILLRACE_INVALID_ARGUMENT;
    }
    millrace_snapshot *snapshot = millrace_fault_here() ? NULL : calloc(1, sizeof *snapshot);
    if (!snapshot) {
        return MILLRACE_OUT_OF_MEMORY;
    }
    snapshot->payload_offset = rounded_up(sizeof(millrace_snapshot_node), alignment);
    snapshot->node_bytes = rounded_up(snapshot->payload_offset + payload_size, alignment);
    snapshot->node_alignment = alignment;
    snapshot->readers = &millrace_readers_here;
    atomic_init(&snapshot->references, 1);
    *out = snapshot;
    return MILLRACE_OK;
}

static void free_all(millrace_snapshot_node *node) {
    while (node) {
        millrace_snapshot_node *below = node->below;
        free(node);
        node = below;
    }
}

static void release(millrace_snapshot *snapshot) {
    /* acq_rel: what each holder of a reference did comes before the free. */
    if (atomic_fetch_sub_explicit(&snapshot->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    free_all(atomic_load_explicit(&snapshot->returned, memory_order_relaxed));
    free(snapshot);
}

/* Runs on liburcu's worker. Must not touch the payload. */
static void after_grace_period(struct rcu_head *head) {
    millrace_snapshot_node *node = (millrace_snapshot_node *)(void *)head;
    millrace_happens_after(node);
    millrace_snapshot *snapshot = node->snapshot;
    millrace_snapshot_node *top = atomic_load_explicit(&snapshot->returned, memory_order_relaxed);
    do {
        node->below = top;
        /* release: `below` before the node; pairs with the load and the compare-and-swap in
         * millrace_snapshot_reclaim. */
    } while (!atomic_compare_exchange_weak_explicit(&snapshot->returned, &top, node, memory_order_release,
                                                    memory_order_relaxed));
    release(snapshot);
}

millrace_snapshot_node *millrace_snapshot_prepare(millrace_snapshot *snapshot) {
    millrace_snapshot_node *node = snapshot->spare;
    if (node) {
        snapshot->spare = node->below;
        snapshot->spares -= 1;
        return node;
    }
    node = millrace_fault_here() ? NULL : aligned_alloc(snapshot->node_alignment, snapshot->node_bytes);
    if (node) {
        node->snapshot = snapshot;
    }
    return node;
}

static void wait_for_grace_period(millrace_snapshot *snapshot, millrace_snapshot_node *node) {
    /* relaxed: the owner holds a reference. */
    atomic_fetch_add_explicit(&snapshot->references, 1, memory_order_relaxed);
    millrace_happens_before(node);
    urcu_bp_call_rcu((struct rcu_head *)node->rcu, after_grace_period);
}

void millrace_snapshot_publish(millrace_snapshot *snapshot, millrace_snapshot_node *node, uint64_t version) {
    node->version = version;
    node->newer = NULL;
    node->older = snapshot->holding;
    if (node->older) {
        node->older->newer = node;
    }
    snapshot->holding = node;
    MILLRACE_INTERLEAVE();
    /* release: the content of the node before the pointer to it; pairs with millrace_snapshot_read. Readers that loaded
     * `current` before still see the old node. This owner has published it, or an earlier one: the baton orders them. */
    millrace_snapshot_node *old = atomic_exchange_explicit(&snapshot->current, node, memory_order_release);
    if (!old) {
        return;
    }
    if (snapshot->has_readers || !millrace_has_membarrier()) {
        wait_for_grace_period(snapshot, old);
        return;
    }
    old->below = snapshot->retired;
    snapshot->retired = old;
    snapshot->retired_count += 1;
}

/* Whether it is time for a look. */
static bool is_due(const millrace_snapshot *snapshot, uint64_t now) {
    /* In case the clock has stepped back. */
    if (snapshot->retired_count >= MOST_RETIRED) {
        return true;
    }
    return millrace_clock_passed(snapshot->looked, now) >= 8 * snapshot->look_cost;
}

void millrace_snapshot_settle(millrace_snapshot *snapshot, bool at_once) {
    if (!snapshot->retired && !snapshot->has_readers) {
        return;
    }
    uint64_t begin = millrace_clock_ticks();
    if (!at_once && !is_due(snapshot, begin)) {
        return;
    }
    bool are_unseen = millrace_reader_list_is_quiet(snapshot->readers);
    snapshot->looked = millrace_clock_ticks();
    uint64_t cost = millrace_clock_passed(begin, snapshot->looked);
    /* At most twice the last one: a thread that lost its processor in a look must not wait eight times as long. */
    uint64_t most = 2 * snapshot->look_cost;
    snapshot->look_cost = most != 0 && cost > most ? most : cost;
    snapshot->has_readers = !are_unseen;
    millrace_snapshot_node *node = snapshot->retired;
    snapshot->retired = NULL;
    snapshot->retired_count = 0;
    while (node) {
        millrace_snapshot_node *below = node->below;
        if (are_unseen) {
            millrace_happens_after(node);
            node->below = snapshot->unseen;
            snapshot->unseen = node;
        } else {
            wait_for_grace_period(snapshot, node);
        }
        node = below;
    }
}

static void forget(millrace_snapshot_node *node) {
    /* `newer` is never null: the current node is newer than each node that is freed. */
    node->newer->older = node->older;
    if (node->older) {
        node->older->newer = node->newer;
    }
}

millrace_snapshot_node *millrace_snapshot_reclaim(millrace_snapshot *snapshot) {
    millrace_snapshot_node *unseen = snapshot->unseen;
    if (unseen) {
        snapshot->unseen = unseen->below;
        forget(unseen);
        return unseen;
    }
    /* acquire: `below`, and each reader's use of the node, which ended before the node's grace period did; pairs with
     * the compare-and-swap in after_grace_period. Only the owner pops, so there is no ABA. The swap needs no order on
     * success, but C11 does not allow a weaker one than on failure. */
    millrace_snapshot_node *top = atomic_load_explicit(&snapshot->returned, memory_order_acquire);
    while (top) {
        if (atomic_compare_exchange_weak_explicit(&snapshot->returned, &top, top->below, memory_order_acquire,
                                                  memory_order_acquire)) {
            forget(top);
            return top;
        }
    }
    return NULL;
}

void millrace_snapshot_recycle(millrace_snapshot *snapshot, millrace_snapshot_node *node) {
    if (snapshot->spares == MOST_SPARES) {
        free(node);
        return;
    }
    node->below = snapshot->spare;
    snapshot->spare = node;
    snapshot->spares += 1;
}

void millrace_snapshot_destroy(millrace_snapshot *snapshot, void (*visit)(void *payload, void *context),
                               void *context) {
    /* Visits all values first: no reader is left, so no value needs a grace period. The memory of nodes that wait for a
     * grace period is freed after their callbacks have run. */
    for (millrace_snapshot_node *node = snapshot->holding; node; node = node->older) {
        if (visit) {
            visit(millrace_snapshot_payload(snapshot, node), context);
        }
    }
    free(atomic_load_explicit(&snapshot->current, memory_order_relaxed));
    free_all(snapshot->spare);
    free_all(snapshot->retired);
    free_all(snapshot->unseen);
    release(snapshot);
}
