/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of numbered messages, and the counts that scenarios keep of them.
 */
#ifndef SCENARIO_SHARED_H
#define SCENARIO_SHARED_H

#include "CMillrace.h"
#include "checker.h"

#include <stdlib.h>

enum { MOST_PRODUCERS = 4 };

/* Makes a queue with segments of two slots or more, and with either handshake of its doorbell. Of some queues, maps of
 * segments fail now and then. */
millrace_queue *make_queue(void);

/* The same, and all maps succeed. */
millrace_queue *make_reliable_queue(void);

/* Makes a queue with segments of two slots, all of them large enough to be used again. */
millrace_queue *make_tiny_queue(void);

/* The same, with much use of the slow path and of spares. */
millrace_queue *make_reusing_queue(void);

/* Makes a queue with one segment for all messages of a scenario; of some queues, producers also claim on the slow path. */
millrace_queue *make_long_queue(void);

/* Sets the counts of received messages to 0. */
void reset_counters(void);

/* Pushes `count` messages of a producer, in one claim where the segment allows it. */
void push(millrace_queue *queue, uint64_t producer, uint64_t first, uint64_t count);

/* The same, but each slot is published when it is filled, as the Swift store does: for a consumer that does not sleep. */
void push_in_order(millrace_queue *queue, uint64_t producer, uint64_t first, uint64_t count);

/* The consumer: checks the message in a slot that front returned, takes it out, and pops it. */
void consume(millrace_queue *queue, unsigned char *slot);

/* The number of messages that consume has taken out, and that destroy_queue has visited. */
uint64_t received(void);

/* Visits the messages that are left, and frees the queue. No other thread may be in the queue any more. */
void destroy_queue(millrace_queue *queue);

/* The consumer: sleeps on the doorbell until a slot is published or the doorbell rings for another reason. */
void sleep_until_ready(millrace_queue *queue);

#endif
