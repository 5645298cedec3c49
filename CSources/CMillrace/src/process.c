/* SPDX-License-Identifier: Apache-2.0 */

#include "process.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t watched = PTHREAD_ONCE_INIT;
/* relaxed, all: it changes only in a child, which has one thread then. */
static _Atomic uint64_t generation;

static void begin_child(void) { atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed); }

static void watch(void) { pthread_atfork(NULL, NULL, begin_child); }

uint64_t millrace_process_generation(void) {
    pthread_once(&watched, watch);
    return atomic_load_explicit(&generation, memory_order_relaxed);
}
