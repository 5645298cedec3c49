/* SPDX-License-Identifier: Apache-2.0
 *
 * Journal: the ring of entries, the durable word, held work, ends of effects, failure, deadline, crash, recovery. J1 to
 * J3, J6.
 *
 * Stands for: JournalPort.swift (admits, takeUp, hold, canRelease, batchEnded, releaseDurable, waitForRoom, finishHeld,
 *   dropHeld, end), HeldWork.swift (append, endGroup, oldest, take), OpenEffects.swift (begin, ended, settle, canSettle,
 *   take, close), EntryRing.swift (append, record, handOver, waitForRoom, interrupt, encode, drop, taken),
 *   Parking.swift (sleep, wake), JournalThread.swift (run, writeGroup, appendEnds, write, sync, tell, fail, close, end, wait),
 *   DurableWaiters.swift (advance), Consumer.swift (drainOnce, finish, dropAll), Consumer+Barrier.swift (reach, passBarriers),
 *   StoreCore+Engine.swift (abandon), ThreadEngine.swift (park), RecoveryFold.swift and EffectMarks.swift (read).
 * Processes: the pipeline; the journal's thread; a thread for each effect that has begun, which sends an answer, and ends. The
 *   queue begins with the actions of one producer, numbers 1 and 2, each of which starts an effect; DUPLICATE: number 1 stands
 *   there twice; DRAIN: then a drain. One thread closes the store in the end, or
 *   EARLY; DEADLINE: then abandons it. CANCEL: one cancels the first
 *   effect. FAIL: a sync may fail, and what it should have written may be lost. RING: the size of the ring. MOST_HELD: so
 *   many may be held. GROUPED: a frame takes what is in the ring; else one action. PARKING: the sleeps
 *   of the two threads, by a mutex and a condition; else a thread sleeps until it can go on.
 * A crash: one process looks once, at any state, as a recovery would, for each number of frames that the disk may have kept: those
 *   that were synced, and any of the later ones.
 * Checked there: each acknowledged action is recovered; an effect has begun only if its action is recovered, at most once
 *   before the crash; the mark of the producer is the number of its recovered actions, so a number that is sent again is
 *   handled once. Checked besides: no gap in the frames; held work runs in its order; a drain ends only when the effects
 *   before it have begun or never will; a cancelled effect does not begin; after a failure nothing becomes durable; the
 *   pipeline and the journal's thread come to their end, and all that was accepted is then handled, written or dropped.
 * Cannot see: the memory model (each word that is not under a lock is sequentially consistent here); torn frames, segments,
 *   links and checksums (PowerCutTests); snapshots and the second state; `.exact` and `visibility: .durable`; who consumes,
 *   and its sleep on the doorbell (doorbell.pml: here one word); the limit of effects under way; the second run;
 *   recoveries that begin effects again: no config sets RESTART, because its search did not end.
 *
 * config: held         -DRING=2 -DGROUPED
 * config: early        -DRING=2 -DGROUPED -DEARLY
 * config: ring         -DRING=1 -DDUPLICATE
 * config: parking      -DRING=1 -DPARKING
 * config: drain        -DRING=2 -DGROUPED -DDRAIN -DCANCEL
 * config: stop         -DRING=1 -DGROUPED -DFAIL -DSTOP
 * config: detach       -DRING=1 -DGROUPED -DFAIL
 * config: deadline     -DRING=1 -DEARLY -DDEADLINE
 * config: most-held    -DRING=2 -DMOST_HELD=1 -DEARLY -DDEADLINE -DGROUPED
 * broken: NOT_HELD               held      effects begin when their action is handled
 * broken: HELD_BY_GROUP_START    held      a group runs when its first action is durable
 * broken: TOLD_BEFORE_SYNC       held      the durable word is stored before the sync
 * broken: ACKNOWLEDGED_WRITTEN   held      an action is acknowledged when it is written
 * broken: NOT_LOOKED_BEFORE_SLEEP held     the pipeline sleeps without a look at the durable word
 * broken: AWAITED_TOO_LATE       held      the pipeline asks to be woken after its last look
 * broken: TOLD_TOO_LATE          held      the journal looks at `isAwaited`, then stores the durable word
 * broken: ASLEEP_TOO_LATE        parking   a sleeper looks, then says that it sleeps
 * broken: WOKEN_WITHOUT_LOCK     parking   a sleeper is woken without the lock
 * broken: HANDED_OVER_LATE       ring      the pipeline waits for room before it hands over
 * broken: DUPLICATE_UNWAITED     ring      a duplicate is acknowledged before the first one is durable
 * broken: MARK_TOO_EARLY         ring      a mark goes into the frame of the action before
 * broken: BARRIER_IGNORES_HELD   drain     a drain ends while effects are held
 * broken: CANCEL_NOT_SEEN        drain     a held effect begins though it was cancelled
 * broken: FAILURE_FORGOTTEN      stop      after a failed sync the journal goes on
 */
