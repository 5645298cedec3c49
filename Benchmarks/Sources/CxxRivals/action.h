/* SPDX-License-Identifier: Apache-2.0
 *
 * The Swift types AppAction and AppState.reducer in C, a spin wait, and the queue in wfcqueue.c.
 */
#ifndef ACTION_H
#define ACTION_H

#include "ActionQueues.h"

enum { ACTION_INCREMENT, ACTION_DECREMENT, ACTION_TICK };

typedef struct action {
    int64_t kind;
    int64_t amount;
} action;

static inline action nth_action(uint64_t index) {
    action made;
    made.kind = index % 2 == 0 ? ACTION_INCREMENT : ACTION_TICK;
    made.amount = (int64_t)index;
    return made;
}

static inline void reduce_action(action taken, action_sums *sums) {
    switch (taken.kind) {
    case ACTION_INCREMENT:
        sums->count++;
        break;
    case ACTION_DECREMENT:
        sums->count--;
        break;
    default:
        sums->ticks += taken.amount;
    }
}

static inline void wait_a_little(uint32_t pauses) {
    for (uint32_t i = 0; i < pauses; i++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ __volatile__("isb" ::: "memory");
#endif
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/* liburcu's wfcqueue: any number of producers, one consumer. `create` returns NULL if there is no memory; without memory
 * for a node `produce` stops the program. */
typedef struct wait_free_queue wait_free_queue;
wait_free_queue *wait_free_queue_create(void);
void wait_free_queue_produce(wait_free_queue *queue, uint64_t count);
void wait_free_queue_consume(wait_free_queue *queue, uint64_t count, rival_patience patience, action_sums *sums);
void wait_free_queue_destroy(wait_free_queue *queue);

#ifdef __cplusplus
}
#endif

#endif
