/* SPDX-License-Identifier: Apache-2.0 */

#include "fault.h"

#include <stddef.h>

#ifdef MILLRACE_INTERNAL_CHECKS
/* Of the thread, as tests run beside each other. */
static _Thread_local struct {
    uint64_t passed, first, count, site;
    void (*call)(void *);
    void *context;
} plan;

void millrace_fault_plan(uint64_t first, uint64_t count) {
    plan.passed = 0;
    plan.first = first;
    plan.count = count;
    plan.call = NULL;
}

void millrace_fault_call(uint64_t site, void (*call)(void *), void *context) {
    millrace_fault_plan(0, 0);
    plan.site = site;
    plan.call = call;
    plan.context = context;
}

uint64_t millrace_fault_sites(void) { return plan.passed; }

bool millrace_fault_here(void) {
    plan.passed += 1;
    if (plan.call && plan.passed == plan.site) {
        plan.call(plan.context);
    }
    return plan.passed >= plan.first && plan.passed - plan.first < plan.count;
}
#endif
