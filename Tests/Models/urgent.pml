/* SPDX-License-Identifier: Apache-2.0
 *
 * Urgent and internal actions beside the shared queue, and barriers. U1, U2, E13.
 *
 * Stands for: UrgentIntake.swift, StoreCore+Urgent.swift, Pipeline+Beside.swift, Pipeline+Drain.swift, the uses of
 *   InternalQueue.swift, Consumer+Barrier.swift, millrace_stage.h (millrace_stage_ask, millrace_stage_take), the second
 *   looks of ThreadEngine.park and CallerEngine.giveBack.
 * Processes: URGENT producers, one urgent action each; one producer of ACTIONS actions; one thread that sends a barrier.
 *   THREAD: the store's own thread consumes, and sleeps; otherwise each of these threads drains (`.caller`). The first
 *   urgent, the first other and the first internal action dispatch one internal action each, a subscriber another one. A batch has 2
 *   actions.
 * Checked: all actions are handled, each once, and nobody sleeps for ever; no action of the shared queue is handled while
 *   an internal one waits; a barrier passes when all that was dispatched before it is handled.
 * Cannot see: the memory model (scripts/weakmemory.sh: `urgent`); segments (queue.pml); rows of more than 4,096 actions
 *   beside the queue; abandonment; how the urgent queue is made; chunks of the internal queue (one thread owns them).
 *
 * config: thread       -DURGENT=2 -DACTIONS=2 -DTHREAD=1
 * config: caller       -DURGENT=2 -DACTIONS=1
 * broken: ASKED_TOO_EARLY        thread  the mark is set before the action is published
 * broken: CLEARED_TOO_LATE       thread  the consumer clears the mark after it has looked at the urgent queue
 * broken: STOPPED_WITHOUT_MARK   thread  a batch that ends early does not set the mark again
 * broken: NOT_LOOKED_BEFORE_SLEEP thread the sleeper does not look at the mark
 * broken: NOT_LOOKED_AFTER_BATON caller  who gives the baton back does not look at the mark
 * broken: BARRIER_TOO_EARLY      thread  a barrier passes where it is reached
 * broken: BARRIER_NOT_PASSED     thread  barriers are not looked at after a batch
 * broken: INTERNAL_OVERTAKEN     thread  the consumer does not look for internal actions after each action
 * broken: INTERNAL_LEFT          thread  the consumer sleeps while an internal action waits
 */
#define BATCH 2
#define MESSAGE 2

byte slots[ACTIONS + 1]; /* of the shared queue; 0: not published; 1: an action; MESSAGE: the barrier */
byte claimed, position, handled;
bit urgent[URGENT];
byte urgent_claimed, urgent_position;
byte internal_pushed, internal_position;
bit mark; /* MILLRACE_ATTENTION_URGENT */
bit held, sleeping;
byte noted = 255, actions_before; /* what the barrier waits for; 255: it is not there */
bit waits, passed;                /* a barrier is in the list of the consumer; it has passed */
bit published;
byte consumers;

#define HAS_INTERNAL (internal_pushed > internal_position)
#define HAS_BESIDES (mark || HAS_INTERNAL)
#define FRONT (position < claimed && slots[position] > 0)
#define URGENT_FRONT (urgent_position < urgent_claimed && urgent[urgent_position])

/* Consumer.pass, in reach and passBarriers */
inline pass() {
    d_step {
        assert(!passed && urgent_position >= noted && position >= actions_before);
        passed = 1;
        waits = 0
    }
}

/* StoreCore.putInternally, by the handler of the first action of each kind */
#define DISPATCH_BY(number) if :: number == 0 -> internal_pushed++ :: else fi

/* Stage.takeUrgent */
inline take_urgent() {
    if
    :: mark ->
#ifndef CLEARED_TOO_LATE
        mark = 0;
#endif
        is_urgent = 1
    :: else
    fi
}

/* Pipeline.drainBeside */
inline drain_beside() {
    is_urgent = 0;
    take_urgent();
    do
    :: taken >= BATCH -> break
    :: else ->
        if
        :: is_urgent && !URGENT_FRONT ->
            /* A producer that has not published its action yet sets the mark afterwards. */
            is_urgent = 0;
#ifdef CLEARED_TOO_LATE
            mark = 0
#endif
        :: is_urgent && URGENT_FRONT ->
            d_step { DISPATCH_BY(urgent_position); urgent_position++; taken++ }
            take_urgent()
        :: !is_urgent && HAS_INTERNAL ->
            d_step { DISPATCH_BY(internal_position); internal_position++; taken++ }
            take_urgent()
        :: !is_urgent && !HAS_INTERNAL -> break
        fi
    od;
#ifndef STOPPED_WITHOUT_MARK
    if :: is_urgent -> mark = 1 :: else fi;
#endif
    is_urgent = 0
}

