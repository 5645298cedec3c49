/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_read_section.h"

#include <stdio.h>
#include <urcu/urcu-bp.h>

bool millrace_read_ongoing(void) { return _urcu_bp_read_ongoing() != 0; }

void millrace_assert_outside_read_section(const char *what) {
#ifdef MILLRACE_INTERNAL_CHECKS
    if (millrace_read_ongoing()) {
        fprintf(stderr,
                "millrace: %s inside a read section (withState): until withState returns, no memory of any store is "
                "freed, and the wait may be long. Do this after the closure of withState has returned\n",
                what);
        __builtin_trap();
    }
#else
    (void)what;
#endif
}

void millrace_wait_for_readers(void) {
    millrace_assert_outside_read_section("waiting for the producers of a store that is being released");
    urcu_bp_synchronize_rcu();
}

void millrace_reclaim_barrier(void) { urcu_bp_barrier(); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/* Memory that waits for a grace period when the program ends is not a leak, but the leak check cannot know that. */
__attribute__((destructor)) static void reclaim_before_leak_check(void) { urcu_bp_barrier(); }
#endif
#endif
