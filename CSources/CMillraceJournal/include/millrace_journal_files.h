// SPDX-License-Identifier: Apache-2.0
//
// The files of a journal: calls of the system that repeat themselves after a signal, and return a negative errno.
//
// | call                              | threads                                                    |
// |-----------------------------------|------------------------------------------------------------|
// | every one                         | any, at any time; two writes to the same bytes are a race  |

#ifndef MILLRACE_JOURNAL_FILES_H
#define MILLRACE_JOURNAL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a file is opened. Links are never followed, and only regular files are opened.
enum millrace_journal_mode {
    MILLRACE_JOURNAL_READ,
    MILLRACE_JOURNAL_WRITE,
    /// A new file, with the rights 0600.
    MILLRACE_JOURNAL_CREATE,
    /// A new file or one that exists.
    MILLRACE_JOURNAL_WRITE_OR_CREATE
};

/// Opens a folder, which a link must not stand for; creates it with the rights 0700 if asked to.
int millrace_journal_open_folder(const char *path, bool create);

/// Opens a file of a folder.
int millrace_journal_open(int folder, const char *name, enum millrace_journal_mode mode);

/// Gives up the lock of the file, if it has one, and closes it.
void millrace_journal_close(int file);

/// The names in a folder, each followed by a zero byte, in memory that the caller frees; NULL with `*error` set.
char *millrace_journal_list(int folder, size_t *bytes, int *error);

/// Reads up to `count` bytes: fewer only at the end of the file.
int64_t millrace_journal_read(int file, void *bytes, size_t count, uint64_t offset);

/// Writes all bytes. After an error some of them may have been written.
int millrace_journal_write(int file, const void *bytes, size_t count, uint64_t offset);

/// Waits until the bytes, and what is needed to find them, are on the disk.
int millrace_journal_sync(int file);

/// Waits until the names of a folder are on the disk.
int millrace_journal_sync_folder(int folder);

/// Makes the system find room on the disk for a file of this size, if the file system can.
int millrace_journal_reserve(int file, uint64_t bytes);

int millrace_journal_truncate(int file, uint64_t bytes);

int64_t millrace_journal_size(int file);

/// Which file this is, as numbers that no other has while it exists.
int millrace_journal_identity(int file, uint64_t identity[2]);

/// The same of a name; -ENOENT if there is none.
int millrace_journal_identity_of(int folder, const char *name, uint64_t identity[2]);

/// Takes a lock that belongs to the open file and ends with it. -EAGAIN if someone else has it.
int millrace_journal_lock(int file);

/// Gives a file another name. -EEXIST if a file has that name already.
int millrace_journal_rename(int folder, const char *name, const char *new_name);

int millrace_journal_remove(int folder, const char *name);

/// The name of the file system if its files are in memory only; NULL for a disk.
const char *millrace_journal_memory_file_system(int folder);

/// The system's text of an errno, in `text`.
void millrace_journal_error_text(int error, char *text, size_t count);

/// What an errno means to a journal.
bool millrace_journal_is_full(int error);
bool millrace_journal_is_missing(int error);
bool millrace_journal_is_there(int error);
bool millrace_journal_is_locked(int error);

#endif
