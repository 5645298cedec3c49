/* SPDX-License-Identifier: Apache-2.0 */
#include "millrace_testing.h"

#include <sched.h>

_Static_assert(sizeof(cpu_set_t) <= sizeof(millrace_processors), "a cpu_set_t must fit into millrace_processors");

int millrace_processor(void) { return sched_getcpu(); }

bool millrace_stay_on_processor(int number, millrace_processors *before) {
    if (number < 0 || number >= CPU_SETSIZE) {
        return false;
    }
    if (before && sched_getaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)before->words) != 0) {
        return false;
    }
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(number, &only);
    return sched_setaffinity(0, sizeof(only), &only) == 0;
}

void millrace_leave_processor(const millrace_processors *before) {
    sched_setaffinity(0, sizeof(cpu_set_t), (const cpu_set_t *)before->words);
}
