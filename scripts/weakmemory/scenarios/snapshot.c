/* SPDX-License-Identifier: Apache-2.0
 *
 * An owner that publishes versions and destroys the old ones, and readers. Payloads are plain memory. Each reader enters the
 * list of readers when it begins, except that some have no entry.
 */
#include "shared.h"

typedef struct part {
    millrace_snapshot *snapshot;
    millrace_reader *reader; /* NULL: it has no entry */
    uint64_t looks;
} part;

static uint64_t *payload_of(millrace_snapshot *snapshot, millrace_snapshot_node *node) {
    return (uint64_t *)millrace_snapshot_payload(snapshot, node);
}

static void read_versions(void *argument) {
    const part *part = argument;
    millrace_reader_list *readers = part->snapshot->readers;
    uint64_t last = 0;
    if (part->reader) {
        millrace_reader_list_add(readers, part->reader);
    }
    for (uint64_t look = 0; look < part->looks; look++) {
        part->reader ? millrace_reader_begin(part->reader) : millrace_reader_begin_unlisted(readers);
        millrace_read_begin();
        millrace_snapshot_node *node = millrace_snapshot_read(part->snapshot);
        if (node) {
            uint64_t version = node->version;
            check_that(*payload_of(part->snapshot, node) == version * 3, "version %d was destroyed", (int)version);
            check_that(version >= last, "version %d after %d", (int)version, (int)last);
            last = version;
        }
        millrace_read_end();
        part->reader ? millrace_reader_end(part->reader) : millrace_reader_end_unlisted(readers);
    }
}

static void reclaim(millrace_snapshot *snapshot) {
    millrace_snapshot_settle(snapshot, check_random(2) == 0);
    millrace_snapshot_node *old;
    while ((old = millrace_snapshot_reclaim(snapshot))) {
        *payload_of(snapshot, old) = 0; /* as the destructor of a value would */
        millrace_snapshot_recycle(snapshot, old);
    }
}

static void visit(void *payload, void *context) {
    (void)context;
    *(uint64_t *)payload = 0;
}

void scenario_snapshot(void) {
    millrace_snapshot *snapshot = NULL;
    check_that(millrace_snapshot_create(sizeof(uint64_t), 8, &snapshot) == MILLRACE_OK, "no snapshot");
    uint64_t readers = 1 + check_random(3), versions = 4 + check_random(8);
    part *parts = calloc(readers, sizeof(part));
    snapshot->readers = calloc(1, sizeof(millrace_reader_list));
    for (uint64_t reader = 0; reader < readers; reader++) {
        parts[reader] = (part){
            .snapshot = snapshot,
            .reader = check_random(3) == 0 ? NULL : calloc(1, sizeof(millrace_reader)),
            .looks = 2 + check_random(6),
        };
        check_spawn(reader == 0 ? "reader 0" : reader == 1 ? "reader 1" : "reader 2", read_versions, &parts[reader]);
    }
    for (uint64_t version = 1; version <= versions; version++) {
        reclaim(snapshot);
        millrace_snapshot_node *node = millrace_snapshot_prepare(snapshot);
        *payload_of(snapshot, node) = version * 3;
        millrace_snapshot_publish(snapshot, node, version);
        if (check_random(4) == 0) {
            check_yield();
        }
    }
    check_join();
    free(snapshot->readers);
    millrace_snapshot_destroy(snapshot, visit, NULL);
    for (uint64_t reader = 0; reader < readers; reader++) {
        free(parts[reader].reader);
    }
    free(parts);
}
