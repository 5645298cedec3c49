/* SPDX-License-Identifier: Apache-2.0
 *
 * For scripts/jumps.sh, which builds the library with MILLRACE_JUMPING_COUNTER: a counter that steps
 * by hours in both directions, for all threads at once, as when a virtual machine moves to another host.
 */

#include "millrace_clock.h"

#ifdef MILLRACE_JUMPING_COUNTER
#include <stdatomic.h>

#define HOUR ((int64_t)3600 * 3000000000) /* of a counter of 3 GHz */

static _Atomic int64_t offset;

uint64_t millrace_jumping_counter(void) {
    /* 8: the ninth reading of a thread jumps. In a calibration it is between the two stamps. */
    static _Thread_local uint64_t random, until_jump = 8;
    if (random == 0) {
        random = (uint64_t)(uintptr_t)&random | 1;
    }
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    if (until_jump-- == 0) {
        until_jump = 50 + random % 400;
        /* relaxed: the stamps of threads need no order. */
        atomic_store_explicit(&offset, (int64_t)(random >> 8) % (40 * HOUR) - 20 * HOUR, memory_order_relaxed);
    }
    int64_t stepped = 24 * HOUR + atomic_load_explicit(&offset, memory_order_relaxed);
    /* Each reading is up to 99 ticks behind, as if the thread had moved to another core. */
    return millrace_clock_counter() + (uint64_t)stepped - random % 100;
}
#endif
