/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the model itself: small programs with an outcome that C11 forbids, which must never occur, or that C11 allows
 * and the model explores, which must occur. sb, iriw, mp, wrc and rwc are the usual names of such programs.
 */
#include "CMillrace.h"
#include "checker.h"

#include <stdlib.h>

bool millrace_membarrier(void); /* src/membarrier.h */

typedef struct cells {
    _Atomic uint64_t x, y, z;
} cells;

static cells *all;
static uint64_t got[8]; /* what the threads have read */

#define STORE(cell, value, order) atomic_store_explicit(&all->cell, value, memory_order_##order)
#define LOAD(cell, order) atomic_load_explicit(&all->cell, memory_order_##order)
#define ADD(cell, value, order) atomic_fetch_add_explicit(&all->cell, value, memory_order_##order)
#define THREAD(name, steps)                                                                                            \
    static void name(void *unused) {                                                                                   \
        (void)unused;                                                                                                  \
        steps                                                                                                          \
    }
#define OUTCOME(name, condition)                                                                                       \
    static bool name(void) { return condition; }

THREAD(store_x, STORE(x, 1, seq_cst);)
THREAD(store_y, STORE(y, 1, seq_cst);)

/* Each stores, and does not see what the other one stores. */
THREAD(sb_0, STORE(x, 1, seq_cst); got[0] = LOAD(y, seq_cst);)
THREAD(sb_1, STORE(y, 1, seq_cst); got[1] = LOAD(x, seq_cst);)
THREAD(sb_release_0, STORE(x, 1, release); got[0] = LOAD(y, acquire);)
THREAD(sb_add_0, ADD(x, 1, seq_cst); got[0] = LOAD(y, seq_cst);)
THREAD(sb_add_1, ADD(y, 1, seq_cst); got[1] = ADD(x, 0, seq_cst);)
THREAD(sb_barrier_0, STORE(x, 1, relaxed); millrace_membarrier(); got[0] = LOAD(y, relaxed);)
THREAD(sb_barrier_1, STORE(y, 1, relaxed); atomic_signal_fence(memory_order_seq_cst); got[1] = LOAD(x, relaxed);)
OUTCOME(neither, got[0] == 0 && got[1] == 0)

/* The same, and the second thread may see by z that the first one has ended. */
THREAD(sb_hint_0, STORE(x, 1, seq_cst); got[0] = LOAD(y, seq_cst); STORE(z, 1, relaxed);)
THREAD(sb_hint_1, STORE(y, 1, seq_cst); got[2] = LOAD(z, relaxed); got[1] = LOAD(x, seq_cst);)

/* Two readers see two stores in different orders. */
THREAD(iriw_0, got[0] = LOAD(x, seq_cst); got[1] = LOAD(y, seq_cst);)
THREAD(iriw_1, got[2] = LOAD(y, seq_cst); got[3] = LOAD(x, seq_cst);)
OUTCOME(iriw, got[0] == 1 && got[1] == 0 && got[2] == 1 && got[3] == 0)

/* In both cells the first store of a thread is the newest. */
THREAD(w22_0, STORE(x, 1, seq_cst); STORE(y, 2, seq_cst);)
THREAD(w22_1, STORE(y, 1, seq_cst); STORE(x, 2, seq_cst);)
THREAD(w22_release_0, STORE(x, 1, release); STORE(y, 2, release);)
OUTCOME(w22, LOAD(x, relaxed) == 1 && LOAD(y, relaxed) == 1)

/* x = 1 would be before x = 2 in the modification order, so in S before the load that read y = 0. */
THREAD(middle_0, STORE(x, 2, seq_cst); got[0] = LOAD(y, seq_cst); STORE(z, 1, relaxed);)
THREAD(middle_1, STORE(y, 1, seq_cst); got[1] = LOAD(z, relaxed); STORE(x, 1, seq_cst);)
OUTCOME(middle, got[0] == 0 && LOAD(x, relaxed) == 2)

