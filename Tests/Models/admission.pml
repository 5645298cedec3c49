/* SPDX-License-Identifier: Apache-2.0
 *
 * Admission: producers that wait for room in a bounded store, reservations, cancelled waits, and the close. A1 to A4.
 *
 * Stands for: Admission.swift (room, noteProgress, exactRoom, isRoomForNewcomers, isRoomWithoutWaiting, isTurn,
 *   roomOnEntry, waitForRoom, reserveRoom, endReservation, serveWaiters, batchOfRoom), RoomWaiters.swift (room, wait,
 *   cancel, serve, serveStalled, close, takeTurn), StoreCore+Admission.swift (admit, takeOrWait, hasRoomNow),
 *   StoreCore+Intake.swift (takeWhenFull), Consumer.swift (report), EffectSink.swift (sendWhenRoom),
 *   StoreCore+Engine.swift (closeIntake), millrace_queue.h (millrace_queue_depth, millrace_queue_report_fully).
 * Processes: BLOCKERS threads that dispatch with `.block`, or call dispatchOrWait; SENDERS tasks that `send`; EFFECTS tasks
 *   whose effect sends; DROPPERS threads whose actions are dropped when there is no room. Each sends EACH actions. One
 *   consumer, which reports after each action, or after several. CANCEL: a thread that cancels the first task. CLOSE: a
 *   thread that closes the store. STALL: the first task goes on only after the first thread has returned. The queue
 *   begins with FULL actions. QUARTER: the quarter of LIMIT that must be free before waiters are served; 0: a place.
 *   All stores reach the memory at once; REPORTED_BY_RELEASE and SHOWN_BY_RELEASE add a buffer for the weaker store.
 * Checked: nobody waits for ever; each wait has one outcome; places are given in the order of the line (except by
 *   serveStalled), and none is reserved twice; the depth exceeds the limit by the producers in flight at most; an action
 *   is dropped only if the queue was full, or someone waited, at some moment of the look; after the close nobody waits;
 *   in the end nothing is reserved, and the counters balance.
 * Cannot see: `seen` and `consumed` as the C11 model allows them (scripts/weakmemory.sh: `depth`; here a producer may
 *   store an old position after a newer one); the step between claim and publication, which is as a slow consumer;
 *   positions that trim takes out of use; who consumes, and its sleep (baton.pml, doorbell.pml); spinForRoom, which
 *   looks more often; runs of several actions; how the consumer drops the oldest; the pipeline's own actions, for which no capacity applies.
 *
 * config: threads      -DBLOCKERS=2 -DSENDERS=0 -DEACH=2 -DLIMIT=1
 * config: mixed        -DBLOCKERS=1 -DSENDERS=2 -DEACH=1 -DLIMIT=1 -DFULL=1 -DCANCEL
 * config: close        -DBLOCKERS=2 -DSENDERS=1 -DEACH=1 -DLIMIT=1 -DFULL=1 -DCLOSE
 * config: quarter      -DBLOCKERS=1 -DSENDERS=1 -DEACH=2 -DLIMIT=4 -DQUARTER=2 -DFULL=4
 * config: effects      -DBLOCKERS=1 -DSENDERS=0 -DEFFECTS=2 -DEACH=2 -DLIMIT=1
 * config: stall        -DBLOCKERS=1 -DSENDERS=2 -DEACH=1 -DLIMIT=1 -DFULL=1 -DSTALL
 * config: drop         -DBLOCKERS=0 -DSENDERS=0 -DDROPPERS=2 -DEACH=2 -DLIMIT=2
 * config: served       -DBLOCKERS=0 -DSENDERS=1 -DDROPPERS=2 -DEACH=1 -DLIMIT=2 -DFULL=2
 * config: three        -DBLOCKERS=3 -DSENDERS=0 -DEACH=1 -DLIMIT=1
 * broken: REPORTED_BY_RELEASE    threads the consumer reports by a release, then looks for waiters
 * broken: SHOWN_BY_RELEASE       threads a waiter shows itself by a release, then looks for room
 * broken: LOOKED_BEFORE_LINE     threads a waiter looks for room before it enters the line
 * broken: END_SERVES_NOBODY      mixed   the end of a reservation does not serve the next waiter
 * broken: REPORT_SERVES_NOBODY   threads the consumer does not look for waiters
 * broken: RESERVED_NOT_COUNTED   mixed   who serves does not count the reserved places
 * broken: ROOM_BEFORE_LOCK       mixed   who serves looks for room before it has the lock
 * broken: LAST_FIRST             threads the newest waiter is served first
 * broken: PASSED_ON_ENTRY        mixed   a waiter behind another one looks for room, too
 * broken: CANCELLED_STAYS        mixed   a cancelled waiter stays in the line
 * broken: CANCELLED_TWICE        mixed   a cancel does not look whether the wait has ended
 * broken: KEPT_BY_REJECTED       close   a rejected action does not end its reservation
 * broken: LATE_NOT_TOLD          close   the line is not marked as closed
 * broken: CLOSE_FREES_NOBODY     close   the close does not end the waits
 * broken: NO_PATIENCE            stall   a blocked thread waits for a reservation that does not end
 * broken: CONSUMED_FIRST         drop    the depth is computed with an older position of the consumer
 * broken: DROPPED_BY_HINT        drop    an action is dropped by a position that was read before
 * broken: COUNTED_TWICE          served  a place counts as reserved, then as taken by another action
 * broken: SENT_WITHOUT_LOOK      threads  who finds waiters claims a place without a look
 */
