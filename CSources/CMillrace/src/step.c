/* SPDX-License-Identifier: Apache-2.0 */
#include "millrace_platform.h"

#ifdef MILLRACE_SIMULATED

static _Thread_local void (*step)(void *context);
static _Thread_local void *step_context;

void millrace_step(void) {
    if (step) {
        step(step_context);
    }
}

void millrace_step_set(void (*new_step)(void *context), void *context) {
    step = new_step;
    step_context = context;
}

#endif
