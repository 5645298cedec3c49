/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the C core that one thread can check. Each check makes the state that it needs. Used by the test suite, by
 * the stress driver, and by scripts/weakmemory.sh --mutants.
 */
#ifndef MILLRACE_RULES_H
#define MILLRACE_RULES_H

#include <stdbool.h>

unsigned millrace_rule_count(void);
const char *_Nonnull millrace_rule_name(unsigned rule);
bool millrace_rule_holds(unsigned rule);

/* Makes the system refuse membarrier to the whole process from now on. Returns false if no filter can be installed
 * here. */
bool millrace_refuse_membarrier(void);

#endif