#ifndef EFFECTS
#define EFFECTS 0
#endif
#ifndef DROPPERS
#define DROPPERS 0
#endif
#ifndef FULL
#define FULL 0
#endif
#ifndef QUARTER
#define QUARTER 0
#endif
#define PRODUCERS (BLOCKERS + SENDERS + EFFECTS + DROPPERS)
#define TOTAL (PRODUCERS * EACH)
#define IS_BLOCKER(p) (p < BLOCKERS)
#define IS_SENDER(p) (p >= BLOCKERS && p < BLOCKERS + SENDERS)
#define IS_EFFECT(p) (p >= BLOCKERS + SENDERS && p < BLOCKERS + SENDERS + EFFECTS)
#define FIRST_TASK BLOCKERS

#define NEW 0
#define WAITING 1
#define ENDED 2

#define RESERVED 1
#define CLOSED 2
#define CANCELLED 3

byte claimed = FULL, position, consumed, seen;
byte rejected, dropped;
byte waiting, reserved; /* the two halves of `word` */
/* The line, under its lock. */
bit locked, is_closed;
byte line[PRODUCERS], count, line_reserved, steps, returning, line_turn;
byte turn;
byte phase[PRODUCERS], outcome[PRODUCERS];
bit closed, close_ended, task_cancelled, thread_returned;
byte was_taken; /* a bit for each producer: the queue was full, or not idle, at some moment of its look */

#define DEPTH(from, to) (from > to -> from - to : 0)
/* Called wherever a place is taken. */
#if DROPPERS > 0
#define NOTE_FULL() if :: DEPTH(claimed, consumed) + reserved >= LIMIT || waiting > 0 -> was_taken = 255 :: else fi
#else
#define NOTE_FULL() skip
#endif
#if defined(STALL) || (DROPPERS > 0 && SENDERS > 0)
#define STEP(number) steps = steps + number
#else
#define STEP(number) skip
#endif

#ifdef REPORTED_BY_RELEASE
byte consumed_of = 255;
#define STORED (consumed_of == 255)
#endif
#ifdef SHOWN_BY_RELEASE
bit shown_late;
byte waiting_of, reserved_of;
#define STORED (!shown_late)
#endif

#if defined(REPORTED_BY_RELEASE) || defined(SHOWN_BY_RELEASE)
proctype StoreBuffer() {
end:
    do
#ifdef REPORTED_BY_RELEASE
    :: d_step { consumed_of != 255 -> consumed = consumed_of; consumed_of = 255 }
#else
    :: d_step { shown_late -> waiting = waiting_of; reserved = reserved_of; shown_late = 0 }
#endif
    od
}
#endif

/* RoomWaiters.show */
inline show_line() {
#ifdef SHOWN_BY_RELEASE
    shown_late = 1;
    waiting_of = count;
    reserved_of = line_reserved
#else
    waiting = count;
    reserved = line_reserved;
    NOTE_FULL()
#endif
}

inline lock() { atomic { !locked -> locked = 1 } }

