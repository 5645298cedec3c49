/* SPDX-License-Identifier: Apache-2.0
 *
 * Thread: starts the thread of an engine. The thread is detached (no thread joins it) and has a name. It blocks all
 * signals but SIGABRT and those that an instruction raises (SIGSEGV, for example), so that the program's own threads keep receiving
 * them.
 */
#ifndef MILLRACE_THREAD_H
#define MILLRACE_THREAD_H

#include "millrace_platform.h"

/* `name` is cut to the 15 bytes that Linux shows. Returns MILLRACE_OUT_OF_MEMORY if the thread cannot be created; then
 * `body` does not run. */
millrace_result millrace_thread_start(const char *_Nonnull name, void (*_Nonnull body)(void *_Nullable),
                                      void *_Nullable context);

/* The system's number of the calling thread. Makes a system call. */
int32_t millrace_thread_number(void);

/* The number of processors that the calling thread may run on now, at least 1. */
unsigned millrace_processor_count(void);

#endif
