/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows: how the consumer of a queue goes on behind a gap.
 *
 * A gap is a run of slots that a producer has claimed and not published, while later slots are published. The system may
 * stop the producer there for a time slice or longer. Meanwhile the consumer handles the actions behind the gap: it
 * opens a window on published slots, front and pop go through the window as through the queue, and it closes the window.
 * Each slot that was popped in a window keeps its place in the queue with the flag MILLRACE_SLOT_HANDLED, and the
 * consumer passes it later. So the position of the consumer stays at the oldest gap, and segments are used again as
 * without windows. `consumed` counts handled slots, too.
 *
 * All calls are the consumer's: see millrace_queue.h.
 *
 * Invariants; they are also rows of docs/invariants.md:
 * W1 (order): before the consumer pops a slot behind a gap, it does three steps, in this order: it acquires the stamp of
 *   the slot; it runs a barrier on every core; it finds the gap still unpublished. So the dispatch of the gap had not
 *   returned when the dispatch of the slot began. Where producers publish by seq_cst stores there is no barrier.
 * W2 (messages): a window holds no message, and no slot behind a message that was published when the consumer looked: a
 *   message has its place among the actions. One that is claimed and not published is a gap like any other.
 * W3 (once): when a window closes, every slot that was popped in it has the flag MILLRACE_SLOT_HANDLED.
 */
#ifndef MILLRACE_WINDOW_H
#define MILLRACE_WINDOW_H

#include "millrace_platform.h"

struct millrace_queue;
struct millrace_segment;

/* More gaps than this, or more slots in them, and the consumer waits. Before each window it looks at all of them. A run of
 * the Swift store has at most 256 slots. */
enum { MILLRACE_MOST_GAPS = 16, MILLRACE_MOST_GAP_SLOTS = MILLRACE_MOST_GAPS * 256 };

typedef struct millrace_gap {
    unsigned char *_Nonnull slot; /* the first one */
    uint64_t stamp;               /* of that slot, without flags */
    uint64_t count;               /* slots, all in one segment; some may be published or handled meanwhile */
} millrace_gap;

typedef struct millrace_window {
    /* The cursor: the consumer has looked at all slots before it. */
    struct millrace_segment *_Nullable segment;
    unsigned char *_Nullable slot;
    uint64_t stamp; /* of that slot, without flags */
    /* The head segment, and the end of its slots, when the cursor was last used. */
    struct millrace_segment *_Nullable head;
    unsigned char *_Nullable head_end;
    /* `ahead`: slots that were handled in windows and not passed yet. At `most_ahead` the consumer opens no window behind
     * the cursor, so that a bounded queue does not take any amount of memory. One window may exceed it. */
    uint64_t ahead;
    uint64_t most_ahead;
    /* Where the open window begins. */
    unsigned char *_Nullable first_slot;
    uint64_t first_stamp;
    /* While a window is open: the consumer's place in the queue. */
    unsigned char *_Nullable oldest_slot; /* null: no window is open */
    unsigned char *_Nullable oldest_end;
    uint64_t oldest_stamp;
    /* The stamp of a claimed slot that was unpublished at an earlier look at the cursor; 0: none. */
    uint64_t noted;
    uint64_t gap_count;
    uint64_t gap_slots; /* in all gaps */
    millrace_gap gaps[MILLRACE_MOST_GAPS];
} millrace_window;

/* Whether an action is published, at the head or behind gaps. Then front returns it, or open_window opens a window after
 * at most one call for each gap before it. For the second look in the handshake of the doorbell. Costs a load if nothing is
 * claimed, else also some for each slot of the gaps. */
bool millrace_queue_has_ready_behind(struct millrace_queue *_Nonnull queue);

/* Opens a window of up to `most` slots on the oldest published actions behind gaps. To be called after front has
 * returned null. From here to close_window, front and pop go through the window. Returns false, and opens none, if there
 * is no such action. The first call that meets a gap does not look behind it: most gaps are closed within
 * nanoseconds. */
bool millrace_queue_open_window(struct millrace_queue *_Nonnull queue, uint64_t most);

/* Sets the most slots that the consumer handles behind gaps before it waits for the oldest one; at first there is no
 * limit. Before other threads use the queue. */
void millrace_queue_set_most_ahead(struct millrace_queue *_Nonnull queue, uint64_t slots);

/* Whether the action at a position that was pushed is handled, in its turn or in a window. Outside a window. */
bool millrace_queue_is_handled(const struct millrace_queue *_Nonnull queue, uint64_t position);

/* Closes the open window: front and pop go on at the oldest slot. */
void millrace_queue_close_window(struct millrace_queue *_Nonnull queue);

#endif
