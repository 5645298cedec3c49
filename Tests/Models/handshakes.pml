/* SPDX-License-Identifier: Apache-2.0
 *
 * Handshakes in Swift: each side stores a word, then looks at the word of the other side; with store buffers.
 * L1, E6, J12, J1, J11.
 *
 * Stands for: LOG: LogChannel.swift (hasRoom, handOver, wake, take, lookLater, rest).
 *   TIMER: QueueEngine.swift (wake, runTurn, scheduleUpkeep, upkeep, isMissed, giveBack, lookAgain).
 *   EFFECTS: Admission.swift (effectBeginsToWait, effectHasWaited, hasWaitingEffects), JournalPort.waitForEffects.
 *   SLEEP: Parking.swift (sleep, wake); Replay.swift (mayReplay), JournalPort.swift (isRecovered, isConnected), and the
 *   sleep of the pipeline that reads these.
 * Processes: LOG: a pipeline that logs ENTRIES actions, in a ring with 2 places, and a serial queue. TIMER: a turn, a
 *   producer that starts another one, and the timer. EFFECTS: a pipeline with ENTRIES actions in its full queue, and as
 *   many effects, each of which needs room for an answer before it ends. SLEEP: a sleeper that waits for two changes, and
 *   a thread for each, which makes the change and wakes the sleeper. For each process its store buffer, an entry
 *   for each address, which reach the memory in any order (PSO).
 * Checked: LOG: each entry is taken out, complete; no place is used again too early; one block at a time. TIMER: when
 *   all have returned, a turn came after the timer. EFFECTS: no pipeline and no effect waits for ever.
 *   SLEEP: the sleeper sees both changes, and does not sleep for ever.
 * Cannot see: loads that read old values; turns without end; LOG: flush, and that `head` is stored once in 32 entries;
 *   TIMER: the queue of actions (baton.pml), a timer that is set again, turns on the main queue, the end of the store;
 *   EFFECTS: the lock of the sleeper, and held work (journal.pml), the line of waiters (admission.pml).
 *
 * config: log          -DLOG -DENTRIES=4
 * config: timer        -DTIMER
 * config: effects      -DEFFECTS -DENTRIES=2
 * config: effects3     -DEFFECTS -DENTRIES=3
 * config: sleep        -DSLEEP
 * broken: TAIL_BY_RELEASE        log     `tail` is stored by a release, and no barrier follows
 * broken: RESTED_BY_RELEASE      log     `isAwake` is cleared by a release, and no barrier follows
 * broken: NO_LOOK_BEFORE_REST    log     the queue rests without a last look at the ring
 * broken: WOKEN_WITHOUT_EXCHANGE log     `isAwake` is set by a store
 * broken: TAIL_RELAXED           log     the queue may see `tail` before the entry
 * broken: HEAD_RELAXED           log     the pipeline may see `head` before the place is free
 * broken: MISSED_BY_RELEASE      timer   `missedTimer` is set by a release, and no barrier follows
 * broken: GIVEN_BACK_BY_RELEASE  timer   the baton is given back by a release, and no barrier follows
 * broken: NO_SECOND_TRY          timer   the timer does not try to take the baton again
 * broken: NO_LOOK_AT_MISSED      timer   who gives the baton back does not look at `missedTimer`
 * broken: CLEARED_BY_LOOK        timer   who gives the baton back clears `missedTimer`, and another turn has the baton by then
 * broken: CLEARED_TOO_LATE       timer   a turn clears `missedTimer` after it has looked at the timer
 * broken: COUNTED_BY_RELEASE     effects the effect counts itself by a release, and no barrier follows
 * broken: ASLEEP_BY_RELEASE      effects the sleeper's word is stored by a release, and no barrier follows
 * broken: WOKEN_BEFORE_COUNT     effects the effect wakes the pipeline, then counts itself
 * broken: NOT_LOOKED_AT_COUNT    effects the pipeline does not look at the count
 * broken: CHANGED_BY_RELEASE     sleep   the change is stored by a release, and no barrier follows
 * broken: SLEEPS_BY_RELEASE      sleep   `isAsleep` is stored by a release, and no barrier follows
 * broken: LOOKED_FIRST           sleep   the waker looks at `isAsleep`, then makes the change
 * broken: SLEEPS_UNSEEN          sleep   the sleeper checks its condition, then sets `isAsleep`
 */

#ifdef LOG
#define PLACES 2

bit filled[PLACES]; /* the entries: plain memory */
byte tail, head;
bit awake;
byte blocks;
bit done;

/* The store buffers: a value plus one; 0: nothing. */
byte filled_of, tail_of;            /* of the pipeline */
byte emptied_of, head_of;         /* of the queue */
bit rested_of;
#define PIPELINE_DRAINED (filled_of == 0 && tail_of == 0)
#define QUEUE_DRAINED (emptied_of == 0 && head_of == 0 && !rested_of)

