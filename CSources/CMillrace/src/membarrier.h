/* SPDX-License-Identifier: Apache-2.0
 *
 * A full barrier on every core that runs a thread of this process, at the price of a system call: lets the other side
 * of a handshake do without one.
 */
#ifndef MILLRACE_MEMBARRIER_H
#define MILLRACE_MEMBARRIER_H

#include <stdbool.h>

/* Whether the kernel has it; constant since before main. */
bool millrace_has_membarrier(void);

/* False: refused, so nothing was ordered. */
bool millrace_membarrier(void);

#endif
