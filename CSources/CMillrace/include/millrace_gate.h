/* SPDX-License-Identifier: Apache-2.0
 *
 * Gate: opens once; whoever waits, waits until then.
 *
 *   open     one thread, once; releases what it did before
 *   wait     any thread; acquires it. Blocks.
 *   wait_for the same, at most so many nanoseconds; returns whether it opened.
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
