/* SPDX-License-Identifier: Apache-2.0
 *
 * Which process this is: a child of fork has the memory of its parent, but none of the other threads.
 */
#ifndef MILLRACE_PROCESS_H
#define MILLRACE_PROCESS_H

#include <stdint.h>

/* The number of forks between the process that has started the program and this one. Any thread. */
uint64_t millrace_process_generation(void);

#endif
