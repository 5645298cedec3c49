/* SPDX-License-Identifier: Apache-2.0 */
#include "disk_rivals.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { piece = 1 << 20 };

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool write_all(int file, const char *bytes, uint64_t count, uint64_t offset) {
    while (count > 0) {
        ssize_t written = pwrite(file, bytes, count, (off_t)offset);
        if (written <= 0) {
            return false;
        }
        bytes += written;
        count -= (uint64_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

int disk_open(const char *path, uint64_t bytes) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char *zeros = calloc(1, piece);
    bool is_done = file >= 0 && zeros;
    for (uint64_t place = 0; is_done && place < bytes; place += piece) {
        is_done = write_all(file, zeros, piece, place);
    }
    free(zeros);
    if (is_done && fdatasync(file) == 0) {
        return file;
    }
    disk_close(file);
    return -1;
}

void disk_close(int file) {
    if (file >= 0) {
        close(file);
    }
}

uint64_t disk_write(int file, uint64_t group_bytes, uint64_t groups, bool syncs) {
    char *bytes = malloc(group_bytes);
    if (!bytes) {
        return 0;
    }
    memset(bytes, 0x5a, group_bytes);
    bool is_done = true;
    uint64_t start = now();
    for (uint64_t group = 0; is_done && group < groups; group++) {
        is_done = write_all(file, bytes, group_bytes, group * group_bytes) && (!syncs || fdatasync(file) == 0);
    }
    uint64_t taken = now() - start;
    free(bytes);
    return is_done ? taken : 0;
}

uint64_t disk_write_buffered(const char *path, uint64_t events, uint64_t event_bytes) {
    FILE *file = fopen(path, "w");
    char *bytes = malloc(event_bytes);
    bool is_done = file && bytes;
    if (bytes) {
        memset(bytes, 0x5a, event_bytes);
    }
    uint64_t start = now();
    for (uint64_t event = 0; is_done && event < events; event++) {
        is_done = fwrite(bytes, event_bytes, 1, file) == 1;
    }
    is_done = is_done && fflush(file) == 0;
    uint64_t taken = now() - start;
    if (file) {
        fclose(file);
    }
    free(bytes);
    unlink(path);
    return is_done ? taken : 0;
}

uint64_t disk_read(const char *path) {
    int file = open(path, O_RDONLY);
    char *bytes = malloc(piece);
    bool is_done = file >= 0 && bytes;
    uint64_t start = now();
    off_t place = 0;
    while (is_done) {
        ssize_t count = pread(file, bytes, piece, place);
        if (count <= 0) {
            is_done = count == 0;
            break;
        }
        place += count;
    }
    uint64_t taken = now() - start;
    free(bytes);
    disk_close(file);
    return is_done ? taken : 0;
}
