/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of the C core that one thread can check, each in a state that the check itself makes. Used by the test suite, by
 * the stress driver, and by scripts/weakmemory.sh --mutants.
 */
#ifndef MILLRACE_RULES_H
#define MILLRACE_RULES_H

#include <stdbool.h>

unsigned millrace_rule_count(void);
const char *_Nonnull millrace_rule_name(unsigned rule);
bool millrace_rule_holds(unsigned rule);

/* From now on the system refuses membarrier to the whole process. False: no filter can be installed here. */
bool millrace_refuse_membarrier(void);

#endif
