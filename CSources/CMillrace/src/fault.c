/* SPDX-License-Identifier: Apache-2.0 */

#include "fault.h"

#ifdef MILLRACE_INTERNAL_CHECKS
/* Of the thread, as tests run beside each other. */
static _Thread_local struct { uint64_t passed, first, count; } plan;

void millrace_fault_plan(uint64_t first, uint64_t count) {
    plan.passed = 0;
    plan.first = first;
    plan.count = count;
}

uint64_t millrace_fault_sites(void) { return plan.passed; }

bool millrace_fault_here(void) {
    plan.passed += 1;
    return plan.passed >= plan.first && plan.passed - plan.first < plan.count;
}
#endif