/* Line.append, Line.remove; in a d_step */
inline append() {
    phase[me] = WAITING;
    line[count] = me;
    count++
}

inline remove_at(at) {
    phase[line[at]] = ENDED;
    from = at;
    do
    :: from + 1 < count -> line[from] = line[from + 1]; from++
    :: else -> break
    od;
    count--;
    line[count] = 0;
    from = 0
}

inline remove(who) {
    from = 0;
    do
    :: line[from] == who -> break
    :: else -> from++
    od;
    remove_at(from)
}

/* grant, in a d_step */
inline grant(number) {
    line_reserved = line_reserved + number;
    STEP(number);
    show_line();
#ifndef STALL
    assert(line_reserved <= LIMIT)
#endif
}

/* millrace_queue_depth: `claimed`, then `consumed`. Into `depth`. */
inline get_depth() {
#ifdef CONSUMED_FIRST
    depth = consumed;
    depth = DEPTH(claimed, depth)
#else
    depth = claimed;
    depth = DEPTH(depth, consumed)
#endif
}

#define NEEDED (QUARTER > 1 -> QUARTER : 1)
/* batchOfRoom */
#define BATCH_OF_ROOM(taken) (taken <= LIMIT - NEEDED -> LIMIT - taken : 0)

/* RoomWaiters.serve; `ending`: 1 for endReservation */
inline serve(ending) {
#ifdef ROOM_BEFORE_LOCK
    get_depth();
    room = line_reserved - (line_reserved > 0 -> ending : 0);
    room = BATCH_OF_ROOM(room + depth);
#endif
    lock();
    if
    :: ending > 0 ->
        d_step { line_reserved--; STEP(1) }
        d_step {
            show_line();
            if
            :: returning > 0 -> returning--; turn = line_turn
            :: else
            fi
        }
    :: else
    fi;
#ifdef END_SERVES_NOBODY
    if
    :: count > 0 && ending == 0 ->
#else
    if
    :: count > 0 ->
#endif
#ifndef ROOM_BEFORE_LOCK
        get_depth();
#ifdef RESERVED_NOT_COUNTED
        room = BATCH_OF_ROOM(depth);
#else
        room = BATCH_OF_ROOM(line_reserved + depth);
#endif
#endif
        d_step {
            taken = 0;
            freed = 0;
            do
            :: taken < room && count > 0 ->
#ifdef LAST_FIRST
                place = count - 1;
#endif
                assert(place == 0);
                freed = freed | (1 << line[place]);
                remove_at(place);
                taken++
            :: else -> break
            od;
            if
            :: taken > 0 ->
                grant(taken);
                returning = returning + taken;
                line_turn = room / taken - 1
            :: else
            fi;
            depth = 0;
            room = 0;
            taken = 0
        }
    :: else
    fi;
    locked = 0;
    resume(RESERVED)
}

/* Calls the closures of the waiters in `freed`, without the lock. */
inline resume(answer) {
    d_step {
        from = 0;
        do
        :: from < PRODUCERS ->
            if
            :: freed & (1 << from) -> assert(outcome[from] == 0); outcome[from] = answer
            :: else
            fi;
            from++
        :: else -> break
        od;
        from = 0;
        freed = 0
    }
}

/* RoomWaiters.takeTurn; in a d_step */
#define TAKE_TURN() if :: turn > 0 -> turn--; found = 1 :: else -> found = 0 fi

/* isTurn; one step, as only fairness depends on it */
inline is_turn(others) {
    d_step {
        if
        :: others == 0 && (reserved == 0 || DEPTH(claimed, consumed) <= LIMIT - QUARTER) -> found = 1
        :: else -> TAKE_TURN()
        fi
    }
}

/* room(below:); into `found` */
inline look() {
    if
    :: waiting + reserved > 0 -> found = 0 /* isIdle */
    :: else ->
#ifdef CONSUMED_FIRST
        room = consumed;
        found = DEPTH(claimed, room) < LIMIT;
        room = 0;
#else
        depth = claimed;
        found = DEPTH(depth, seen) < LIMIT;
#ifndef DROPPED_BY_HINT
        if
        :: found
        :: else -> /* noteProgress */
            room = consumed;
            seen = room;
            found = DEPTH(depth, room) < LIMIT;
            room = 0
        fi;
#endif
#endif
        depth = 0
    fi
}

