/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_gate.h"

#include "futex.h"

void millrace_gate_open(millrace_gate *gate) {
    /* release: what the opener did before; pairs with the load below. */
    atomic_store_explicit(&gate->opened, 1, memory_order_release);
    millrace_futex_wake(&gate->opened, INT_MAX);
}

void millrace_gate_wait(millrace_gate *gate) {
    /* acquire: pairs with the store above. The futex sleeps only while the word is still 0. */
    while (atomic_load_explicit(&gate->opened, memory_order_acquire) == 0) {
        millrace_futex_wait(&gate->opened, 0, NULL);
    }
}
