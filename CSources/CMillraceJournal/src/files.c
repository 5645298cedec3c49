// SPDX-License-Identifier: Apache-2.0

#include "millrace_journal_files.h"

#include <millrace_fault.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/// Repeats a call that a signal has interrupted.
#define AGAIN(result, call)                                                                                            \
    do                                                                                                                 \
        result = (call);                                                                                               \
    while (result < 0 && errno == EINTR)

/// Makes the name of a new folder lasting. Returns 0, or the error as a negative number.
static int sync_parent(int folder) {
    int parent;
    if (millrace_fault_here())
        return -EIO;
    AGAIN(parent, openat(folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (parent < 0)
        return -errno;
    int error = millrace_journal_sync_folder(parent);
    close(parent);
    return error;
}

int millrace_journal_open_folder(const char *path, bool create) {
    bool is_new = create && mkdir(path, 0700) == 0;
    if (create && !is_new && errno != EEXIST)
        return -errno;
    int folder;
    AGAIN(folder, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (folder < 0)
        return -errno;
    int error = is_new ? sync_parent(folder) : 0;
    if (error != 0) {
        close(folder);
        rmdir(path);
        return error;
    }
    return folder;
}

int millrace_journal_open(int folder, const char *name, enum millrace_journal_mode mode) {
    // O_NONBLOCK: does not wait for the writer of a pipe that has the name.
    int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    switch (mode) {
    case MILLRACE_JOURNAL_READ:
        flags |= O_RDONLY;
        break;
    case MILLRACE_JOURNAL_WRITE:
        flags |= O_RDWR;
        break;
    case MILLRACE_JOURNAL_CREATE:
        flags |= O_RDWR | O_CREAT | O_EXCL;
        break;
    case MILLRACE_JOURNAL_WRITE_OR_CREATE:
        flags |= O_RDWR | O_CREAT;
        break;
    }
    int file;
    AGAIN(file, openat(folder, name, flags, 0600));
    if (file < 0)
        return -errno;
    struct stat status;
    int error = fstat(file, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
    if (error == 0)
        return file;
    close(file);
    return -error;
}

void millrace_journal_close(int file) {
#if defined(F_OFD_SETLK)
    // A process that is being started by another thread has the descriptor, too, until it runs its own program: it must
    // not keep the lock.
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(file, F_OFD_SETLK, &lock);
#endif
    close(file);
}

char *millrace_journal_list(int folder, size_t *bytes, int *error) {
    // A descriptor of its own, so that the position in the folder is, too.
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool fails = millrace_fault_here();
    DIR *entries = copy < 0 || fails ? NULL : fdopendir(copy);
    if (!entries) {
        *error = fails ? ENOMEM : errno;
        if (copy >= 0)
            close(copy);
        return NULL;
    }
    size_t room = 4096;
    char *names = millrace_fault_here() ? NULL : malloc(room);
    *bytes = 0;
    *error = names ? 0 : ENOMEM;
    while (*error == 0) {
        errno = 0;
        struct dirent *entry = readdir(entries);
        if (!entry) {
            *error = errno;
            break;
        }
        size_t length = strlen(entry->d_name) + 1;
        if (*bytes + length > room) {
            room = 2 * (*bytes + length);
            char *larger = millrace_fault_here() ? NULL : realloc(names, room);
            if (!larger) {
                *error = ENOMEM;
                break;
            }
            names = larger;
        }
        memcpy(names + *bytes, entry->d_name, length);
        *bytes += length;
    }
    closedir(entries);
    if (*error == 0)
        return names;
    free(names);
    return NULL;
}

int64_t millrace_journal_read(int file, void *bytes, size_t count, uint64_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t read;
        AGAIN(read, pread(file, (char *)bytes + done, count - done, (off_t)(offset + done)));
        if (read < 0)
            return -errno;
        if (read == 0)
            break;
        done += (size_t)read;
    }
    return (int64_t)done;
}

int millrace_journal_write(int file, const void *bytes, size_t count, uint64_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t written;
        AGAIN(written, pwrite(file, (const char *)bytes + done, count - done, (off_t)(offset + done)));
        if (written < 0)
            return -errno;
        if (written == 0)
            return -ENOSPC;
        done += (size_t)written;
    }
    return 0;
}

int millrace_journal_sync(int file) {
    int result;
#if defined(__APPLE__)
    AGAIN(result, fcntl(file, F_FULLFSYNC));
#else
    // Not repeated after an error of the disk: the next call may succeed although the bytes are lost.
    AGAIN(result, fdatasync(file));
#endif
    return result < 0 ? -errno : 0;
}

int millrace_journal_sync_folder(int folder) {
    int result;
    AGAIN(result, fsync(folder));
    return result < 0 ? -errno : 0;
}

int millrace_journal_reserve(int file, uint64_t bytes) {
#if defined(__linux__)
    int result;
    AGAIN(result, fallocate(file, 0, 0, (off_t)bytes));
    return result < 0 && errno != EOPNOTSUPP ? -errno : 0;
#else
    (void)file;
    (void)bytes;
    return 0;
#endif
}

int millrace_journal_truncate(int file, uint64_t bytes) {
    int result;
    AGAIN(result, ftruncate(file, (off_t)bytes));
    return result < 0 ? -errno : 0;
}

int64_t millrace_journal_size(int file) {
    struct stat status;
    return fstat(file, &status) < 0 ? -errno : (int64_t)status.st_size;
}

int millrace_journal_identity(int file, uint64_t identity[2]) {
    struct stat status;
    if (fstat(file, &status) < 0)
        return -errno;
    identity[0] = (uint64_t)status.st_dev;
    identity[1] = (uint64_t)status.st_ino;
    return 0;
}

int millrace_journal_identity_of(int folder, const char *name, uint64_t identity[2]) {
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    identity[0] = (uint64_t)status.st_dev;
    identity[1] = (uint64_t)status.st_ino;
    return 0;
}

int millrace_journal_lock(int file) {
#if defined(F_OFD_SETLK)
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    AGAIN(result, fcntl(file, F_OFD_SETLK, &lock));
#else
    int result;
    AGAIN(result, flock(file, LOCK_EX | LOCK_NB));
#endif
    return result < 0 ? -errno : 0;
}

int millrace_journal_rename(int folder, const char *name, const char *new_name) {
#if defined(__linux__)
    if (syscall(SYS_renameat2, folder, name, folder, new_name, RENAME_NOREPLACE) == 0)
        return 0;
    // Some file systems cannot do that at once.
    if (errno != EINVAL && errno != ENOSYS)
        return -errno;
#endif
    struct stat status;
    if (fstatat(folder, new_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        return -EEXIST;
    return renameat(folder, name, folder, new_name) < 0 ? -errno : 0;
}

int millrace_journal_remove(int folder, const char *name) { return unlinkat(folder, name, 0) < 0 ? -errno : 0; }

const char *millrace_journal_memory_file_system(int folder) {
#if defined(__linux__)
    struct statfs status;
    if (fstatfs(folder, &status) < 0)
        return NULL;
    switch ((uint32_t)status.f_type) {
    case TMPFS_MAGIC:
        return "tmpfs";
    case RAMFS_MAGIC:
        return "ramfs";
    case HUGETLBFS_MAGIC:
        return "hugetlbfs";
    }
#endif
    (void)folder;
    return NULL;
}

void millrace_journal_error_text(int error, char *text, size_t count) {
#if defined(__GLIBC__)
    // The text that GNU's version returns may be elsewhere.
    char memory[256];
    snprintf(text, count, "%s", strerror_r(error, memory, sizeof memory));
#else
    if (strerror_r(error, text, count) != 0)
        snprintf(text, count, "error %d", error);
#endif
}

bool millrace_journal_is_full(int error) { return error == ENOSPC || error == EDQUOT; }

bool millrace_journal_is_missing(int error) { return error == ENOENT; }

bool millrace_journal_is_there(int error) { return error == EEXIST; }

bool millrace_journal_is_locked(int error) { return error == EAGAIN || error == EACCES; }
