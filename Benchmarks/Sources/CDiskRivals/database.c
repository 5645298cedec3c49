/* SPDX-License-Identifier: Apache-2.0 */
#include "disk_rivals.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool run(sqlite3 *database, const char *text) {
    return sqlite3_exec(database, text, NULL, NULL, NULL) == SQLITE_OK;
}

/* One statement is compiled once and reset for each event. */
static bool insert(sqlite3 *database, uint64_t events, uint64_t event_bytes, uint64_t group) {
    sqlite3_stmt *statement = NULL;
    char *bytes = malloc(event_bytes);
    bool is_done =
        bytes && sqlite3_prepare_v2(database, "INSERT INTO events(body) VALUES (?)", -1, &statement, NULL) == SQLITE_OK;
    if (bytes) {
        memset(bytes, 0x5a, event_bytes);
    }
    for (uint64_t event = 0; is_done && event < events; event++) {
        if (event % group == 0) {
            is_done = run(database, "BEGIN");
        }
        is_done = is_done && sqlite3_bind_blob(statement, 1, bytes, (int)event_bytes, SQLITE_STATIC) == SQLITE_OK &&
                  sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
        if (event % group == group - 1 || event == events - 1) {
            is_done = is_done && run(database, "COMMIT");
        }
    }
    sqlite3_finalize(statement);
    free(bytes);
    return is_done;
}

static void remove_files(const char *path) {
    const char *suffixes[] = {"", "-wal", "-shm"};
    for (int index = 0; index < 3; index++) {
        char name[4096];
        snprintf(name, sizeof name, "%s%s", path, suffixes[index]);
        unlink(name);
    }
}

uint64_t disk_sqlite(const char *path, uint64_t events, uint64_t event_bytes, uint64_t group, bool full) {
    sqlite3 *database = NULL;
    remove_files(path);
    bool is_done = sqlite3_open(path, &database) == SQLITE_OK && run(database, "PRAGMA journal_mode=WAL") &&
                   run(database, full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL") &&
                   run(database, "CREATE TABLE events(sequence INTEGER PRIMARY KEY, body BLOB NOT NULL)");
    uint64_t start = now();
    is_done = is_done && insert(database, events, event_bytes, group < 1 ? 1 : group);
    uint64_t taken = now() - start;
    sqlite3_close(database);
    remove_files(path);
    return is_done ? taken : 0;
}