#define EFFECTS 2
#ifdef DUPLICATE
#define ACTIONS 3
#else
#define ACTIONS 2
#endif
#ifdef DRAIN
#define SENT (ACTIONS + 1)
#else
#define SENT ACTIONS
#endif
#ifndef ANSWERS
#define ANSWERS 1
#endif
#ifdef RESTART
#define TRACKED 1
#else
#define TRACKED 0
#endif
#define SLOTS (SENT + EFFECTS)
#define RECORDS (EFFECTS + EFFECTS)
#define FRAMES (RECORDS + 2) /* ends may have frames of their own */
#ifndef MOST_HELD
#define MOST_HELD 9
#endif

/* What is in a slot: the number of an action, a drain, or the answer of an effect. */
#define DRAIN_SLOT 9
#define ANSWER 10

#define FIRST_HELD 1 /* in the group that is open */
#define GROUPED_HELD 2
#define RUN 3
#define DROPPED 4

byte slots[SLOTS], claimed, position;
bit closed, abandoned, sleeping;
/* The pipeline's own. */
byte recorded, mark, mark_at[EFFECTS + 1];
byte held[EFFECTS], group_last[EFFECTS];
byte group_first[EFFECTS];
bit barrier_waits, barrier_passed;
byte barrier_at;
/* The effects. */
bit begun[EFFECTS], cancelled[EFFECTS];
byte sequence_of[EFFECTS], answer_at[EFFECTS];
/* The ring. */
byte entry[RING], entry_mark[RING], tail, head, appended;
bit ring_closed, interrupted, ended;
/* Two Parkings: 0: the taker, 1: the pipeline. */
#ifdef PARKING
bit asleep[2], mutex[2], in_wait[2];
#endif
/* The journal. */
byte durable, safe; /* `safe`: DurableWaiters, which acknowledges the actions */
bit awaited, failed, failure, done;
byte written, synced, frames_last;
byte frame_last[FRAMES], frame_mark[FRAMES], frame_ends[FRAMES], frame_finished[FRAMES];
bit lost[FRAMES];
/* OpenEffects, under its lock. */
bit is_open[EFFECTS], untaken[EFFECTS], effects_closed;
byte ended_at[EFFECTS], settled_at[EFFECTS], through; /* `ended_at`: the position, plus one; 0: not ended */
byte workers;
byte acked; /* a bit for each number that was acknowledged */

#define BIT(n) (1 << n)
#define ALL_DURABLE 99

#ifdef PARKING
/* Parking.wake */
inline unpark(who) {
    if
    :: asleep[who] ->
#ifdef WOKEN_WITHOUT_LOCK
        in_wait[who] = 0
#else
        atomic { !mutex[who] -> in_wait[who] = 0 } /* under the lock: nothing else is in it */
#endif
    :: else
    fi
}

