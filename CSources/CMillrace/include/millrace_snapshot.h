/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapshot: the latest version of a value. One owner publishes it; any thread reads it without a lock.
 *
 *                               [1] [2] [3] [4]
 *   [1] read                     -   -   -   X    any thread, between lend_begin and lend_end: wait-free, one load
 *   [2] publish                  -   X   X   X    the owner: wait-free, except that liburcu's worker may be woken
 *   [3] settle, reclaim, recycle -   X   X   X    the owner: lock-free
 *   [4] destroy                  X   X   X   X    after the last reader has gone
 *
 * The owner is one thread at a time: the thread that is the consumer of the pipeline at present.
 *
 * A value is in a node. The owner prepares a node, initialises its payload and publishes it; the previous node is then
 * retired. From time to time the owner looks whether any thread reads. If none does, no reader can see the retired
 * nodes any more. If one does, they wait for a grace period, and so do the nodes that are retired until a look finds no
 * reader. After the grace period liburcu's worker puts them on a list of the snapshot, and touches nothing else. The
 * payload is a value of the user, and only the owner destroys it, when it reclaims the node. So no destructor of the user
 * runs on liburcu's worker or in a read section.
 *
 * Why not a grace period for each node: liburcu's worker looks once in 10 ms. At 300,000 publications a second, 3,000 old
 * values waited for it, and were destroyed when their memory had left the caches.
 *
 * Lifetime: reference-counted. The owner has one reference, and each node that waits for a grace period has one.
 */
#ifndef MILLRACE_SNAPSHOT_H
#define MILLRACE_SNAPSHOT_H

#include "millrace_clock.h"
#include "millrace_platform.h"
#include "millrace_read_section.h"

typedef struct millrace_snapshot_node {
    void *_Nullable rcu[2]; /* used by liburcu while the node waits for a grace period */
    struct millrace_snapshot *_Nonnull snapshot;
    struct millrace_snapshot_node *_Nullable below; /* in the list of retired, unseen, returned or spare nodes */
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
    millrace_snapshot_node *_Nullable retired; /* a reader may still see them; not handed to liburcu */
    size_t retired_count;
    millrace_snapshot_node *_Nullable unseen; /* no reader can see them; to be reclaimed */
    millrace_reader_list *_Nonnull readers;
    bool has_readers;   /* the last look found some */
    uint64_t looked;    /* ticks: the end of the last look for readers */
    uint64_t look_cost; /* ticks that a look takes */
    char pad[2 * MILLRACE_CACHE_LINE - 14 * sizeof(uint64_t)];
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

/* Owner, outside of a read section: finds out whether readers can still see the retired nodes, and hands those nodes to
 * liburcu if they can. Unless `at_once`, it does so only if the last look was long enough ago: the looks of a snapshot take
 * about a ninth of its owner's time at most. */
void millrace_snapshot_settle(millrace_snapshot *_Nonnull snapshot, bool at_once);

/* Owner: returns a retired node that no reader can see any more, or null if none is known. The owner must then destroy the
 * value of the node. */
millrace_snapshot_node *_Nullable millrace_snapshot_reclaim(millrace_snapshot *_Nonnull snapshot);

/* Owner: gives back a node without a value, for the next prepare. */
void millrace_snapshot_recycle(millrace_snapshot *_Nonnull snapshot, millrace_snapshot_node *_Nonnull node);

/* Owner: the number of retired nodes that readers may still see. */
static inline uint64_t millrace_snapshot_waiting(const millrace_snapshot *_Nonnull snapshot) {
    /* relaxed: a hint; reclaim finds the nodes that have come back. */
    return atomic_load_explicit(&snapshot->references, memory_order_relaxed) - 1 + snapshot->retired_count;
}

/* Any thread, between lend_begin and lend_end: the latest node, valid until then. Never null after the first publish. */
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
