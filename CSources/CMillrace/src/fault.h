/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations that a test lets fail. Only debug builds have them, and the stress driver.
 */
#ifndef MILLRACE_FAULT_H
#define MILLRACE_FAULT_H

#include "millrace_fault.h"

#include <stdint.h>

#ifdef MILLRACE_INTERNAL_CHECKS
/* Lets some of the next allocations of the calling thread fail: that of the number `first`, from 1, and `count` in all.
 * A count of 0 ends this. Starting a thread counts as an allocation. */
void millrace_fault_plan(uint64_t first, uint64_t count);

/* Calls a function before one of the next allocations of the calling thread, that of the number `site`, from 1. A plan
 * ends this. */
void millrace_fault_call(uint64_t site, void (*call)(void *), void *context);

/* The allocations of the calling thread since the last plan. */
uint64_t millrace_fault_sites(void);
#endif

#endif
