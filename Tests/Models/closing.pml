/* SPDX-License-Identifier: Apache-2.0
 *
 * Closing: close, release, shutdown with a deadline, the end of the intake, drain, finish. E2.
 *
 * Stands for: Lifecycle.swift, StoreCore+Engine.swift, GracePeriod.swift, Consumer.finish and dropAll, the giving back
 *   of the baton in CallerEngine.swift, ThreadEngine.runLoop, StoreCore.put, ActionQueue.push.
 * Processes: PRODUCERS producers, which push EACH actions each; one that closes the store (DEADLINE: then abandons it);
 *   MESSENGER: one that sends a message; RELEASE: one that releases the store; the thread of grace periods. THREAD: the store's own
 *   thread consumes. Otherwise each of these threads drains (`.caller`), and a thread for each wakeElsewhere. The first
 *   action that is handled dispatches another one.
 * Checked: each accepted action is handled, once, before the store is finished (dropped, if it was abandoned), and each
 *   accepted message is delivered; nothing is pushed later; the store comes to its end without another call.
 * Cannot see: the memory model (scripts/weakmemory.sh: `closing`); the sleep of the store's thread (doorbell.pml), who
 *   sleeps here until there is a reason to wake; dispatch queues; urgent actions (urgent.pml); the journal; a producer whose
 *   thread ends before it publishes (Consumer.dropUnpublished).
 *
 * config: caller       -DPRODUCERS=2 -DEACH=1
 * config: release      -DPRODUCERS=1 -DEACH=1 -DMESSENGER=1 -DRELEASE=1
 * config: thread       -DPRODUCERS=2 -DEACH=1 -DTHREAD=1 -DMESSENGER=1 -DRELEASE=1
 * config: deadline     -DPRODUCERS=1 -DEACH=2 -DDEADLINE=1
 * config: thread-late  -DPRODUCERS=2 -DEACH=1 -DTHREAD=1 -DDEADLINE=1 -DMESSENGER=1
 * broken: NO_GRACE_PERIOD        caller  the intake ends when the store is closed
 * broken: GRACE_TOO_EARLY        caller  the grace period begins before the closed bit is set
 * broken: LOOK_BEFORE_SECTION    thread  a producer looks at the closed bit before its read section
 * broken: MESSAGES_NOT_REFUSED   release finish does not refuse messages
 * broken: NOT_LOOKED_AT_END      caller  who gives the baton back does not look at the state
 * broken: WOKEN_TOO_EARLY        caller  endIntake looks for a consumer before it sets the state
 * broken: FINISHED_TOO_EARLY     caller  finish does not drain the queue
 * broken: REFERENCES_IGNORED     release a release ends the intake though other references exist
 */
#define SLOTS (PRODUCERS * EACH + 2)
#define MESSAGE 2
#define OPEN 0
#define CLOSING 1
#define DRAINING 2
#define FINISHED 3
#define ENDED 4
#define TO_FINISH (state == DRAINING) /* Consumer.isToFinish */

bit closed, abandoned, held, refuses, locked;
byte state;
byte slots[SLOTS]; /* 0: not published; 1: an action; MESSAGE */
byte claimed, position, accepted, handled, dropped, delivered, messages, consumers;
byte inside;         /* a bit for each thread in a read section */
byte references = 1; /* the store object's; each thread that uses the core adds its own */

/* LifecycleMachine.move: a compare-and-swap */
inline move(from, to) {
    d_step { if :: state == from -> state = to :: else fi }
}

/* Consumer.finish, without the loop of its drains: what the consumer itself dispatches goes on */
inline handle_all() {
    do /* Pipeline.drain, dropAll */
    :: position < claimed && slots[position] == 1 && abandoned ->
        d_step { assert(state < FINISHED); dropped++; position++ }
    :: position < claimed && slots[position] == 1 && !abandoned ->
        d_step { assert(state < FINISHED); handled++; position++ }
        if
        :: handled == 1 && !abandoned -> /* admitsWhileClosed: the pipeline's own action */
            d_step { slots[claimed] = 1; claimed++; accepted++ }
        :: else
        fi
    :: position < claimed && slots[position] == MESSAGE ->
        d_step { assert(state < FINISHED); delivered++; position++ }
    :: else -> break
    od
}

inline finish() {
#ifndef MESSAGES_NOT_REFUSED
    atomic { !locked -> refuses = 1 } /* refuseMessages, under the lock of the intake */
#endif
#ifndef FINISHED_TOO_EARLY
    handle_all();
#endif
    assert(position == claimed);
    move(DRAINING, FINISHED); /* LifecycleMachine.finish */
    move(FINISHED, ENDED)     /* Consumer.end */
}

/* CallerEngine.drainHolding, giveBack; then CallerEngine.drain, until it does not get the baton */
inline drain_holding() {
    do
    :: d_step { consumers++; assert(consumers == 1) }
        if :: state < FINISHED -> handle_all() :: else fi;
        if :: TO_FINISH -> finish() :: else fi;
        seen = position;
        consumers--;
        held = 0; /* millrace_queue_hand_over: millrace_baton_give_back, then the second look */
        if
        :: seen < claimed && slots[seen] > 0
        :: else ->
#ifdef NOT_LOOKED_AT_END
            seen = 0;
            break
#else
            if
            :: TO_FINISH
            :: else -> seen = 0; break
            fi
#endif
        fi;
        seen = 0;
        if
        :: d_step { !held -> held = 1 } /* Baton.tryTake */
        :: d_step { else -> skip } break
        fi
    od
}

