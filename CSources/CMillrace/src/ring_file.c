/* SPDX-License-Identifier: Apache-2.0 */

#include "ring.h"

#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct flock whole_file(void) { return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET}; }

/* Returns 0 or an errno. EBUSY: another descriptor holds the lock, in this process or another one. */
static int lock(int file) {
    struct flock whole = whole_file();
    if (fcntl(file, F_OFD_SETLK, &whole) == 0) {
        return 0;
    }
    return errno == EAGAIN || errno == EACCES ? EBUSY : errno;
}

bool millrace_ring_is_locked(int file) {
    struct flock whole = whole_file();
    return fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

/* A file that is to be replaced. While it is locked, no other thread or process replaces it. */
typedef struct claim {
    int file; /* -1: there is no file */
    bool is_empty;
} claim;

static void release(claim claimed) {
    if (claimed.file >= 0) {
        millrace_ring_close(claimed.file);
    }
}

/* Locks a file that may be replaced: it is empty or a ring, and no writer has it. Returns 0 or an errno. */
static int check(const char *path, claim *claimed) {
    struct stat status, now;
    if (fstat(claimed->file, &status) != 0) {
        return errno;
    }
    claimed->is_empty = status.st_size == 0;
    unsigned char magic[sizeof millrace_ring_magic];
    if (!claimed->is_empty && (pread(claimed->file, magic, sizeof magic, 0) != sizeof magic ||
                               memcmp(magic, millrace_ring_magic, sizeof magic) != 0)) {
        return EEXIST;
    }
    int error = lock(claimed->file);
    if (error != 0) {
        return error;
    }
    /* The previous holder of the lock may have replaced the file. */
    bool is_there = stat(path, &now) == 0 && now.st_dev == status.st_dev && now.st_ino == status.st_ino;
    return is_there ? 0 : EBUSY;
}

/* Opens and locks the file at a path, if there is one. Returns 0, or an errno that says why it cannot be replaced. */
static int take(const char *path, claim *claimed) {
    *claimed = (claim){.file = -1};
    struct stat status;
    if (stat(path, &status) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    if (!S_ISREG(status.st_mode)) {
        return S_ISDIR(status.st_mode) ? EISDIR : EEXIST;
    }
    /* O_NONBLOCK: the call must not wait if a pipe has taken the place of the file meanwhile. */
    claimed->file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (claimed->file < 0) {
        return errno == ENOENT ? 0 : errno;
    }
    int error = check(path, claimed);
    if (error != 0) {
        release(*claimed);
    }
    return error;
}

/* Reserves a block for every byte, so that a store to the mapping never finds the disk full. Returns 0 or an errno. */
static int reserve(int file, uint64_t bytes) {
    if (ftruncate(file, (off_t)bytes) != 0) {
        return errno;
    }
    int error;
    do {
        error = posix_fallocate(file, 0, (off_t)bytes);
    } while (error == EINTR);
    return error;
}

/* Returns a copy of the path with the suffix appended; NULL without memory. */
static char *joined(const char *path, const char *suffix) {
    size_t length = strlen(path), more = strlen(suffix) + 1;
    char *name = millrace_fault_here() ? NULL : malloc(length + more);
    if (name) {
        memcpy(name, path, length);
        memcpy(name + length, suffix, more);
    }
    return name;
}

/* Returns a template for mkostemp: the path, a dot, and six placeholders. NULL without memory. */
static char *template_beside(const char *path) {
    enum { letters = 6 };
    char suffix[1 + letters + 1] = ".";
    memset(suffix + 1, 'X', letters);
    return joined(path, suffix);
}

/* Opens the folder of a file, so that the file can be removed even if the folder was renamed. Returns -1 on failure. */
static int folder_of(char *path) {
    enum { flags = O_PATH | O_DIRECTORY | O_CLOEXEC };
    char *slash = strrchr(path, '/');
    if (!slash) {
        return open(".", flags);
    }
    char after = slash[1];
    slash[1] = '\0';
    int folder = open(path, flags);
    slash[1] = after;
    return folder;
}

static void remove_from(int folder, const char *path) {
    if (folder < 0) {
        unlink(path);
        return;
    }
    const char *slash = strrchr(path, '/');
    unlinkat(folder, slash ? slash + 1 : path, 0);
}

/* Renames a file to a free name. Where the file system cannot check that the name is free, a file that has taken it
 * meanwhile is replaced. Returns 0 or an errno. */
static int rename_to_free(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
    return rename(from, to) == 0 ? 0 : errno;
}

/* Gives the new file its name, which was free. If another file has taken the name meanwhile, returns the errno that
 * says why that file cannot be replaced. Returns 0 or an errno. */
static int put_at_free(const char *temporary, const char *path) {
    int error = rename_to_free(temporary, path);
    if (error != EEXIST) {
        return error;
    }
    claim other;
    error = take(path, &other);
    if (error == 0) {
        /* That file could be replaced: a ring whose writer has ended already. It was there for a moment only. */
        release(other);
        error = EBUSY;
    }
    return error;
}

/* Gives the new file its name. A ring that has that name is renamed to `path`.previous before. Returns 0 or an
 * errno. */
static int put_in_place(const char *temporary, const char *path, claim old) {
    if (old.file < 0) {
        return put_at_free(temporary, path);
    }
    if (old.is_empty) {
        return rename(temporary, path) == 0 ? 0 : errno;
    }
    char *previous = joined(path, ".previous");
    if (!previous) {
        return ENOMEM;
    }
    claim older;
    int error = take(previous, &older);
    if (error == 0) {
        error = rename(path, previous) == 0 ? 0 : errno;
        if (error == 0) {
            error = put_at_free(temporary, path);
            if (error != 0) {
                rename_to_free(previous, path);
            }
        }
        release(older);
    }
    free(previous);
    return error;
}

/* Locks and fills the file. Returns 0 or an errno. After 0 the ring owns the file; after an error the file is
 * closed. */
static int fill(int file, const millrace_ring_layout *layout, uint64_t words, uint64_t capacity, uint64_t text_bytes,
                millrace_ring **out) {
    int error = lock(file);
    if (error == 0) {
        error = reserve(file, layout->total_bytes);
    }
    if (error == 0 && millrace_ring_make(file, layout, words, capacity, text_bytes, out) != MILLRACE_OK) {
        error = ENOMEM;
    }
    if (error != 0) {
        millrace_ring_close(file);
    }
    return error;
}

millrace_result millrace_ring_create_file(const char *path, uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                          int *error, millrace_ring **out) {
    *error = 0;
    millrace_ring_layout layout;
    millrace_result result = millrace_ring_lay_out(words, capacity, text_bytes, &layout);
    if (result != MILLRACE_OK) {
        return result;
    }
    char *temporary = template_beside(path);
    if (!temporary) {
        return MILLRACE_OUT_OF_MEMORY;
    }
    claim old;
    *error = take(path, &old);
    if (*error == 0) {
        int folder = folder_of(temporary);
        int file = mkostemp(temporary, O_CLOEXEC);
        *error = file < 0 ? errno : fill(file, &layout, words, capacity, text_bytes, out);
        if (*error == 0) {
            *error = put_in_place(temporary, path, old);
            if (*error != 0) {
                millrace_ring_destroy(*out);
            }
        }
        if (*error != 0 && file >= 0) {
            remove_from(folder, temporary);
        }
        if (folder >= 0) {
            close(folder);
        }
        release(old);
    }
    free(temporary);
    return *error == 0 ? MILLRACE_OK : MILLRACE_SYSTEM_ERROR;
}
