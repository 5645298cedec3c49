/* SPDX-License-Identifier: Apache-2.0
 *
 * Window: a consumer that goes on behind a gap, with store buffers; with a doorbell and membarrier, or with a baton.
 * W1 to W3.
 *
 * Stands for: millrace_window.h, window.c, is_stalled and hand_over in queue.c, Consumer.drainOnce, ThreadEngine.park.
 *   The comments name the function of each step.
 * Processes: DISPATCHES dispatches of RUN slots each, at most PRODUCERS at a time; for each one its store buffer, first
 *   in, first out (TSO). Up to STOPPED of them, whichever they are, stop for ever after their claim, and up to MESSAGES
 *   slots hold messages. One consumer, which opens windows of up to MOST slots, and may close them early. ASYMMETRIC:
 *   it sleeps on a doorbell, and runs membarrier for both sides. Otherwise it gives a baton back, and what a dispatch
 *   has stored is in the memory when it returns.
 * Checked: when a slot is handled, all slots are handled whose dispatch had returned before its own began, and those
 *   before it in its run; each slot is handled once; when a message is handled, all slots before it are. When all
 *   threads rest, every published slot is handled, except messages behind a gap, and what is behind such a message. The
 *   consumer does not look for ever without handling anything.
 * Cannot see: segments, and a gap or a cursor at the end of one; MILLRACE_MOST_GAPS and MILLRACE_MOST_GAP_SLOTS (the
 *   gaps are a set of slots here); the content of slots; loads that read old values, and what only the C11 model allows
 *   (scripts/weakmemory.sh: `window`, `window_baton`); the futex (doorbell.pml); a consumer that looks once more while
 *   the next holder of the baton handles slots.
 *
 * config: stopped      -DPRODUCERS=3 -DDISPATCHES=4 -DSTOPPED=2 -DASYMMETRIC=1
 * config: messages     -DPRODUCERS=3 -DDISPATCHES=3 -DSTOPPED=1 -DMESSAGES=2 -DASYMMETRIC=1
 * config: one-message  -DPRODUCERS=2 -DDISPATCHES=4 -DSTOPPED=1 -DMESSAGES=1 -DASYMMETRIC=1
 * config: runs         -DPRODUCERS=2 -DDISPATCHES=3 -DRUN=2 -DASYMMETRIC=1
 * config: baton        -DPRODUCERS=3 -DDISPATCHES=4 -DSTOPPED=2 -DMESSAGES=1 -DASYMMETRIC=0
 * broken: NO_BARRIER             stopped   no barrier before the look at the gaps
 * broken: BARRIER_AFTER_LOOK     stopped   the barrier comes after the look at the gaps
 * broken: NO_LOOK_AT_GAPS        stopped   no look at the gaps after the barrier
 * broken: ONLY_OLDEST_GAP        stopped   only the oldest slot of the gaps is looked at
 * broken: LOOKED_ONCE            runs      the gaps before an older slot are not looked at again
 * broken: RUN_BACKWARDS          runs      a run is published from its last slot to its first
 * broken: MESSAGE_PASSED         messages  the cursor goes behind a message
 * broken: MESSAGE_IN_WINDOW      messages  a window holds a message behind an action
 * broken: MESSAGE_IN_GAP_PASSED  messages  the look at the gaps does not see messages
 * broken: MESSAGE_IN_GAP_TAKEN   messages  a message in a gap is handled in a window
 * broken: NOT_MARKED             stopped   a slot that was handled in a window is not marked
 * broken: HANDLED_NOT_SKIPPED    stopped   front hands out a slot that was handled in a window
 * broken: HANDLED_IN_GAP         stopped   the look at the gaps takes a handled slot
 * broken: PASSED_GAP_KEPT        stopped   slots of a gap that the consumer has passed are seen
 * broken: CURSOR_LEFT_BEHIND     stopped   the cursor does not follow a consumer that passes it
 * broken: NO_LOOK_BEHIND         stopped   the sleeper does not look behind gaps
 * broken: LOOKED_BEFORE_SLEEPING stopped   the sleeper looks behind gaps, then sets `sleeping`
 * broken: PATIENT_SLEEPER        stopped   the sleeper does not look behind a gap it meets first
 * broken: NO_LOOK_IN_GAPS        stopped   the sleeper does not look into the gaps
 * broken: MESSAGE_IS_READY       messages  the sleeper wakes for a message in a gap, again and again
 * broken: NEW_GAP_NOT_SEEN       baton     a gap that comes before the baton is back is not seen
 * broken: FRONT_NOT_SEEN         baton     who has met a gap does not see a message there
 */
