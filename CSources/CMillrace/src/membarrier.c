/* SPDX-License-Identifier: Apache-2.0 */

#include "membarrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool process_has_membarrier;

static int membarrier(int command) { return (int)syscall(__NR_membarrier, command, 0); }

__attribute__((constructor)) static void register_membarrier(void) {
    int commands = membarrier(MEMBARRIER_CMD_QUERY);
    process_has_membarrier = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) &&
                             membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

bool millrace_has_membarrier(void) { return process_has_membarrier; }

bool millrace_membarrier(void) { return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0; }