/* Parking.sleep */
#define SLEEP(who, is_ready) \
    atomic { !mutex[who] -> mutex[who] = 1 } \
    PARK_FIRST(who, is_ready) \
    do \
    :: is_ready -> break \
    :: else -> PARK_LATE(who) d_step { in_wait[who] = 1; mutex[who] = 0 } \
        atomic { !in_wait[who] && !mutex[who] -> mutex[who] = 1 } \
    od; \
    asleep[who] = 0; \
    mutex[who] = 0
#ifdef ASLEEP_TOO_LATE
#define PARK_FIRST(who, is_ready)
#define PARK_LATE(who) asleep[who] = 1;
#else
#define PARK_FIRST(who, is_ready) asleep[who] = 1;
#define PARK_LATE(who)
#endif
#else
/* Who sleeps goes on as soon as it can. */
#define unpark(who) skip
#define SLEEP(who, is_ready) (is_ready)
#endif

/* EntryRing.handOver */
inline hand_over() {
    if
    :: d_step { tail != appended -> tail = appended } unpark(0)
    :: d_step { tail == appended -> skip }
    fi
}

#define GIVEN_UP (ring_closed || interrupted)

/* JournalThread.wait */
inline wait_durable(number) {
    hand_over();
    SLEEP(1, (durable >= number || GIVEN_UP))
}

/* HeldWork: the oldest group that has ended; EFFECTS: none */
#define OLDEST (held[0] == GROUPED_HELD -> 0 : (held[1] == GROUPED_HELD -> 1 : EFFECTS))
#define HAS_OLDEST (held[0] == GROUPED_HELD || held[1] == GROUPED_HELD)
#define IS_HELD(e) (held[e] == FIRST_HELD || held[e] == GROUPED_HELD)
#define HELD_COUNT (IS_HELD(0) + IS_HELD(1))
#define OLDEST_LAST (held[0] == GROUPED_HELD -> group_last[0] : group_last[1])
#ifdef HELD_BY_GROUP_START
#define IS_DURABLE(e) (durable >= group_first[e])
#else
#define IS_DURABLE(e) (durable >= group_last[e])
#endif
#define CAN_RELEASE (HAS_OLDEST && (durable >= OLDEST_LAST || failed))

inline end_group() {
    d_step {
        if
        :: held[1] == FIRST_HELD && held[0] == FIRST_HELD -> group_first[1] = group_first[0]
        :: else
        fi;
        e = 0;
        do
        :: e < EFFECTS ->
            if :: held[e] == FIRST_HELD -> held[e] = GROUPED_HELD; group_last[e] = recorded :: else fi;
            e++
        :: else -> break
        od;
        e = 0
    }
}

inline drop_held() {
    d_step {
        e = 0;
        do
        :: e < EFFECTS -> if :: IS_HELD(e) -> held[e] = DROPPED :: else fi; e++
        :: else -> break
        od;
        e = 0
    }
}

#ifdef RESTART
#define BEGIN(e) workers++; run Effect(e)
#else
#define BEGIN(e) skip
#endif
/* The body of an effect, unless it was cancelled: effects.pml */
inline run_body(e) {
    if
#ifndef CANCEL_NOT_SEEN
    :: cancelled[e] -> held[e] = RUN
    :: atomic { !cancelled[e] -> held[e] = RUN; assert(!begun[e]); begun[e] = 1; BEGIN(e) }
#else
    :: atomic { true -> held[e] = RUN; assert(!begun[e] && !cancelled[e]); begun[e] = 1; BEGIN(e) }
#endif
    fi
}

/* JournalPort.releaseDurable */
inline release_durable() {
    is_last = failed;
    do
    :: d_step { HAS_OLDEST && IS_DURABLE(OLDEST) -> e = OLDEST; assert(e == 0 || !IS_HELD(0)) } /* in order */
        run_body(e);
        e = 0
    :: else -> break
    od;
    if :: is_last -> drop_held() :: else fi;
    is_last = 0
}

