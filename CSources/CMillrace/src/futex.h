/* SPDX-License-Identifier: Apache-2.0
 *
 * The futex system call for the doorbell and the gate. Both functions leave errno as it was.
 */
#ifndef MILLRACE_FUTEX_H
#define MILLRACE_FUTEX_H

#include "millrace_platform.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word == value, at most for `limit` (null: without limit). Returns whether the time ran out. */
static inline bool millrace_futex_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *limit) {
    int saved = errno;
    long result = syscall(__NR_futex, (uint32_t *)word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
    bool is_over = result < 0 && errno == ETIMEDOUT;
    errno = saved;
    return is_over;
}

static inline void millrace_futex_wake(_Atomic uint32_t *word, int sleepers) {
    int saved = errno;
    syscall(__NR_futex, (uint32_t *)word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, sleepers, NULL, NULL, 0);
    errno = saved;
}

#endif