#ifndef RUN
#define RUN 1
#endif
#ifndef STOPPED
#define STOPPED 0
#endif
#ifndef MESSAGES
#define MESSAGES 0 /* only if RUN is 1 */
#endif
#define MOST 2
#define TOTAL (DISPATCHES * RUN)
#define BIT(slot) (1 << (slot))
#define SET(slot, count) (BIT((slot) + (count)) - BIT(slot)) /* `count` slots, from `slot` on */

/* What a ready word holds beside the stamp */
#define UNPUBLISHED 0
#define ACTION 1
#define MESSAGE 2
#define HANDLED 3

byte word[TOTAL], claimed;
byte messages;               /* a set of slots: what their producers have put there */
bit sleeping, held;          /* the doorbell; the baton */
byte ongoing, ended;         /* dispatches; one that has stopped for ever counts as both */
byte stop_count, message_count;
/* The words that each dispatch has stored, and how many of them have left its store buffer */
byte stored[DISPATCHES], visible[DISPATCHES];
#define DRAINED(number) (stored[number] == visible[number])

/* For the checks: sets of slots. The first two do not hold slots that are handled. */
byte returned;       /* their dispatch has returned */
byte earlier[TOTAL]; /* for each slot: what must be handled before it */
byte handled;

#ifdef RUN_BACKWARDS
#define NEXT(number) (number * RUN + RUN - 1 - visible[number])
#else
#define NEXT(number) (number * RUN + visible[number])
#endif

/* The oldest store in the buffer reaches the memory. */
inline drain_one(number) {
    word[NEXT(number)] = (messages & BIT(NEXT(number)) -> MESSAGE : ACTION);
    visible[number]++
}

/* All of them do: a full barrier */
inline drain(number) {
    do
    :: !DRAINED(number) -> drain_one(number)
    :: else -> break
    od
}

proctype StoreBuffer(byte number) {
end:
    do
    :: d_step { !DRAINED(number) -> drain_one(number) }
    od
}

/* A dispatch counts as begun when it claims, and as returned when it has stored its last word. In the code it begins no
 * later, and returns no earlier, so the checks ask for more than W1. Each dispatch has a store buffer of its own, which
 * allows more than the code: there the second fetch-add of a producer empties the buffer of its first dispatch. */
proctype Dispatch(byte number) {
    atomic {
        claimed == number * RUN && ongoing < PRODUCERS -> ongoing++;
        do /* millrace_queue_claim: the fetch-add */
        :: claimed < number * RUN + RUN ->
            earlier[claimed] = returned | SET(number * RUN, claimed - number * RUN);
            claimed++
        :: else -> break
        od;
        if
        :: true
        :: message_count < MESSAGES -> message_count++; messages = messages | BIT(number)
        :: stop_count < STOPPED -> stop_count++; ended++; goto stopped
        fi
    }
    do
    :: stored[number] < RUN - 1 -> stored[number]++ /* millrace_queue_publish_quietly */
    :: else -> break
    od;
    atomic { /* millrace_queue_publish: the last word */
        stored[number]++;
#if ASYMMETRIC == 0
        drain(number); /* sequentially consistent */
#endif
        returned = returned | (SET(number * RUN, RUN) & ~handled)
    }
    atomic {
#if ASYMMETRIC == 1
        if /* its look at `sleeping` */
        :: sleeping -> drain(number); sleeping = 0 /* millrace_doorbell_wake: the exchange, and the futex */
        :: else
        fi;
#else
        held = 1; /* QueueEngine.wake: millrace_baton_try_take. If it was not held, a turn is submitted. */
#endif
        ongoing--;
        ended++
    }
stopped:
    skip
}

/* millrace_membarrier: one core after the other */
inline barrier() {
#if ASYMMETRIC == 1
    do
    :: p < DISPATCHES ->
        d_step {
            do :: p < DISPATCHES && DRAINED(p) -> p++ :: else -> break od
            if :: p < DISPATCHES -> drain(p) :: else fi
        }
    :: else -> break
    od;
    p = 0
#else
    skip
#endif
}

/* The pipeline handles a slot. */
inline handle(slot) {
    assert(!(handled & BIT(slot)));
    assert(earlier[slot] == 0);
    assert(!(messages & BIT(slot)) || (handled & SET(0, slot)) == SET(0, slot));
    handled = handled | BIT(slot);
    promises = 0;
    returned = returned & ~BIT(slot);
    p = 0;
    do
    :: p < TOTAL -> earlier[p] = earlier[p] & ~BIT(slot); p++
    :: else -> break
    od
    p = 0
}

/* millrace_queue_pop outside a window; and millrace_window_follow, which looks only at what is the consumer's */
inline pop() {
    position++;
    promises = 0;
    has_gap = 0;
#ifndef CURSOR_LEFT_BEHIND
    if :: cursor <= position -> cursor = position; gaps = 0 :: else fi
#endif
#ifndef PASSED_GAP_KEPT
    gaps = gaps & ~SET(0, position)
#endif
}