/* EntryRing.record */
inline record() {
    do
    :: ring_closed -> break
    :: !ring_closed && appended - head < RING ->
        d_step {
            entry[appended % RING] = recorded + 1;
            entry_mark[appended % RING] = new_mark;
            appended++
        }
        if /* after half of a ring, which here is any time */
        :: hand_over()
        :: true
        fi;
        break
    :: !ring_closed && appended - head >= RING ->
        if
        :: interrupted -> break
        :: else -> /* waitForRoom */
#ifndef HANDED_OVER_LATE
            hand_over();
#endif
            SLEEP(1, (appended - head < RING || GIVEN_UP))
        fi
    od;
    skip
}

/* JournalPort.takeUp */
inline take_up() {
    if
    :: HELD_COUNT > 0 -> /* releaseBetweenActions */
        release_durable();
        if
        :: HELD_COUNT >= MOST_HELD -> /* waitForRoom */
            end_group();
            do
            :: HELD_COUNT >= MOST_HELD && HAS_OLDEST ->
                before = OLDEST_LAST;
                wait_durable(before);
                is_durable = durable >= before;
                before = 0;
                release_durable();
                if :: is_durable :: else -> break fi
            :: else -> break
            od;
            is_durable = 0
        :: else
        fi
    :: else
    fi;
    record()
}

/* Consumer.isPassed, for the aim `handled` */
#ifdef BARRIER_IGNORES_HELD
#define IS_PASSED true
#else
#define IS_PASSED (!(IS_HELD(0) && sequence_of[0] <= barrier_at) && !(IS_HELD(1) && sequence_of[1] <= barrier_at))
#endif
inline pass_barriers() {
    if
    :: barrier_waits && IS_PASSED ->
        d_step {
            barrier_waits = 0;
            barrier_passed = 1;
            e = 0;
            do
            :: e < EFFECTS ->
                assert(sequence_of[e] == 0 || sequence_of[e] > barrier_at || held[e] == RUN || held[e] == DROPPED);
                e++
            :: else -> break
            od;
            e = 0
        }
    :: else
    fi
}

#ifndef RESTART
#define settle(at) skip
#define take_ends(last) skip
#else
/* OpenEffects.settle */
inline settle(at) {
    d_step {
        through = (through > recorded -> through : recorded);
        e = 0;
        do
        :: e < EFFECTS ->
            if
#ifdef SETTLED_AT_END
            :: ended_at[e] > 0 ->
#else
            :: ended_at[e] > 0 && ended_at[e] - 1 <= at ->
#endif
                is_open[e] = 0;
                untaken[e] = 1;
                settled_at[e] = recorded;
                ended_at[e] = 0;
                settles = 1
            :: else
            fi;
            e++
        :: else -> break
        od;
        e = 0
    }
    if
    :: settles -> settles = 0; unpark(0) /* wakeJournal */
    :: else
    fi
}
#endif
#define CAN_SETTLE ((ended_at[0] > 0 && ended_at[0] - 1 <= position) || (ended_at[1] > 0 && ended_at[1] - 1 <= position))

inline close_effects() {
    d_step {
        effects_closed = 1;
        ended_at[0] = 0;
        ended_at[1] = 0
    }
}

