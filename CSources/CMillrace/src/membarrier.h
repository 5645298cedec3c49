/* SPDX-License-Identifier: Apache-2.0
 *
 * A system call that runs a full barrier on every core that runs a thread of this process. With it, the other side of a
 * handshake needs no barrier.
 */
#ifndef MILLRACE_MEMBARRIER_H
#define MILLRACE_MEMBARRIER_H

#include <stdbool.h>

/* Whether the kernel has membarrier; constant from before main on. */
bool millrace_has_membarrier(void);

/* Runs the barrier. Returns false if the kernel refused it: then nothing was ordered. */
bool millrace_membarrier(void);

#endif
