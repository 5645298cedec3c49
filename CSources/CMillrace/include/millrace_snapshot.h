/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapshot: the latest version of a value, published by one owner and read by any thread without a lock.
 *
 *                        [1] [2] [3] [4]
 *   [1] read              -   -   -   X    any thread, inside a read section: wait-free, one load
 *   [2] publish           -   X   X   X    the owner: wait-free but for liburcu's hand-over (may wake its worker)
 *   [3] reclaim, recycle  -   X   X   X    the owner: lock-free
 *   [4] destroy           X   X   X   X    after the last reader has gone
 *
 * The owner is whoever excludes itself: a pipeline's consumer, whichever thread that is now.
 *
 * A value lives in a node. The owner prepares a node, initialises its payload, publishes it; the node before it is
 * retired. After a grace period liburcu's worker puts the retired node on a list of the snapshot's and touches
 * nothing else: the payload is a user's value, and only the owner destroys it, when it reclaims. So no user's
 * destructor ever runs on liburcu's worker, nor in a read section.
 *
 * Lifetime: counted; one reference for the owner and one for every node that waits for a grace period.
 */
#ifndef MILLRACE_SNAPSHOT_H
#define MILLRACE_SNAPSHOT_H

#include "millrace_platform.h"
#include "millrace_read_section.h"

typedef struct millrace_snapshot_node {
    void *_Nullable rcu[2]; /* liburcu's, while it waits for a grace period */
    struct millrace_snapshot *_Nonnull snapshot;
    struct millrace_snapshot_node *_Nullable below;                   /* in the list of returned or of spare nodes */
    struct millrace_snapshot_node *_Nullable older, *_Nullable newer; /* owner: all nodes that hold a value */
    uint64_t version;
} millrace_snapshot_node;

typedef struct millrace_snapshot {
    size_t payload_offset;
    size_t node_bytes;
    size_t node_alignment;
    _Atomic(millrace_snapshot_node *) current;
    /* The owner's. */
    millrace_snapshot_node *_Nullable holding; /* head of the list of nodes that hold a value */
    millrace_snapshot_node *_Nullable spare;
    size_t spares;
    char pad[MILLRACE_CACHE_LINE - 7 * sizeof(uint64_t)];
    /* liburcu's worker pushes here. */
    _Atomic(millrace_snapshot_node *) returned;
    _Atomic uint64_t references;
} millrace_snapshot;

millrace_result millrace_snapshot_create(size_t payload_size, size_t payload_alignment,
                                         millrace_snapshot *_Nullable *_Nonnull out);

/* Calls `visit` with the payload of every node that still holds a value, then frees all. */
void millrace_snapshot_destroy(millrace_snapshot *_Nonnull snapshot,
                               void (*_Nullable visit)(void *_Nonnull payload, void *_Nullable context),
                               void *_Nullable context);

static inline void *_Nonnull millrace_snapshot_payload(const millrace_snapshot *_Nonnull snapshot,
                                                       millrace_snapshot_node *_Nonnull node) {
    return (char *)node + snapshot->payload_offset;
}

/* Owner: a node without a value; null when there is no memory. Publish it or recycle it. */
millrace_snapshot_node *_Nullable millrace_snapshot_prepare(millrace_snapshot *_Nonnull snapshot);

/* Owner: makes a node, whose payload now holds a value, the latest. */
void millrace_snapshot_publish(millrace_snapshot *_Nonnull snapshot, millrace_snapshot_node *_Nonnull node,
                               uint64_t version);

/* Owner: a node that no reader can see any more and whose value the owner now destroys; null when there is none. */
millrace_snapshot_node *_Nullable millrace_snapshot_reclaim(millrace_snapshot *_Nonnull snapshot);

/* Owner: takes a node without a value back, for the next prepare. */
void millrace_snapshot_recycle(millrace_snapshot *_Nonnull snapshot, millrace_snapshot_node *_Nonnull node);

/* Owner: how many retired nodes still wait for their grace period. */
static inline uint64_t millrace_snapshot_waiting(const millrace_snapshot *_Nonnull snapshot) {
    /* relaxed: a hint; what has come back is seen by reclaim. */
    return atomic_load_explicit(&snapshot->references, memory_order_relaxed) - 1;
}

/* Any thread in a read section: the latest node, valid until the section ends. Never null after the first publish. */
static inline millrace_snapshot_node *_Nullable millrace_snapshot_read(const millrace_snapshot *_Nonnull snapshot) {
    /* acquire: the node's content; pairs with the exchange in millrace_snapshot_publish. */
    return atomic_load_explicit(&snapshot->current, memory_order_acquire);
}

/* Any thread, before it leaves the section in which it read: tells ThreadSanitizer so. Nothing elsewhere. */
static inline void millrace_snapshot_leave(const millrace_snapshot_node *_Nonnull node) {
    millrace_happens_before(node);
}

#endif
