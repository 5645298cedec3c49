/* SPDX-License-Identifier: Apache-2.0
 *
 * What a journal is compared with: the calls of the system alone, SQLite, and a buffered file. One thread at a time.
 *
 * The functions that measure return nanoseconds, or 0 after an error.
 */
#ifndef DISK_RIVALS_H
#define DISK_RIVALS_H

#include <stdbool.h>
#include <stdint.h>

/* Makes a file of zeros that is on the disk, and opens it; -1 after an error. Close it with disk_close. */
int disk_open(const char *_Nonnull path, uint64_t bytes);
void disk_close(int file);

/* Writes groups of so many bytes one after the other, from the start of the file, each followed by fdatasync if `syncs`. */
uint64_t disk_write(int file, uint64_t group_bytes, uint64_t groups, bool syncs);

/* Writes events to a new file through stdio, and flushes its buffer at the end. */
uint64_t disk_write_buffered(const char *_Nonnull path, uint64_t events, uint64_t event_bytes);

/* Inserts events into a new database in transactions of `group` events: WAL, one prepared statement, synchronous FULL
 * or NORMAL. Making the database is not measured. */
uint64_t disk_sqlite(const char *_Nonnull path, uint64_t events, uint64_t event_bytes, uint64_t group, bool full);

/* Reads a file once, a mebibyte at a time. */
uint64_t disk_read(const char *_Nonnull path);

#endif
