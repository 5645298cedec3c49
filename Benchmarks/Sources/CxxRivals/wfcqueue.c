/* SPDX-License-Identifier: Apache-2.0
 *
 * liburcu's wfcqueue. With _LGPL_SOURCE its functions are inlined, which is faster than calls of its library. Head and tail
 * are in different cache lines, as it advises.
 */
#define _LGPL_SOURCE

#include "action.h"

#include <stddef.h>
#include <stdlib.h>
#include <urcu/compiler.h>
#include <urcu/wfcqueue.h>

typedef struct node {
    struct cds_wfcq_node link;
    action action;
} node;

struct wait_free_queue {
    struct __cds_wfcq_head head;
    char padding[128];
    struct cds_wfcq_tail tail;
};

wait_free_queue *wait_free_queue_create(void) {
    wait_free_queue *queue = calloc(1, sizeof *queue);
    if (queue != NULL) {
        __cds_wfcq_init(&queue->head, &queue->tail);
    }
    return queue;
}

void wait_free_queue_produce(wait_free_queue *queue, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        node *made = malloc(sizeof *made);
        if (made == NULL) {
            abort();
        }
        cds_wfcq_node_init(&made->link);
        made->action = nth_action(i);
        cds_wfcq_enqueue(&queue->head, &queue->tail, &made->link);
    }
}

void wait_free_queue_consume(wait_free_queue *queue, uint64_t count, rival_patience patience, action_sums *sums) {
    for (uint64_t got = 0; got < count;) {
        struct __cds_wfcq_head taken;
        struct cds_wfcq_tail end;
        struct cds_wfcq_node *link, *next;
        uint64_t before = got;
        __cds_wfcq_init(&taken, &end);
        __cds_wfcq_splice_blocking(&taken, &end, &queue->head, &queue->tail);
        __cds_wfcq_for_each_blocking_safe(&taken, &end, link, next) {
            node *found = caa_container_of(link, node, link);
            reduce_action(found->action, sums);
            free(found);
            got++;
        }
        if (got - before < patience.enough) {
            wait_a_little(patience.pauses);
        }
    }
}

void wait_free_queue_destroy(wait_free_queue *queue) { free(queue); }