/* Consumer.drainOnce, up to the end of a batch */
inline drain_once() {
    if
    :: abandoned -> /* dropAll */
#ifndef ENDS_KEPT_AT_DEADLINE
        close_effects();
#endif
        drop_held();
        d_step {
            do
            :: position < claimed -> if :: slots[position] == DRAIN_SLOT -> barrier_waits = 1 :: else fi; position++
            :: else -> break
            od
        }
        pass_barriers()
    :: else ->
        began = position;
        do
        :: position < claimed && !abandoned && slots[position] == DRAIN_SLOT ->
            d_step { position++; barrier_waits = 1; barrier_at = recorded }
            pass_barriers();
            break
        :: position < claimed && !abandoned && slots[position] < DRAIN_SLOT && slots[position] <= mark ->
            atomic { /* admits: a duplicate */
                acks_of = acks_of | BIT(slots[position]);
#ifdef DUPLICATE_UNWAITED
                acked = acked | BIT(slots[position]);
#endif
                position++
            }
        :: position < claimed && !abandoned && slots[position] < DRAIN_SLOT && slots[position] > mark ->
            new_mark = slots[position];
            take_up();
            d_step { /* reduced; its effect is held */
                recorded++;
                mark = new_mark;
                mark_at[mark] = recorded;
                e = mark - 1;
                sequence_of[e] = recorded;
                is_open[e] = TRACKED;
                held[e] = FIRST_HELD;
                group_first[e] = recorded;
                new_mark = 0;
                position++
#ifndef NOT_HELD
                ;
                e = 0
#endif
            }
#ifdef NOT_HELD
            run_body(e);
            e = 0
#endif
        :: position < claimed && !abandoned && slots[position] >= ANSWER ->
            take_up();
            d_step { recorded++; answer_at[slots[position] - ANSWER] = recorded; position++ }
        :: abandoned || position == claimed || position > began -> break /* the end of a batch */
        od;
        began = 0;
        end_group(); /* batchEnded */
        hand_over();
#ifdef AWAITED_TOO_LATE
        release_durable();
        settle(position);
        can_release = CAN_RELEASE;
        awaited = HELD_COUNT > 0;
#else
        release_durable();
        settle(position);
        awaited = HELD_COUNT > 0;
#endif
        pass_barriers()
    fi
}

#define BELL_HAS_WORK (position < claimed || (barrier_waits && IS_PASSED) || CAN_SETTLE || closed)

proctype Pipeline() {
    byte e, new_mark, before, acks_of, began;
    bit is_last, is_durable, settles, can_release;
    do
    :: drain_once();
        if
        :: closed && (abandoned || position == claimed) -> break
        :: else
        fi;
        if
        :: position < claimed
        :: else -> /* park */
            sleeping = 1;
            if
            :: BELL_HAS_WORK -> sleeping = 0
#ifdef NOT_LOOKED_BEFORE_SLEEP
#else
#ifdef AWAITED_TOO_LATE
            :: can_release -> sleeping = 0
#else
            :: CAN_RELEASE -> sleeping = 0
#endif
#endif
            :: else -> !sleeping
            fi
        fi
    od;
    do /* finish */
    :: drain_once();
        if
        :: position < claimed && !abandoned
        :: else ->
            if
            :: abandoned -> drop_held()
            :: else -> /* finishHeld */
                end_group();
                hand_over();
                do
                :: HAS_OLDEST ->
                    before = OLDEST_LAST;
                    wait_durable(before);
                    before = HELD_COUNT;
                    release_durable();
                    if :: HELD_COUNT == before -> drop_held() :: else fi;
                    before = 0
                :: else -> break
                od
            fi;
            pass_barriers();
            if :: position == claimed -> break :: else fi
        fi
    od;
    settle(SLOTS); /* JournalPort.end */
    close_effects();
    hand_over();
    ended = 1;
    unpark(0);
    done
}

#ifdef RESTART
proctype Effect(byte me) {
    if /* its answer; with ANSWERS = 1 only the first effect has one */
    :: d_step { !closed && me < ANSWERS -> slots[claimed] = ANSWER + me; claimed++ } sleeping = 0
    :: d_step { closed || me >= ANSWERS -> skip }
    fi;
    if /* OpenEffects.ended, under its lock */
    :: d_step { !closed && !effects_closed -> ended_at[me] = claimed + 1 } sleeping = 0; unpark(1)
    :: d_step { closed || effects_closed -> skip }
    fi;
    workers--
}
#endif

/* DurableWaiters.advance; the numbers whose actions are durable */
inline advance(to) {
    safe = to;
    n = 1;
    do
    :: n <= EFFECTS -> if :: mark_at[n] > 0 && mark_at[n] <= safe -> acked = acked | BIT(n) :: else fi; n++
    :: else -> break
    od;
    n = 0
}