/* CallerEngine.wake: kick, wake. The thread of a store needs none: it sleeps until there is something to do. */
inline wake() {
#ifndef THREAD
    if
    :: d_step { !held -> held = 1 } drain_holding()
    :: d_step { else -> skip }
    fi
#else
    skip
#endif
}

proctype Drainer() {
    byte seen;
    drain_holding();
    references--
}

inline wake_elsewhere() {
#ifndef THREAD
    if
    :: atomic { !held -> held = 1; references++; run Drainer() }
    :: d_step { else -> skip }
    fi
#else
    skip
#endif
}

/* The closure of closeIntake, on the thread of GracePeriod.swift */
proctype GracePeriod() {
    byte readers;
#ifndef NO_GRACE_PERIOD
    readers = inside; /* waitForReaders */
    do
    :: readers == 0 -> break
    :: readers != 0 && (readers & inside) != readers -> readers = readers & inside
    od;
#endif
#ifdef WOKEN_TOO_EARLY
    wake_elsewhere();
    move(CLOSING, DRAINING);
#else
    move(CLOSING, DRAINING); /* endIntake */
    wake_elsewhere();
#endif
    references--
}

/* StoreCore.closeIntake; for LifecycleMachine.close, `only`: whether the caller holds the only reference */
inline close_intake(only) {
#ifndef GRACE_TOO_EARLY
    closed = 1; /* QueueHandle.close */
#endif
    if
    :: only -> move(OPEN, DRAINING); move(CLOSING, DRAINING)
    :: !only ->
        if
        :: atomic { state == OPEN -> state = CLOSING; references++; run GracePeriod() }
        :: d_step { else -> skip }
        fi
    fi;
#ifdef GRACE_TOO_EARLY
    closed = 1
#else
    skip
#endif
}

proctype Producer(byte me) {
    byte sent, slot, seen;
    bit rejected;
    do
    :: sent == EACH -> break
    :: else -> /* ActionQueue.push */
#ifdef LOOK_BEFORE_SECTION
        rejected = closed;
        inside = inside | (1 << me);
#else
        inside = inside | (1 << me); /* millrace_read_begin */
        rejected = closed;           /* millrace_queue_mode */
#endif
        if
        :: rejected
        :: else ->
            d_step { assert(claimed < SLOTS); slot = claimed; claimed++ }
            d_step { assert(state < FINISHED); slots[slot] = 1; accepted++; slot = 0 }
        fi;
        inside = inside & ~(1 << me); /* millrace_read_end */
        if :: rejected :: else -> wake() fi; /* StoreCore.settle: kick */
        atomic { rejected = 0; sent++ }
    od;
    references--
}

#ifdef MESSENGER
proctype Messenger() {
    byte slot, seen;
    atomic { !locked -> locked = 1 } /* StoreCore.put */
    if
    :: refuses -> locked = 0
    :: else ->
        d_step { assert(claimed < SLOTS); slot = claimed; claimed++ }
        d_step { assert(state < FINISHED); slots[slot] = MESSAGE; messages++; slot = 0 }
        locked = 0;
        wake() /* StoreCore.send: kick */
    fi;
    references--
}
#endif

proctype Closer() {
    byte seen;
    close_intake(0); /* StoreCore.close, closeElsewhere */
#ifdef DEADLINE
    wake_elsewhere();
    abandoned = 1; /* StoreCore.abandon: the stage's attention */
    close_intake(0);
    wake_elsewhere();
#else
    wake();
#endif
    references--
}

#ifdef RELEASE
/* StoreCore.closeReleased */
proctype Release() {
    byte seen;
#ifdef REFERENCES_IGNORED
    close_intake(1);
#else
    if /* isHeldOnce */
    :: d_step { references == 1 -> skip } close_intake(1)
    :: d_step { else -> skip } close_intake(0)
    fi;
#endif
    wake();
    references--
}
#endif

#ifdef THREAD
/* ThreadEngine.runLoop */
proctype Consumer() {
    do
    :: position < claimed && slots[position] > 0 -> handle_all()
    :: TO_FINISH -> finish(); break
    od;
    references--
}
#endif

init {
    byte p;
    atomic {
        do :: p < PRODUCERS -> references++; run Producer(p); p++ :: else -> break od;
#ifdef MESSENGER
        references++;
        run Messenger();
#endif
#ifdef RELEASE
        run Release();
#else
        references--;
#endif
#ifdef THREAD
        references++;
        run Consumer();
#endif
        references++;
        run Closer()
    }
    _nr_pr == 1;
    assert(state == ENDED && references == 0);
    assert(handled + dropped == accepted && delivered == messages && position == claimed);
    assert(abandoned || dropped == 0)
}
