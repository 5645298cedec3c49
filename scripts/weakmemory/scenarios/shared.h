/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of numbered messages, and the books that scenarios keep of them.
 */
#ifndef SCENARIO_SHARED_H
#define SCENARIO_SHARED_H

#include "CMillrace.h"
#include "checker.h"

#include <stdlib.h>

enum { MOST_PRODUCERS = 4 };

/* A queue with segments of two slots or more, with either handshake of its doorbell. */
millrace_queue *make_queue(void);

/* A queue with segments of two slots, all of them large enough to be used again. */
millrace_queue *make_tiny_queue(void);

/* Forgets what was received. */
void reset_books(void);

/* Pushes `count` messages of a producer, in one claim where the segment allows it. */
void push(millrace_queue *queue, uint64_t producer, uint64_t first, uint64_t count);

/* The consumer: checks the message in a slot that front returned, takes it out, and pops it. */
void consume(millrace_queue *queue, unsigned char *slot);

/* All messages that consume has seen, and destroy_queue visited. */
uint64_t received(void);

/* Visits what is left; no thread is in the queue any more. */
void destroy_queue(millrace_queue *queue);

/* The consumer: sleeps on the doorbell until something is there. True when woken for another reason. */
void sleep_until_ready(millrace_queue *queue);

#endif