/* exactRoom > 0, RoomWaiters.room: reservations first, then the depth; into `found` */
inline look_exactly() {
    do
    :: since = steps;
        room = reserved;
        get_depth();
        found = room + depth < LIMIT;
#ifdef COUNTED_TWICE
        break
#else
        if
        :: found -> break
        :: !found && room == reserved -> if :: since == steps -> break :: else fi
        :: !found && room != reserved
        fi
#endif
    od;
    since = 0;
    d_step { room = 0; depth = 0 }
}

/* isRoomWithoutWaiting */
inline look_without_waiting() {
    look_exactly();
    if
    :: found -> is_turn(waiting)
    :: else
    fi
}

/* RoomWaiters.wait */
inline enter_line() {
    d_step { outcome[me] = 0; phase[me] = (me == FIRST_TASK && task_cancelled -> ENDED : NEW) } /* RoomWaiter() */
#ifdef LOOKED_BEFORE_LINE
    get_depth();
    room = depth;
#endif
    lock();
    if
    :: phase[me] == ENDED -> outcome[me] = CANCELLED
    :: phase[me] == NEW && is_closed -> atomic { phase[me] = ENDED; outcome[me] = CLOSED }
    :: phase[me] == NEW && !is_closed ->
        d_step { append(); show_line() }
#ifdef PASSED_ON_ENTRY
        if
        :: true ->
#else
        if
        :: count == 1 ->
#endif
#ifndef LOOKED_BEFORE_LINE
            get_depth();
            room = depth;
#endif
            d_step { found = line_reserved + room < LIMIT; room = 0; depth = 0 } /* roomOnEntry */
            if :: found -> is_turn(0) :: else fi;
            if
            :: found -> d_step { assert(line[0] == me); remove(me); grant(1); outcome[me] = RESERVED }
            :: else -> assert(!close_ended)
            fi
        :: else -> assert(!close_ended)
        fi
    fi;
    d_step { locked = 0; found = 0; room = 0; depth = 0 }
}

#define ROOM_NOW (DEPTH(claimed, consumed) <= LIMIT - NEEDED)
#define CAN_CHANGE (phase[me] == WAITING && (since != steps || (line_reserved > 0 && ROOM_NOW)))
/* waitForRoom: its sleep; the time runs out only where that changes something */
inline sleep_in_line() {
#if defined(STALL) && !defined(NO_PATIENCE)
    since = steps;
    do
    :: outcome[me] != 0 -> break
    :: outcome[me] == 0 && !locked && CAN_CHANGE ->
        lock(); /* serveStalled */
        if
        :: steps == since && line_reserved > 0 && phase[me] == WAITING ->
            get_depth();
            if
            :: BATCH_OF_ROOM(depth) > 0 -> d_step { remove(me); grant(1); outcome[me] = RESERVED }
            :: else
            fi;
            depth = 0
        :: else
        fi;
        since = steps;
        locked = 0
    od;
    since = 0
#else
    outcome[me] != 0
#endif
}

/* ActionQueue.push */
inline push() {
    if
    :: closed -> rejected++
    :: else ->
        d_step {
            claimed++;
            assert(claimed - consumed <= LIMIT + PRODUCERS - 1);
            NOTE_FULL()
        }
    fi
}

/* waitForRoom, then what its callers do */
inline take_after_waiting() {
    if
    :: closed -> push() /* isUnbounded */
    :: else ->
        look_without_waiting();
        if
        :: found -> found = 0; push()
        :: else ->
            enter_line();
            sleep_in_line();
            end_wait()
        fi
    fi
}

inline end_wait() {
#ifdef STALL
    if
    :: me == FIRST_TASK -> thread_returned
    :: else
    fi;
#endif
    if
    :: outcome[me] != RESERVED -> rejected++
    :: outcome[me] == RESERVED && IS_EFFECT(me) -> serve(1); push()
    :: outcome[me] == RESERVED && !IS_EFFECT(me) ->
#ifdef KEPT_BY_REJECTED
        if
        :: closed -> rejected++
        :: else -> push(); serve(1)
        fi
#else
        push();
        serve(1)
#endif
    fi
}