/* A flag is seen, and what was stored before it is not. */
THREAD(mp_0, STORE(x, 1, seq_cst); STORE(y, 1, seq_cst);)
THREAD(mp_1, got[0] = LOAD(y, seq_cst); got[1] = LOAD(x, seq_cst);)
THREAD(mp_relaxed_0, STORE(x, 1, seq_cst); STORE(y, 1, relaxed);)
THREAD(mp_relaxed_1, got[0] = LOAD(y, relaxed); got[1] = LOAD(x, seq_cst);)
OUTCOME(mp, got[0] == 1 && got[1] == 0)

/* A store is read and passed on by an acquire and a release. */
THREAD(wrc_1, got[0] = LOAD(x, acquire); STORE(y, 1, release);)
THREAD(wrc_2, got[1] = LOAD(y, acquire); got[2] = LOAD(x, seq_cst);)
OUTCOME(wrc, got[0] == 1 && got[1] == 1 && got[2] == 0)

/* A load that comes before a store in S, and another thread that has both in the other order. */
THREAD(rwc_1, got[0] = LOAD(x, seq_cst); got[1] = LOAD(y, seq_cst);)
OUTCOME(rwc, got[0] == 1 && got[1] == 0 && got[2] == 0)
THREAD(rwc_2, STORE(y, 1, seq_cst); got[2] = LOAD(x, seq_cst);)

/* A load that comes before x = 1 in S also comes before all that follows x = 1, though that was executed before. */
THREAD(chain_1, STORE(z, 1, seq_cst); got[0] = LOAD(x, seq_cst);)
THREAD(chain_2, got[1] = LOAD(y, seq_cst); got[2] = LOAD(z, seq_cst);)
OUTCOME(chain, got[0] == 0 && got[1] == 1 && got[2] == 0)

/* An update that comes before x = 1 in S, though its thread knows that x = 1 was executed. */
THREAD(update_1, got[0] = LOAD(y, relaxed); got[1] = ADD(x, 5, seq_cst);)
OUTCOME(update, got[0] == 1 && got[1] == 0 && LOAD(x, relaxed) == 1)

const struct check_litmus check_litmuses[] = {
    {"store buffering", {sb_0, sb_1}, neither, false},
    {"store buffering by updates", {sb_add_0, sb_add_1}, neither, false},
    {"store buffering with a hint", {sb_hint_0, sb_hint_1}, neither, false},
    {"store buffering with membarrier", {sb_barrier_0, sb_barrier_1}, neither, false},
    {"store buffering, one side with release", {sb_release_0, sb_1}, neither, true},
    {"two readers", {store_x, store_y, iriw_0, iriw_1}, iriw, false},
    {"two writers", {w22_0, w22_1}, w22, false},
    {"two writers, one with release", {w22_release_0, w22_1}, w22, true},
    {"store in the middle", {middle_0, middle_1}, middle, false},
    {"message passing", {mp_0, mp_1}, mp, false},
    {"message passing by a relaxed flag", {mp_relaxed_0, mp_relaxed_1}, mp, true},
    {"update by a relaxed flag", {mp_relaxed_0, update_1}, update, true},
    {"passing on", {store_x, wrc_1, wrc_2}, wrc, false},
    {"reader and store buffering", {store_x, rwc_1, rwc_2}, rwc, false},
    {"chain of three", {mp_0, chain_1, chain_2}, chain, false},
    {NULL, {NULL}, NULL, false},
};

bool check_run_litmus(const struct check_litmus *litmus) {
    static const char *const names[] = {"thread 0", "thread 1", "thread 2", "thread 3"};
    all = calloc(1, sizeof *all);
    for (unsigned index = 0; index < sizeof got / sizeof *got; index++) {
        got[index] = 0;
    }
    for (unsigned index = 0; index < sizeof names / sizeof *names && litmus->threads[index]; index++) {
        check_spawn(names[index], litmus->threads[index], NULL);
    }
    check_join();
    bool is_there = litmus->outcome();
    free(all);
    return is_there;
}
