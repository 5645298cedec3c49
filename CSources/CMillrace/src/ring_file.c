/* SPDX-License-Identifier: Apache-2.0 */

#include "ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0, or why a file can not be put there: a rename would replace a device or a pipe, too. */
static int obstacle_at(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    return S_ISREG(status.st_mode) ? 0 : S_ISDIR(status.st_mode) ? EISDIR : EEXIST;
}

/* 0 or an errno. With blocks behind every byte, a store to the mapping never lacks the disk. */
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

/* Fills the file, then gives it its name. 0 or an errno. */
static int complete(int file, const char *temporary, const char *path, const millrace_ring_layout *layout,
                    uint64_t words, uint64_t capacity, uint64_t text_bytes, millrace_ring **out) {
    int error = reserve(file, layout->total_bytes);
    if (error == 0 && millrace_ring_make(file, layout, words, capacity, text_bytes, out) != MILLRACE_OK) {
        error = ENOMEM;
    }
    if (error == 0 && rename(temporary, path) != 0) {
        error = errno;
        millrace_ring_destroy(*out);
    }
    return error;
}

/* A name for mkostemp to complete: the path, a dot, and the six letters that it replaces. NULL without memory. */
static char *template_beside(const char *path) {
    enum { letters = 6 };
    size_t length = strlen(path);
    char *name = malloc(length + 1 + letters + 1);
    if (name) {
        memcpy(name, path, length);
        name[length] = '.';
        memset(name + length + 1, 'X', letters);
        name[length + 1 + letters] = '\0';
    }
    return name;
}

millrace_result millrace_ring_create_file(const char *path, uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                          int *error, millrace_ring **out) {
    *error = 0;
    millrace_ring_layout layout;
    millrace_result result = millrace_ring_lay_out(words, capacity, text_bytes, &layout);
    if (result != MILLRACE_OK) {
        return result;
    }
    *error = obstacle_at(path);
    if (*error != 0) {
        return MILLRACE_SYSTEM_ERROR;
    }
    char *temporary = template_beside(path);
    if (!temporary) {
        return MILLRACE_OUT_OF_MEMORY;
    }
    int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0) {
        *error = errno;
    } else {
        *error = complete(file, temporary, path, &layout, words, capacity, text_bytes, out);
        if (*error != 0) {
            unlink(temporary);
        }
        close(file); /* the mapping keeps what it needs */
    }
    free(temporary);
    return *error == 0 ? MILLRACE_OK : MILLRACE_SYSTEM_ERROR;
}
