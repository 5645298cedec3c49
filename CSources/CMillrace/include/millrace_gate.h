/* SPDX-License-Identifier: Apache-2.0
 *
 * Gate: a latch that opens once and stays open. Threads wait until it opens.
 *
 *   open     one thread, once; releases what that thread did before
 *   wait     any thread; blocks until the gate is open, and acquires what the opening thread did before
 *   wait_for as wait, for at most `nanoseconds`; returns whether the gate is open
 */
#ifndef MILLRACE_GATE_H
#define MILLRACE_GATE_H

#include "millrace_platform.h"

typedef struct millrace_gate {
    _Atomic uint32_t opened;
} millrace_gate;

void millrace_gate_open(millrace_gate *_Nonnull gate);
void millrace_gate_wait(millrace_gate *_Nonnull gate);
bool millrace_gate_wait_for(millrace_gate *_Nonnull gate, uint64_t nanoseconds);

#endif
