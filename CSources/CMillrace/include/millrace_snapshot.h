/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapshot: the latest version of a value. One owner publishes it; any thread reads it without a lock.
 *
 *                        [1] [2] [3] [4]
 *   [1] read              -   -   -   X    any thread, inside a read section: wait-free, one load
 *   [2] publish           -   X   X   X    the owner: wait-free, except for the call to liburcu (may wake its worker)
 *   [3] reclaim, recycle  -   X   X   X    the owner: lock-free
 *   [4] destroy           X   X   X   X    after the last reader has gone
 *
 * The owner is one thread at a time: the thread that is the consumer of the pipeline at present.
 *
 * A value is in a node. The owner prepares a node, initialises its payload and publishes it; the previous node is then
 * retired. After a grace period liburcu's worker puts the retired node on a list of the snapshot and touches nothing
 * else. The payload is a value of the user, and only the owner destroys it, when it reclaims the node. So no destructor
 * of the user runs on liburcu's worker or in a read section.
 *
 * Lifetime: reference-counted. The owner has one reference, and each node that waits for a grace period has one.
 */
#ifndef MILLRACE_SNAPSHOT_H
#define MILLRACE_SNAPSHOT_H

#include "millrace_platform.h"
#include "millrace_read_section.h"

typedef struct millrace_snapshot_node {
    void *_Nullable rcu[2]; /* used by liburcu while the node waits for a grace period */
    struct millrace_snapshot *_Nonnull snapshot;
    struct millrace_snapshot_node *_Nullable below; /* in the list of returned nodes, or of spare ones */
    struct millrace_snapshot_node *_Nullable older, *_Nullable newer; /* owner: all nodes that hold a value */
    uint64_t version;
} millrace_snapshot_node;

typedef struct millrace_snapshot {
    size_t payload_offset;
    size_t node_bytes;
    size_t node_alignment;
    _Atomic(millrace_snapshot_node *) current;
    /* Touched by the owner only. */
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

/* Calls `visit` with the payload of every node that still holds a value, then frees everything. */
void millrace_snapshot_destroy(millrace_snapshot *_Nonnull snapshot,
                               void (*_Nullable visit)(void *_Nonnull payload, void *_Nullable context),
                               void *_Nullable context);

static inline void *_Nonnull millrace_snapshot_payload(const millrace_snapshot *_Nonnull snapshot,
                                                       millrace_snapshot_node *_Nonnull node) {
    return (char *)node + snapshot->payload_offset;
}

/* Owner: returns a node without a value, or null when there is no memory. The owner must publish or recycle the
 * node. */
millrace_snapshot_node *_Nullable millrace_snapshot_prepare(millrace_snapshot *_Nonnull snapshot);

/* Owner: makes a node the latest one. Its payload must hold a value. */
void millrace_snapshot_publish(millrace_snapshot *_Nonnull snapshot, millrace_snapshot_node *_Nonnull node,
                               uint64_t version);

/* Owner: returns a retired node that no reader can see any more, or null if there is none. The owner must then destroy
 * the value of the node. */
millrace_snapshot_node *_Nullable millrace_snapshot_reclaim(millrace_snapshot *_Nonnull snapshot);

/* Owner: gives back a node without a value, for the next prepare. */
void millrace_snapshot_recycle(millrace_snapshot *_Nonnull snapshot, millrace_snapshot_node *_Nonnull node);

/* Owner: the number of retired nodes that still wait for their grace period. */
static inline uint64_t millrace_snapshot_waiting(const millrace_snapshot *_Nonnull snapshot) {
    /* relaxed: a hint; reclaim finds the nodes that have come back. */
    return atomic_load_explicit(&snapshot->references, memory_order_relaxed) - 1;
}

/* Any thread in a read section: the latest node, valid until the section ends. Never null after the first publish. */
static inline millrace_snapshot_node *_Nullable millrace_snapshot_read(const millrace_snapshot *_Nonnull snapshot) {
    /* acquire: the node's content; pairs with the exchange in millrace_snapshot_publish. */
    return atomic_load_explicit(&snapshot->current, memory_order_acquire);
}

/* Any thread, before it leaves the section in which it read the node: tells ThreadSanitizer that the read is over. Does
 * nothing without ThreadSanitizer. */
static inline void millrace_snapshot_leave(const millrace_snapshot_node *_Nonnull node) {
    millrace_happens_before(node);
}

#endif
