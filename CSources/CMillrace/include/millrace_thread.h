/* SPDX-License-Identifier: Apache-2.0
 *
 * Thread: starts the thread of an engine. It is detached (nobody joins it), has a name, and blocks every signal that
 * can be blocked, so that the program's own threads keep receiving them.
 */
#ifndef MILLRACE_THREAD_H
#define MILLRACE_THREAD_H

#include "millrace_platform.h"

/* `name` is cut to the 15 bytes that Linux shows. MILLRACE_OUT_OF_MEMORY when the system has no thread to give: then
 * `body` does not run. */
millrace_result millrace_thread_start(const char *_Nonnull name, void (*_Nonnull body)(void *_Nullable),
                                      void *_Nullable context);

/* The system's number of the calling thread. A system call. */
int32_t millrace_thread_number(void);

/* Processors this process may run on now, at least 1. */
unsigned millrace_processor_count(void);

#endif