/* look: moves the cursor over gaps, if `waits` only over one that it has noted before. `count` becomes the number of
 * actions at the cursor, up to `most`. No slot there is HANDLED: such slots are before the cursor. */
inline look(cursor, gaps, waits, most) {
    count = 0;
    do
    :: cursor == TOTAL -> break
    :: else ->
        if /* loads the word */
        :: word[cursor] == ACTION ->
            count = 1;
            do
            :: count < most && cursor + count < TOTAL && word[cursor + count] == ACTION -> count++
#ifdef MESSAGE_IN_WINDOW
            :: count < most && cursor + count < TOTAL && word[cursor + count] == MESSAGE -> count++
#endif
            :: else -> break
            od;
            break
        :: word[cursor] == MESSAGE ->
#ifdef MESSAGE_PASSED
            cursor++
#else
            break
#endif
        :: word[cursor] == UNPUBLISHED ->
            limit = claimed; /* load */
            if
            :: cursor >= limit -> limit = 0; break
            :: cursor < limit && waits && noted != cursor + 1 -> noted = cursor + 1; limit = 0; break
            :: else /* pass_gap */
            fi;
            length = 1;
            do
            :: cursor + length < limit && word[cursor + length] == UNPUBLISHED -> length++
            :: else -> break
            od;
            if
            :: cursor + length == limit -> length = 0; limit = 0; break
            :: else ->
                d_step {
                    gaps = gaps | SET(cursor, length);
                    cursor = cursor + length;
                    length = 0;
                    limit = 0
                }
            fi
        fi
    od
}

#ifdef MESSAGE_IN_GAP_PASSED
#define IS_FOUND(slot) (word[slot] == ACTION)
#elif defined(HANDLED_IN_GAP)
#define IS_FOUND(slot) (word[slot] != UNPUBLISHED)
#else
#define IS_FOUND(slot) (word[slot] == ACTION || word[slot] == MESSAGE)
#endif

/* find_in_gaps: `at` becomes the oldest slot in the gaps that is published and not handled; `end`: there is none. */
inline find_in_gaps(gaps, end) {
    at = 0;
    do
    :: d_step { at < end && !(gaps & BIT(at)) ->
            do :: at < end && !(gaps & BIT(at)) -> at++ :: else -> break od }
    :: at < end && (gaps & BIT(at)) ->
        if /* loads the word */
        :: IS_FOUND(at) -> break
#ifdef ONLY_OLDEST_GAP
        :: else -> at = end; break
#else
        :: else -> at++
#endif
        fi
    :: at == end -> break
    od
}

/* millrace_queue_open_window, and what follows if it returns true */
inline handle_behind_gap() {
    find_in_gaps(gaps, cursor);
    atomic { start = at; at = 0 }
    if
    :: start < cursor ->
        count = 1;
        do /* count_actions */
        :: count < MOST && (gaps & BIT(start + count)) && word[start + count] == ACTION -> count++
        :: else -> break
        od
    :: else ->
        look(cursor, gaps, true, MOST);
        start = cursor
    fi;
    noted = (noted > cursor -> noted : 0); /* a slot before the cursor is not looked for again */
    if
    :: count == 0
    :: else ->
#ifdef BARRIER_AFTER_LOOK
        find_in_gaps(gaps, start);
        if :: at < start -> atomic { start = at; at = 0; count = 1 } :: else -> at = 0 fi;
        barrier();
#else
#ifndef NO_BARRIER
        barrier();
#endif
#ifndef NO_LOOK_AT_GAPS
        do
        :: find_in_gaps(gaps, start);
            if
            :: at == start -> at = 0; break
#ifdef LOOKED_ONCE
            :: else -> atomic { start = at; at = 0; count = 1; break }
#else
            :: else -> atomic { start = at; at = 0; count = 1 }
#endif
            fi
        od;
#endif
#endif
#ifndef MESSAGE_IN_GAP_TAKEN
        if :: word[start] == MESSAGE -> count = 0 :: else fi;
#endif
        do /* Pipeline.drain: millrace_queue_front, millrace_queue_pop */
        :: count > 0 -> d_step { handle(start + popped); popped++; count-- }
        :: count == 0 || popped > 0 -> break /* the batch ends; the window may have more */
        od;
        count = 0;
        d_step { /* millrace_queue_close_window */
            if :: start == cursor -> cursor = cursor + popped :: else fi
#ifdef NOT_MARKED
            popped = 0;
#endif
            do
            :: popped > 0 -> popped--; word[start + popped] = HANDLED
            :: else -> break
            od
        }
    fi;
    start = 0
}

