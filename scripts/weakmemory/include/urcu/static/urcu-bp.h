/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces liburcu's header: the calls that the C core makes go to the read sections and grace periods of the model
 * (model/grace.hpp).
 */
#ifndef CHECKER_URCU_H
#define CHECKER_URCU_H

struct rcu_head {
    void *link[2];
};

void model_read_begin(void);
void model_read_end(void);
int model_read_ongoing(void);
void model_call_rcu(void *head, void (*callback)(void *));
void model_synchronize(void);
void model_barrier(void);

static inline void _urcu_bp_read_lock(void) { model_read_begin(); }
static inline void _urcu_bp_read_unlock(void) { model_read_end(); }
static inline int _urcu_bp_read_ongoing(void) { return model_read_ongoing(); }
static inline void urcu_bp_call_rcu(struct rcu_head *head, void (*callback)(struct rcu_head *)) {
    model_call_rcu(head, (void (*)(void *))callback);
}
static inline void urcu_bp_synchronize_rcu(void) { model_synchronize(); }
static inline void urcu_bp_barrier(void) { model_barrier(); }

#endif
