/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells callgrind which part of the program to count. Outside of valgrind these calls do nothing.
 *
 *   call                 who may call it
 *   callgrind_begin      one thread; not nested
 *   callgrind_end        the thread that began
 */
#ifndef C_CALLGRIND_H
#define C_CALLGRIND_H

#include <stdint.h>

/* Whether the program runs under valgrind. */
int callgrind_is_here(void);

/* Sets the counts to 0 and begins, for all threads. */
void callgrind_begin(void);

/* Ends, and has callgrind write the counts under this label. */
void callgrind_end(const char *_Nonnull label);

/* Two instructions a turn; 0 turns take as many as the call. */
void callgrind_spend(uint64_t turns);

#endif
