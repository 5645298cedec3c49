/* SPDX-License-Identifier: Apache-2.0
 *
 * Forced into every file of the stress driver: a random delay between two steps of a protocol, so that the rare
 * interleavings happen often.
 */
#include <sched.h>
#include <stdint.h>

static _Thread_local uint32_t interleave_state;

static inline void interleave(void) {
    uint32_t state = interleave_state + 0x9E3779B9u;
    state ^= (uint32_t)(uintptr_t)&interleave_state;
    state *= 0x85EBCA6Bu;
    state ^= state >> 13;
    interleave_state = state;
    if (state % 64 == 0) {
        sched_yield();
    } else if (state % 8 == 0) {
        for (volatile unsigned turn = 0; turn < state % 512; turn++) {
        }
    }
}

#define MILLRACE_INTERLEAVE() interleave()