/* millrace_window_has_ready, on a copy of the window */
inline look_behind() {
    d_step { copied_cursor = cursor; copied_gaps = gaps }
#ifndef NO_LOOK_IN_GAPS
    find_in_gaps(copied_gaps, copied_cursor);
#else
    at = copied_cursor;
#endif
    if
#ifdef MESSAGE_IS_READY
    :: at < copied_cursor -> count = 1
#else
    :: at < copied_cursor -> count = (word[at] != MESSAGE)
#endif
    :: else ->
        at = 0;
#ifdef PATIENT_SLEEPER
        look(copied_cursor, copied_gaps, true, 1)
#else
        look(copied_cursor, copied_gaps, false, 1)
#endif
    fi;
    is_ready = (count > 0);
    atomic { count = 0; at = 0; copied_cursor = 0; copied_gaps = 0 }
}

/* millrace_queue_is_stalled */
inline look_for_gap() {
    if
    :: position < claimed ->
        if /* loads the word */
        :: word[position] == UNPUBLISHED ->
            is_stalled = 1;
#if ASYMMETRIC == 0
            has_gap = 1
#endif
        :: else
        fi
    :: else
    fi
}

/* A look has seen an action. Once all dispatches have ended, the consumer must find it soon: it notes each gap once,
 * and two looks may find what has left a store buffer late. */
inline count_promise() {
    if
    :: ended == DISPATCHES -> promises++; assert(promises <= STOPPED + 2)
    :: else
    fi
}

#define HAS_FRONT (position < TOTAL && word[position] != UNPUBLISHED)

proctype Consumer() {
    byte position, cursor, gaps, noted; /* `noted`: a slot, plus one; 0: none */
    byte count, limit, length, at, start, popped, p, copied_cursor, copied_gaps, promises;
    bit is_empty, is_stalled, is_ready, has_gap; /* has_gap: millrace_queue_has_gap */
    do
    ::
#if ASYMMETRIC == 0
        if
        :: held /* QueueEngine.runTurn */
        :: !held && ended == DISPATCHES -> break
        fi;
#endif
        is_empty = 1; /* Consumer.drainOnce */
        do /* Pipeline.drain: millrace_queue_front, millrace_queue_pop */
        :: d_step { HAS_FRONT ->
#ifdef HANDLED_NOT_SKIPPED
                handle(position);
#else
                if :: word[position] != HANDLED -> handle(position); is_empty = 0 :: else fi
#endif
                pop()
            }
        :: !HAS_FRONT -> break
        od;
        if
        :: is_empty ->
            look_for_gap();
            if :: is_stalled -> is_stalled = 0; handle_behind_gap() :: else fi
        :: else
        fi;
        if
        :: true /* the next batch: this one was full, or the engine spins */
        :: true ->
#if ASYMMETRIC == 1
            /* ThreadEngine.park */
#ifdef LOOKED_BEFORE_SLEEPING
            if :: position < claimed -> look_behind() :: else fi;
#endif
            sleeping = 1; /* millrace_doorbell_prepare */
            barrier();
            if /* Consumer.hasWork */
            :: HAS_FRONT -> is_ready = 1
            :: else ->
#if !defined(NO_LOOK_BEHIND) && !defined(LOOKED_BEFORE_SLEEPING)
                if :: position < claimed -> look_behind() :: else fi /* millrace_queue_has_ready_behind */
#else
                skip
#endif
            fi;
            if
            :: is_ready -> sleeping = 0; count_promise() /* millrace_doorbell_cancel */
            :: else ->
                if
                :: !sleeping /* millrace_doorbell_wait */
                :: sleeping && ended == DISPATCHES -> break
                fi
            fi;
#else
            held = 0; /* millrace_queue_hand_over: millrace_baton_give_back, then the second look */
            if
            :: position < claimed -> /* load */
#ifdef NEW_GAP_NOT_SEEN
                if :: HAS_FRONT -> is_ready = 1 :: else fi;
#else
                if :: !has_gap -> is_ready = 1 :: else fi; /* the next batch meets the gap, if it is one */
#endif
                if
                :: has_gap && !is_ready -> /* hand_over_at_gap */
#ifdef FRONT_NOT_SEEN
                    look_behind()
#else
                    if :: HAS_FRONT -> is_ready = 1 :: else -> look_behind() fi
#endif
                :: else
                fi
            :: else
            fi;
            if
            :: is_ready -> held = 1; count_promise() /* millrace_baton_try_take, unless a producer was faster */
            :: else
            fi;
#endif
            is_ready = 0
        fi
    od;
    barrier();
    p = position;
    d_step { /* All threads rest. What is published and not handled is behind a gap and a message. */
        assert(STOPPED > 0 || p == TOTAL);
        assert(!HAS_FRONT);
        do
        :: p < TOTAL && word[p] != MESSAGE -> assert(word[p] != ACTION); p++
        :: else -> break
        od
    }
}

init {
    byte p;
    atomic {
        do :: p < DISPATCHES -> run StoreBuffer(p); run Dispatch(p); p++ :: else -> break od;
        run Consumer()
    }
}
