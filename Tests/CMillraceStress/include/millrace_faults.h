/* SPDX-License-Identifier: Apache-2.0
 *
 * Failing allocations of the C core, for tests. The core has these functions in debug builds only: src/fault.h.
 */
#ifndef MILLRACE_FAULTS_H
#define MILLRACE_FAULTS_H

#include <stdint.h>

/* Lets some of the next allocations of the calling thread fail: that of the number `first`, from 1, and `count` in all.
 * A count of 0 ends this. Starting a thread counts as an allocation. */
void millrace_fault_plan(uint64_t first, uint64_t count);

/* Calls a function before one of the next allocations of the calling thread, that of the number `site`, from 1. A plan
 * ends this. */
void millrace_fault_call(uint64_t site, void (*_Nonnull call)(void *_Nullable context), void *_Nullable context);

/* The allocations of the calling thread since the last plan. */
uint64_t millrace_fault_sites(void);

#endif
