/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells callgrind which part of the program to count. Outside of valgrind, callgrind_begin and callgrind_end do
 * nothing.
 *
 *   call                 who may call it
 *   callgrind_begin      one thread; not nested
 *   callgrind_end        the thread that called callgrind_begin
 */
#ifndef C_CALLGRIND_H
#define C_CALLGRIND_H

#include <stdint.h>

/* Returns whether the program runs under valgrind. */
int callgrind_is_here(void);

/* Sets the counts to 0 and starts counting, on all threads. */
void callgrind_begin(void);

/* Makes callgrind write the counts with this label, and stops counting. */
void callgrind_end(const char *_Nonnull label);

/* Executes two instructions per turn, plus those of the call. */
void callgrind_spend(uint64_t turns);

/* Makes one system call. */
void callgrind_system_call(void);

/* Changes one byte in each of this number of cache lines; 1,024 different ones come before the first one comes again. */
void callgrind_touch_lines(uint64_t times);

#endif