proctype StoreBuffers() {
end:
    do
    :: d_step { filled_of > 0 -> filled[filled_of - 1] = 1; filled_of = 0 }
#ifdef TAIL_RELAXED
    :: d_step { tail_of > 0 -> tail = tail_of - 1; tail_of = 0 }
#else
    :: d_step { tail_of > 0 && filled_of == 0 -> tail = tail_of - 1; tail_of = 0 }
#endif
    :: d_step { emptied_of > 0 -> filled[emptied_of - 1] = 0; emptied_of = 0 }
#ifdef HEAD_RELAXED
    :: d_step { head_of > 0 -> head = head_of - 1; head_of = 0 }
#else
    :: d_step { head_of > 0 && emptied_of == 0 -> head = head_of - 1; head_of = 0 }
#endif
    :: d_step { rested_of && emptied_of == 0 && head_of == 0 -> awake = 0; rested_of = 0 }
    od
}

/* wake: the load was false already */
inline wake(drained) {
#ifdef WOKEN_WITHOUT_EXCHANGE
    was = awake;
    awake = 1;
#else
    drained;
    d_step { was = awake; awake = 1 }
#endif
    if
    :: !was -> d_step { blocks++; assert(blocks == 1) }
    :: else
    fi;
    was = 0
}

proctype Pipeline() {
    byte sent, put, taken;
    bit was;
    do
    :: sent == ENTRIES -> break
    :: else ->
        sent++;
        if /* hasRoom */
        :: put - taken < PLACES
        :: else -> taken = head
        fi;
        if
        :: put - taken == PLACES /* skip */
        :: else ->
            d_step { assert(!filled[put % PLACES]); filled_of = put % PLACES + 1; put++ }
            tail_of = put + 1; /* handOver: sequentially consistent */
#ifdef TAIL_BY_RELEASE
            filled_of == 0;
#else
            PIPELINE_DRAINED;
#endif
            if
            :: !awake -> wake(PIPELINE_DRAINED)
            :: else
            fi;
            tail_of == 0 /* the buffer has one entry for an address */
        fi
    od;
    done = 1
}

proctype Queue() {
    byte next, last;
    bit was;
    do
    :: d_step { blocks > 0 -> blocks-- }
        do
        :: last = tail; /* take */
            do
            :: next == last -> break
            :: else ->
                d_step { assert(filled[next % PLACES]); emptied_of = next % PLACES + 1; next++ }
                head_of = next + 1;
                emptied_of == 0 && head_of == 0 /* the buffer has one entry for an address */
            od;
            if /* lookLater */
            :: tail == next -> break
            :: else
            fi
        od;
        rested_of = 1; /* rest: sequentially consistent */
#ifndef RESTED_BY_RELEASE
        QUEUE_DRAINED;
#endif
#ifndef NO_LOOK_BEFORE_REST
        if
        :: tail != next -> wake(QUEUE_DRAINED)
        :: else
        fi;
#endif
        !rested_of;
        last = 0
    :: d_step { done && blocks == 0 && PIPELINE_DRAINED && tail == next } break
    od
}

init {
    atomic { run StoreBuffers(); run Pipeline(); run Queue() }
    _nr_pr == 2;
    assert(tail == head && !filled[0] && !filled[1])
}
#endif

#ifdef TIMER
#define HOLDER 0
#define PRODUCER 1
#define CLOCK 2

bit held = 1, timer = 1, missed;
bit left = 1; /* what the timer was set for: plain memory of the holder */

/* The store buffers. */
bit given_of[3], missed_of;
#define DRAINED(p) (!given_of[p] && (p != CLOCK || !missed_of))

proctype StoreBuffer(byte p) {
end:
    do
    :: d_step { given_of[p] -> held = 0; given_of[p] = 0 }
    :: d_step { p == CLOCK && missed_of -> missed = 1; missed_of = 0 }
    od
}

inline try_take() {
    took = 0;
    if /* the load */
    :: !held ->
        DRAINED(me);
        d_step { if :: !held -> held = 1; took = 1 :: else fi } /* its exchange */
    :: else
    fi
}

/* runTurn, as long as there is a reason for another turn. The caller has the baton. */
inline run_turns() {
    do
    ::
#if !defined CLEARED_BY_LOOK && !defined CLEARED_TOO_LATE
        DRAINED(me);
        missed = 0; /* its exchange */
#endif
        if /* scheduleUpkeep: a timer that is set will do it */
        :: !timer -> left = 0
        :: else
        fi;
#ifdef CLEARED_TOO_LATE
        DRAINED(me);
        missed = 0;
#endif
        given_of[me] = 1; /* handOver: sequentially consistent */
#ifndef GIVEN_BACK_BY_RELEASE
        DRAINED(me);
#endif
#ifdef NO_LOOK_AT_MISSED /* lookAgain */
        break
#else
#ifdef CLEARED_BY_LOOK
        d_step { was = missed; missed = 0 }
        if :: was -> was = 0; try_take(); if :: took :: else -> break fi :: else -> break fi
#else
        if
        :: !missed -> break
        :: else -> try_take(); if :: took :: else -> break fi /* wake */
        fi
#endif
#endif
    od
}

proctype Turn(byte me) {
    bit took;
#ifdef CLEARED_BY_LOOK
    bit was;
#endif
    if
    :: me == PRODUCER -> try_take() /* wake */
    :: else -> took = 1
    fi;
    if :: took -> run_turns() :: else fi;
    DRAINED(me)
}

