/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "CCallgrind.h"

#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int callgrind_is_here(void) { return RUNNING_ON_VALGRIND != 0; }

void callgrind_begin(void) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

void callgrind_end(const char *label) {
    CALLGRIND_DUMP_STATS_AT(label);
    CALLGRIND_STOP_INSTRUMENTATION;
}
#else
int callgrind_is_here(void) { return 0; }

void callgrind_begin(void) {}

void callgrind_end(const char *label) { (void)label; }
#endif

void callgrind_spend(uint64_t turns) {
    while (turns > 0) {
        turns -= 1;
        /* Keeps the compiler from unrolling or removing the loop. */
        __asm__ volatile("" : "+r"(turns));
    }
}

void callgrind_system_call(void) { syscall(SYS_getppid); }

void callgrind_touch_lines(uint64_t times) {
    enum { LINES = 1024, LINE = 64 };
    static volatile unsigned char lines[LINES * LINE];
    /* Valgrind leaves out a load whose result nothing uses. */
    for (uint64_t index = 0; index < times; index++) {
        lines[index % LINES * LINE] += 1;
    }
}
