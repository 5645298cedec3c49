/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_platform.h"

#include <stdio.h>

void millrace_stop(const char *message) {
    fprintf(stderr, "millrace: %s\n", message);
    __builtin_trap();
}