/* Consumer.drainOnce, Pipeline.drain; `taken` is BATCH at the end if there may be more */
inline drain_once() {
    taken = 0;
    if :: HAS_BESIDES -> drain_beside() :: else fi;
    do
    :: taken < BATCH && FRONT && slots[position] == 1 ->
        d_step {
            assert(!HAS_INTERNAL);
            DISPATCH_BY(handled);
            handled++;
            position++;
            taken++
        }
#ifndef INTERNAL_OVERTAKEN
        if :: HAS_BESIDES -> drain_beside() :: else fi
#endif
    :: taken < BATCH && FRONT && slots[position] == MESSAGE ->
        if /* an urgent action that was dispatched before the message comes first */
        :: HAS_BESIDES -> drain_beside()
        :: else ->
            position++; /* Consumer.takeMessage, reach */
#ifdef BARRIER_TOO_EARLY
            pass();
#else
            if :: urgent_position >= noted -> pass() :: else -> waits = 1 fi;
#endif
            taken = BATCH
        fi
    :: taken >= BATCH || !FRONT -> break
    od;
#ifndef BARRIER_NOT_PASSED
    if :: waits && urgent_position >= noted -> pass() :: else fi; /* passBarriers */
#endif
    if /* publishAfterBatch: a subscriber dispatches an internal action */
    :: d_step { position > ACTIONS && !published -> published = 1; internal_pushed++ }
    :: d_step { else -> skip }
    fi
}

/* CallerEngine.drain; on a store with a thread: Doorbell.ring */
inline wake() {
#ifdef THREAD
    sleeping = 0
#else
    do
    :: d_step { !held -> held = 1; consumers++; assert(consumers == 1) }
        do
        :: drain_once();
            if :: taken < BATCH && !HAS_INTERNAL -> break :: else fi
        od;
        atomic { seen = position; consumers-- }
        held = 0; /* millrace_queue_hand_over */
        if
        :: seen < claimed && slots[seen] > 0
        :: else ->
#ifdef NOT_LOOKED_AFTER_BATON
            break
#else
            if :: mark :: else -> break fi /* Consumer.mustLookAgain */
#endif
        fi
    :: d_step { held -> skip } break
    od;
    seen = 0;
    taken = 0
#endif
}

proctype Urgent() {
    byte slot, taken, seen;
    bit is_urgent;
#ifdef ASKED_TOO_EARLY
    mark = 1;
#endif
    d_step { slot = urgent_claimed; urgent_claimed++ } /* ActionQueue.push */
    d_step { urgent[slot] = 1; slot = 0 }
#ifndef ASKED_TOO_EARLY
    mark = 1; /* Stage.askUrgent */
#endif
    wake() /* wakeForUrgent */
}

proctype Producer() {
    byte slot, sent, taken, seen;
    bit is_urgent;
    do
    :: sent == ACTIONS -> break
    :: else ->
        d_step { slot = claimed; claimed++; sent++ }
        d_step { slots[slot] = 1; slot = 0 }
        wake()
    od
}

proctype Barrier() {
    byte slot, before, taken, seen;
    bit is_urgent;
    before = urgent_claimed; /* StoreCore.sendBarrier */
    d_step { slot = claimed; claimed++ }
    d_step { noted = before; actions_before = slot; slots[slot] = MESSAGE; slot = 0; before = 0 }
    wake()
}

#define ALL (position == ACTIONS + 1 && urgent_position == URGENT && internal_position == 4 && passed)

#ifdef THREAD
/* ThreadEngine.runLoop, park */
proctype Consumer() {
    byte taken;
    bit is_urgent;
    do
    :: drain_once();
        if
        :: taken >= BATCH
        :: taken < BATCH && ALL -> break
        :: taken < BATCH && !ALL ->
            sleeping = 1; /* millrace_doorbell_prepare */
            if /* Consumer.hasWork */
            :: FRONT -> sleeping = 0
            :: else ->
                if
#ifndef NOT_LOOKED_BEFORE_SLEEP
                :: mark -> sleeping = 0
#endif
#ifndef INTERNAL_LEFT
                :: HAS_INTERNAL -> sleeping = 0
#endif
                :: else -> !sleeping /* millrace_doorbell_wait */
                fi
            fi
        fi
    od
}
#endif

init {
    byte p;
    atomic {
        do :: p < URGENT -> run Urgent(); p++ :: else -> break od;
        run Producer();
#ifdef THREAD
        run Consumer();
#endif
        run Barrier()
    }
    _nr_pr == 1;
    assert(ALL && !HAS_INTERNAL)
}
