/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MILLRACE_FORK_H
#define MILLRACE_FORK_H

#include <stddef.h>

/* Runs `body` in a child of fork, and waits for its end, at most about 20 seconds. Copies what the child printed on its
 * standard error into `message`, with a zero behind it. Returns 0 if the body returned, otherwise the signal that ended the
 * child: SIGALRM if the body hung. Returns -1 if there is no child to be had. */
int millrace_fork_run(void (*_Nonnull body)(void *_Nullable context), void *_Nullable context, char *_Nonnull message,
                      size_t room);

#endif