proctype Producer(byte me) {
    byte sent, depth, room, taken, freed, from, since, place;
    bit found;
    do
    :: sent == EACH -> break
    :: else ->
        if
        :: IS_EFFECT(me) -> /* sendWhenRoom: it always reserves a place */
            enter_line();
            sleep_in_line();
            end_wait()
        :: else ->
            d_step { /* the look begins */
                was_taken = was_taken & ~(1 << me);
                NOTE_FULL()
            }
            look();
            if
            :: found -> found = 0; push()
            :: !found && IS_BLOCKER(me) ->
#ifdef SENT_WITHOUT_LOOK
                if
                :: waiting > 0 -> push()
                :: else -> take_after_waiting()
                fi
#else
                take_after_waiting() /* admit, takeOrWait */
#endif
            :: !found && IS_SENDER(me) -> take_after_waiting() /* send: hasRoomNow, reserveRoom */
            :: !found && !IS_BLOCKER(me) && !IS_SENDER(me) -> /* admit: isRoomForNewcomers */
#ifdef DROPPED_BY_HINT
                found = 0;
#else
                if
                :: waiting == 0 -> look_exactly()
                :: else
                fi;
#endif
                if
                :: found -> found = 0; push()
                :: else -> d_step { assert(was_taken & (1 << me)); dropped++ }
                fi
            fi
        fi;
        atomic {
            sent++;
            found = 0;
            outcome[me] = 0;
            phase[me] = NEW;
            if
            :: me == 0 && sent == EACH -> thread_returned = 1
            :: else
            fi
        }
    od
}

/* Consumer.report */
inline report() {
#ifdef REPORTED_BY_RELEASE
    consumed_of = position;
#else
    consumed = position; /* millrace_queue_report_fully */
#endif
#ifndef REPORT_SERVES_NOBODY
    if
    :: waiting > 0 -> serve(0) /* serveWaiters */
    :: else
    fi
#else
    skip
#endif
}

proctype Consumer() {
    byte depth, room, taken, freed, from, place;
end:
    do
    :: position < claimed ->
        do
        :: position < claimed -> position++
        :: position > consumed -> break /* the end of a batch */
        od;
        report()
    od
}

#ifdef CANCEL
proctype Canceller() { /* RoomWaiters.cancel */
    byte freed, from;
    lock();
    d_step {
        task_cancelled = 1;
#ifdef CANCELLED_TWICE
        freed = 1 << FIRST_TASK;
#endif
        if
        :: phase[FIRST_TASK] == WAITING ->
            freed = 1 << FIRST_TASK;
#ifdef CANCELLED_STAYS
            phase[FIRST_TASK] = ENDED
#else
            remove(FIRST_TASK);
            show_line()
#endif
        :: else -> phase[FIRST_TASK] = ENDED
        fi
    }
    locked = 0;
    resume(CANCELLED)
}
#endif

#ifdef CLOSE
proctype Closer() { /* closeIntake, RoomWaiters.close */
    byte freed, from;
    closed = 1;
    lock();
    d_step {
#ifndef LATE_NOT_TOLD
        is_closed = 1;
#endif
#ifndef CLOSE_FREES_NOBODY
        do
        :: count > 0 -> freed = freed | (1 << line[0]); remove_at(0)
        :: else -> break
        od;
        show_line()
#endif
    }
    locked = 0;
    resume(CLOSED);
    d_step { assert(count == 0); close_ended = 1 }
}
#endif

init {
    byte p;
    atomic {
        run Consumer();
#if defined(REPORTED_BY_RELEASE) || defined(SHOWN_BY_RELEASE)
        run StoreBuffer();
#endif
#ifdef CANCEL
        run Canceller();
#endif
#ifdef CLOSE
        run Closer();
#endif
        do :: p < PRODUCERS -> run Producer(p); p++ :: else -> break od
    }
#if defined(REPORTED_BY_RELEASE) || defined(SHOWN_BY_RELEASE)
    _nr_pr == 3 && position == claimed && consumed == position && !locked && waiting == 0 && STORED;
#else
    _nr_pr == 2 && position == claimed && consumed == position && !locked && waiting == 0;
#endif
    assert(count == 0 && line_reserved == 0 && reserved == 0 && returning == 0);
    assert(claimed + rejected + dropped == TOTAL + FULL && position == claimed)
}
