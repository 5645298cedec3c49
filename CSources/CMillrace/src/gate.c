/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_gate.h"

#include "futex.h"
#include "millrace_clock.h"

void millrace_gate_open(millrace_gate *gate) {
    /* release: what the opening thread did before; pairs with the loads below. */
    atomic_store_explicit(&gate->opened, 1, memory_order_release);
    millrace_futex_wake(&gate->opened, INT_MAX);
}

void millrace_gate_wait(millrace_gate *gate) {
    /* acquire: pairs with the store above. The futex sleeps only while the word is still 0. */
    while (atomic_load_explicit(&gate->opened, memory_order_acquire) == 0) {
        millrace_futex_wait(&gate->opened, 0, NULL);
    }
}

bool millrace_gate_wait_for(millrace_gate *gate, uint64_t nanoseconds) {
    uint64_t began = millrace_clock_ticks();
    /* acquire: as in millrace_gate_wait. */
    while (atomic_load_explicit(&gate->opened, memory_order_acquire) == 0) {
        uint64_t passed = millrace_clock_nanoseconds(millrace_clock_passed(began, millrace_clock_ticks()));
        if (passed >= nanoseconds) {
            return false;
        }
        uint64_t left = nanoseconds - passed;
        struct timespec limit = {.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};
        if (millrace_futex_wait(&gate->opened, 0, &limit)) {
            /* By the kernel's clock. The ticks may have stepped back, as after the migration of a virtual machine. */
            return atomic_load_explicit(&gate->opened, memory_order_acquire) != 0;
        }
    }
    return true;
}