/* upkeep */
proctype Timer(byte me) {
    bit took;
#ifdef CLEARED_BY_LOOK
    bit was;
#endif
    timer = 0; /* the compare-and-swap */
    try_take();
    if
    :: took
    :: else ->
        missed_of = 1; /* isMissed: sequentially consistent */
#ifndef MISSED_BY_RELEASE
        DRAINED(me);
#endif
#ifndef NO_SECOND_TRY
        try_take()
#endif
    fi;
    if :: took -> run_turns() :: else fi;
    DRAINED(me)
}

init {
    atomic {
        run StoreBuffer(HOLDER);
        run StoreBuffer(PRODUCER);
        run StoreBuffer(CLOCK);
        run Turn(HOLDER);
        run Turn(PRODUCER);
        run Timer(CLOCK)
    }
    _nr_pr == 4; /* the store buffers and this process are left */
    assert(!left && !held)
}
#endif

#ifdef EFFECTS
byte open = ENTRIES; /* the limit of effects under way is reached */
byte room, waiting;
bit asleep, woken;

/* The store buffers. */
bit asleep_of, counted_of[ENTRIES];
#ifdef NOT_LOOKED_AT_COUNT
#define GOES_ON (open < ENTRIES)
#else
#define GOES_ON (open < ENTRIES || waiting > 0)
#endif

proctype StoreBuffers() {
end:
    do
    :: d_step { asleep_of -> asleep = 1; asleep_of = 0 }
#ifdef COUNTED_BY_RELEASE
    :: d_step { counted_of[0] -> waiting++; counted_of[0] = 0 }
    :: d_step { counted_of[1] -> waiting++; counted_of[1] = 0 }
#endif
    od
}

inline wake_pipeline() {
    if :: asleep -> woken = 1 :: else fi
}

proctype Pipeline() {
    byte handled;
    do
    :: handled == ENTRIES -> break
    :: else ->
        do /* waitForEffects */
        :: GOES_ON -> break
        :: else ->
            woken = 0;
            asleep_of = 1; /* sequentially consistent */
#ifndef ASLEEP_BY_RELEASE
            !asleep_of;
#endif
            if
            :: GOES_ON
            :: else -> woken
            fi;
            !asleep_of;
            asleep = 0
        od;
        atomic { handled++; room++ } /* an action was handled: there is room for another one */
    od
}

proctype Effect(byte me) {
    if
    :: atomic { room > 0 -> room-- }
    :: room == 0 ->
#ifdef WOKEN_BEFORE_COUNT
        wake_pipeline();
#endif
#ifdef COUNTED_BY_RELEASE
        counted_of[me] = 1;
#else
        waiting++; /* effectBeginsToWait: sequentially consistent */
#endif
#ifndef WOKEN_BEFORE_COUNT
        wake_pipeline();
#endif
        atomic { room > 0 -> room-- }
#ifdef COUNTED_BY_RELEASE
        !counted_of[me];
#endif
        waiting-- /* effectHasWaited */
    fi;
    open--; /* the effect has ended */
    wake_pipeline()
}

init {
    byte p;
    atomic {
        run StoreBuffers();
        run Pipeline();
        do :: p < ENTRIES -> run Effect(p); p++ :: else -> break od
    }
    _nr_pr == 2;
    assert(open == 0 && waiting == 0)
}
#endif

#ifdef SLEEP
bit changed[2];
bit asleep, woken;

/* The store buffers. */
bit asleep_of, changed_of[2];

proctype StoreBuffers() {
end:
    do
    :: d_step { asleep_of -> asleep = 1; asleep_of = 0 }
    :: d_step { changed_of[0] -> changed[0] = 1; changed_of[0] = 0 }
    :: d_step { changed_of[1] -> changed[1] = 1; changed_of[1] = 0 }
    od
}

proctype Waker(byte me) {
#ifdef LOOKED_FIRST
    bit was;
    was = asleep;
#endif
    changed_of[me] = 1; /* sequentially consistent */
#ifndef CHANGED_BY_RELEASE
    !changed_of[me];
#endif
#ifdef LOOKED_FIRST
    if :: was -> woken = 1 :: else fi
#else
    if :: asleep -> woken = 1 :: else fi /* wake */
#endif
}

proctype Sleeper() {
    byte seen;
    do
    :: seen == 2 -> break
    :: else ->
        do
        :: changed[seen] -> seen++; break
        :: else ->
            woken = 0;
#ifdef SLEEPS_UNSEEN
            if
            :: changed[seen]
            :: else -> asleep = 1; woken
            fi;
#else
            asleep_of = 1; /* sequentially consistent */
#ifndef SLEEPS_BY_RELEASE
            !asleep_of;
#endif
            if
            :: changed[seen]
            :: else -> woken
            fi;
            !asleep_of;
#endif
            asleep = 0
        od
    od
}

init {
    atomic { run StoreBuffers(); run Sleeper(); run Waker(0); run Waker(1) }
    _nr_pr == 2
}
#endif