/* JournalThread.fail */
inline fail() {
#ifdef FAILURE_FORGOTTEN
    skip
#else
    failure = 1;
    close_effects();
#ifdef STOP
    failed = 1;
#else
    durable = ALL_DURABLE;
#endif
    ring_closed = 1;
    unpark(1);
#ifdef STOP
    abandon(); /* JournalCalls.stop */
#endif
    sleeping = 0
#endif
}

/* StoreCore.abandon */
inline abandon() {
    abandoned = 1;
    interrupted = 1;
    unpark(1);
    closed = 1;
    sleeping = 0
}

#define HAS_ENDS (!failure && (untaken[0] || untaken[1]))
#define HAS_ENTRIES (tail != head)

#ifdef RESTART
/* OpenEffects.take: the ends and the watermark of a frame whose last action is `last` */
inline take_ends(last) {
    d_step {
        finished = through;
        n = EFFECTS;
        do
        :: n > 0 ->
            n--;
            if
            :: is_open[n] && finished > sequence_of[n] - 1 -> finished = sequence_of[n] - 1
            :: else
            fi
        :: else -> break
        od;
        if :: finished > last -> finished = last :: else fi;
        n = 0;
        do
        :: n < EFFECTS ->
            if
#ifdef END_IN_ANY_FRAME
            :: untaken[n] -> untaken[n] = 0; frame_ends[written] = frame_ends[written] | BIT(n)
#else
            :: untaken[n] && settled_at[n] <= last -> untaken[n] = 0; frame_ends[written] = frame_ends[written] | BIT(n)
#endif
#ifndef WATERMARK_IGNORES_ENDS
            :: untaken[n] && settled_at[n] > last && finished > sequence_of[n] - 1 -> finished = sequence_of[n] - 1
#endif
            :: else
            fi;
            n++
        :: else -> break
        od;
        n = 0;
        frame_finished[written] = finished;
        finished = 0
    }
}

#endif

/* JournalThread.sync: it may fail, and what it should have written is lost, or not */
inline sync() {
    if
    :: d_step { synced = written; advance(frames_last) }
#ifdef FAIL
    :: !has_failed ->
        has_failed = 1;
        if
        :: d_step {
                n = synced;
                do
                :: n < written -> lost[n] = 1; n++
                :: else -> break
                od;
                n = 0
            }
        :: true
        fi;
        fail();
#ifdef FAILURE_FORGOTTEN
        skip
#else
        failed_now = 1
#endif
#endif
    fi
}

inline tell() {
#ifdef TOLD_TOO_LATE
    was_awaited = awaited;
    durable = frames_last;
    unpark(1);
    if :: was_awaited -> was_awaited = 0; sleeping = 0 :: else fi
#else
    durable = frames_last;
    unpark(1);
    if :: awaited -> sleeping = 0 :: else fi
#endif
}

proctype Journal() {
    byte n, finished, new_mark, until;
    bit is_last, has_failed, failed_now, was_awaited, wrote;
    do
    :: d_step { is_last = ended; wrote = 0 }
        if /* writeGroup */
        :: failure ->
            if
            :: HAS_ENTRIES -> head = tail; unpark(1); wrote = 1
            :: else
            fi
        :: !failure && (HAS_ENTRIES || HAS_ENDS) ->
            wrote = 1;
            d_step { /* encode: up to `tail` the entries are the journal's */
                until = tail;
#ifndef GROUPED
                if :: until > head + 1 -> until = head + 1 :: else fi;
#endif
                n = head;
                new_mark = (written > 0 -> frame_mark[written - 1] : 0);
                do
                :: n < until ->
                    assert(entry[n % RING] == frames_last + 1); /* no gap */
                    frames_last = entry[n % RING];
                    if :: entry_mark[n % RING] > 0 -> new_mark = entry_mark[n % RING] :: else fi;
                    n++
                :: else -> break
                od;
                head = until;
                until = 0;
                n = 0
            }
            unpark(1);
            take_ends(frames_last);
#ifdef MARK_TOO_EARLY
            if :: written > 0 -> frame_mark[written - 1] = new_mark :: else fi;
#endif
#ifdef TOLD_BEFORE_SYNC
            tell();
#endif
#ifdef ACKNOWLEDGED_WRITTEN
            d_step { advance(frames_last) }
#endif
            d_step { /* write */
                assert(written < FRAMES);
                frame_last[written] = frames_last;
                frame_mark[written] = new_mark;
                new_mark = 0;
                written++
            }
            sync();
            if
            :: failed_now -> failed_now = 0
            :: else -> tell()
            fi
        :: !failure && !HAS_ENTRIES && !HAS_ENDS
        fi;
        if
        :: wrote
        :: !wrote && is_last -> break
        :: !wrote && !is_last -> SLEEP(0, (HAS_ENTRIES || HAS_ENDS || ended))
        fi
    od;
    done = 1
}

