/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the system that a test lets fail, allocations above all. Only debug builds have them, and the stress driver:
 * elsewhere the condition is constant. Tests say which calls fail with millrace_fault_plan (src/fault.h).
 *
 *   fault_here   any thread: whether the call of this thread that follows has to fail; counts it
 */
#ifndef MILLRACE_FAULT_HERE_H
#define MILLRACE_FAULT_HERE_H

#include <stdbool.h>

bool millrace_fault_here(void);

#ifndef MILLRACE_INTERNAL_CHECKS
#define millrace_fault_here() false
#endif

#endif