proctype Closer() {
#ifndef EARLY
    /* Only then, to have fewer states; what was forgotten until then stays so. */
    position == claimed && workers == 0 && HELD_COUNT == 0 && !barrier_waits;
#endif
    closed = 1;
    sleeping = 0;
#ifdef DEADLINE
    abandon()
#endif
}

#ifdef CANCEL
proctype Canceller() {
    if
    :: d_step { !begun[0] -> cancelled[0] = 1 }
    :: d_step { begun[0] -> skip }
    fi
}
#endif

/* A crash at any step: the recovery finds the first `kept` frames. */
#define ANSWERED(e) (e >= ANSWERS || (answer_at[e] > 0 && answer_at[e] <= last))
proctype Crash() {
    byte kept, last, e, ends, finished, number;
    d_step {
            kept = synced;
            do
            :: kept <= written ->
                e = 0;
                ends = 0;
                last = 0;
                finished = 0;
                number = 0;
                do
                :: e < kept && !lost[e] ->
                    last = frame_last[e];
                    ends = ends | frame_ends[e];
                    finished = (frame_finished[e] > finished -> frame_finished[e] : finished);
                    number = frame_mark[e];
                    e++
                :: else -> break
                od;
                e = 0;
                do
                :: e < EFFECTS ->
                    /* acknowledged, so recovered */
                    assert(!(acked & BIT((e + 1))) || (sequence_of[e] > 0 && sequence_of[e] <= last));
                    /* the mark counts what is recovered */
                    assert((number > e) == (sequence_of[e] > 0 && sequence_of[e] <= last) || sequence_of[e] == 0);
                    /* has begun, so its action is recovered; a detached store goes on without the disk */
                    assert(!begun[e] || durable == ALL_DURABLE || sequence_of[e] <= last);
                    /* does not begin again, so its answer is recovered */
#ifdef RESTART
                    if
                    :: sequence_of[e] > 0 && sequence_of[e] <= last && ((ends & BIT(e)) || sequence_of[e] <= finished) ->
                        assert(ANSWERED(e))
                    :: else
                    fi;
#endif
                    e++
                :: else -> break
                od;
                kept++
            :: else -> break
            od;
    }
}

init {
    atomic {
        slots[0] = 1;
#ifdef DUPLICATE
        slots[1] = 1;
        slots[2] = 2;
#else
        slots[1] = 2;
#endif
#ifdef DRAIN
        slots[ACTIONS] = DRAIN_SLOT;
#endif
        claimed = SENT;
        run Pipeline();
        run Journal();
        run Closer();
#ifdef CANCEL
        run Canceller();
#endif
        run Crash()
    }
    _nr_pr == 1;
    assert(position == claimed && workers == 0 && !HELD_COUNT && !barrier_waits);
    assert(head == tail && tail == appended);
    assert(failure || written == synced);
#ifndef DEADLINE
    assert(failure || safe == recorded)
#endif
}
