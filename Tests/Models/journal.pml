/* SPDX-License-Identifier: Apache-2.0
 *
 * Journal: the ring of entries, the durable word, held work, ends of effects, failure, deadline, crash, recovery. J1 to
 * J3, J6, J8, J9.
 *
 * Stands for: JournalPort.swift (admits, takeUp, hold, canRelease, batchEnded, releaseDurable, waitForRoom, finishHeld,
 *   dropHeld, end), HeldWork.swift (append, endGroup, oldest, take), OpenEffects.swift (begin, ended, settle, canSettle,
 *   take, close), EntryRing.swift (append, record, handOver, waitForRoom, interrupt, encode, drop, taken),
 *   Parking.swift (sleep, wake), JournalThread.swift (run, writeGroup, appendEnds, write, sync, tell, fail, close, end, wait),
 *   DurableWaiters.swift (advance), Consumer.swift (drainOnce), Consumer+Ending.swift (finish, dropAll),
 *   Consumer+Barrier.swift (reach, passBarriers),
 *   StoreCore+Engine.swift (abandon), ThreadEngine.swift (park), RecoveryFold.swift and EffectMarks.swift (read).
 * Processes: the pipeline; the journal's thread. RESTART: a thread for each effect that has begun, which ends; the first effect
 *   also sends an answer before its end. The queue begins with the actions of one producer, numbers 1 to NUMBERS; the first
 *   EFFECTS of them start an effect each. DUPLICATE: number 1 stands there twice; DRAIN: then a drain. One thread closes the
 *   store in the end, or EARLY; DEADLINE: then abandons it. CANCEL: one cancels the first effect. FAIL: a sync may fail, and
 *   what it should have written may be lost. RING: the size of the ring. MOST_HELD: so many may be held. GROUPED: a frame takes
 *   what is in the ring; else one action. PARKING: the sleeps of the two threads, by a mutex and a condition; else a thread
 *   sleeps until it can go on.
 * A crash: at each state a rule looks at what a recovery would read, with the newest frame and without it.
 * Checked there: each acknowledged action is recovered; an effect has begun only if its action is recovered, at most once
 *   before the crash; the mark of the producer is the number of its recovered actions, so a number that is sent again is
 *   handled once; a recovery leaves out only effects whose answer is recovered, and cancelled ones. Checked besides: no gap
 *   in the frames; held work runs in its order; a drain ends only when the effects before it have begun or never will; a
 *   cancelled effect does not begin; after a failure nothing becomes durable; the end of each effect is written, though no
 *   other action comes; the pipeline and the journal's thread come to their end, and all that was accepted is then handled,
 *   written or dropped.
 * Cannot see: the memory model (each word that is not under a lock is sequentially consistent here); torn frames, segments,
 *   links and checksums (PowerCutTests); snapshots and the second state; `.exact` and `visibility: .durable`; who consumes,
 *   and its sleep on the doorbell (doorbell.pml: here one word); the limit of effects under way; the second run; ends that
 *   wait for other shards (J8a); more than one answer.
 *
 * config: held         -DRING=2 -DGROUPED
 * config: early        -DRING=2 -DGROUPED -DEARLY
 * config: ring         -DRING=1 -DDUPLICATE
 * config: parking      -DRING=1 -DPARKING
 * config: parking-early -DRING=1 -DPARKING -DEARLY
 * config: drain        -DRING=2 -DGROUPED -DDRAIN -DCANCEL
 * config: stop         -DRING=1 -DGROUPED -DFAIL -DSTOP
 * config: detach       -DRING=1 -DGROUPED -DFAIL
 * config: deadline     -DRING=1 -DEARLY -DDEADLINE
 * config: gap          -DRING=1 -DEARLY -DDEADLINE -DNUMBERS=3 -DEFFECTS=1
 * config: most-held    -DRING=2 -DMOST_HELD=1 -DEARLY -DDEADLINE -DGROUPED
 * config: restart      -DRING=2 -DGROUPED -DRESTART
 * config: restart-ring -DRING=1 -DRESTART
 * config: restart-parking -DRING=1 -DRESTART -DPARKING -DEFFECTS=1
 * config: restart-cancel -DRING=2 -DGROUPED -DRESTART -DCANCEL
 * config: restart-stop -DRING=1 -DGROUPED -DRESTART -DFAIL -DSTOP -DEFFECTS=1
 * config: restart-deadline -DRING=1 -DRESTART -DEARLY -DDEADLINE
 * broken: NOT_HELD               held      effects begin when their action is handled
 * broken: HELD_BY_GROUP_START    held      a group runs when its first action is durable
 * broken: TOLD_BEFORE_SYNC       held      the durable word is stored before the sync
 * broken: ACKNOWLEDGED_WRITTEN   held      an action is acknowledged when it is written
 * broken: NOT_LOOKED_BEFORE_SLEEP held     the pipeline sleeps without a look at the durable word
 * broken: AWAITED_TOO_LATE       held      the pipeline asks to be woken after its last look
 * broken: TOLD_TOO_LATE          held      the journal looks at `isAwaited`, then stores the durable word
 * broken: ASLEEP_TOO_LATE        parking   a sleeper looks, then says that it sleeps
 * broken: WOKEN_WITHOUT_LOCK     parking   a sleeper is woken without the lock
 * broken: TOLD_WAKES_NOBODY      parking-early a pipeline that waits for held work is not woken
 * broken: HANDED_OVER_LATE       ring      the pipeline waits for room before it hands over
 * broken: DUPLICATE_UNWAITED     ring      a duplicate is acknowledged before the first one is durable
 * broken: MARK_TOO_EARLY         ring      a mark goes into the frame of the action before
 * broken: BARRIER_IGNORES_HELD   drain     a drain ends while effects are held
 * broken: CANCEL_NOT_SEEN        drain     a held effect begins though it was cancelled
 * broken: FAILURE_FORGOTTEN      stop      after a failed sync the journal goes on
 * broken: DETACHED_STILL_HELD    detach    after a failure the durable word stays
 * broken: INTERRUPTED_TOO_EARLY  gap       the waits end before the store is abandoned
 * broken: RUN_AT_DEADLINE        most-held held work runs when the wait for it was interrupted
 * broken: SETTLED_AT_END         restart   an effect is settled before its answer is handled
 * broken: END_IN_ANY_FRAME       restart   an end is in a frame before the one with the answer
 * broken: WATERMARK_IGNORES_ENDS restart   a watermark is above an end that its frame does not have
 * broken: END_WAKES_NOBODY       restart   the end of an effect does not wake the pipeline
 * broken: ENDS_NOT_LOOKED_AT     restart   the pipeline sleeps without a look at the ends
 * broken: SETTLED_UNTOLD         restart-parking the journal is not woken for ends
 * broken: ENDS_KEPT_AT_DEADLINE  restart-deadline a store that drops its actions keeps the ends
 */
#ifndef EFFECTS
#define EFFECTS 2
#endif
#ifndef NUMBERS
#define NUMBERS 2
#endif
#ifdef DUPLICATE
#define ACTIONS 3
#else
#define ACTIONS NUMBERS
#endif
#ifdef DRAIN
#define SENT (ACTIONS + 1)
#else
#define SENT ACTIONS
#endif
#ifdef RESTART
#define ANSWERS 1 /* of the first effect */
#else
#define ANSWERS 0
#endif
#define SLOTS (SENT + ANSWERS)
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
byte recorded, mark, mark_at[NUMBERS + 1]; /* the position in the journal of the action with each number */
byte held[NUMBERS], group_last[NUMBERS];
#ifdef HELD_BY_GROUP_START
byte group_first[NUMBERS];
#endif
bit barrier_waits, barrier_passed;
byte barrier_at;
/* The effects; effect 0 is that of the action number 1. */
#define SEQUENCE_OF(e) mark_at[(e) + 1]
bit begun[NUMBERS], cancelled[NUMBERS];
#ifdef RESTART
byte answer_at[ANSWERS];
#endif
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
/* What a recovery reads up to the frames that were synced, and up to the newest frame: two cases are enough, as each
 * frame is synced before the next one is written. `lost`: the newest frame is not on the disk. */
#define SYNCED 0
#define NEWEST 1
byte last_in[2], mark_in[2];
bit lost;
/* OpenEffects, under its lock. */
bit effects_closed;
#ifdef RESTART
bit is_open[NUMBERS], untaken[NUMBERS];
byte ended_at[NUMBERS], settled_at[NUMBERS], through; /* `ended_at`: the position, plus one; 0: not ended */
byte ends_in[2], finished_in[2];
byte workers;
#endif
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
#ifdef HELD_BY_GROUP_START
        if
        :: held[1] == FIRST_HELD && held[0] == FIRST_HELD -> group_first[1] = group_first[0]
        :: else
        fi;
#endif
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
        :: e < EFFECTS -> if :: IS_HELD(e) -> held[e] = DROPPED; group_last[e] = 0 :: else fi; e++
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
    :: d_step { cancelled[e] -> held[e] = RUN; group_last[e] = 0 }
    :: atomic { !cancelled[e] -> held[e] = RUN; group_last[e] = 0; assert(!begun[e]); begun[e] = 1; BEGIN(e) }
#else
    :: atomic { true -> held[e] = RUN; group_last[e] = 0; assert(!begun[e] && !cancelled[e]); begun[e] = 1; BEGIN(e) }
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
#ifdef RUN_AT_DEADLINE
                e = OLDEST;
                run_body(e);
                e = 0;
#endif
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
#define IS_PASSED (!(IS_HELD(0) && SEQUENCE_OF(0) <= barrier_at) && !(IS_HELD(1) && SEQUENCE_OF(1) <= barrier_at))
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
                assert(SEQUENCE_OF(e) == 0 || SEQUENCE_OF(e) > barrier_at || held[e] == RUN || held[e] == DROPPED);
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
#define CAN_SETTLE false
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
    :: settles ->
        settles = 0;
#ifdef SETTLED_UNTOLD
        skip
#else
        unpark(0) /* wakeJournal */
#endif
    :: else
    fi
}
#define CAN_SETTLE ((ended_at[0] > 0 && ended_at[0] - 1 <= position) || (ended_at[1] > 0 && ended_at[1] - 1 <= position))
#endif

inline close_effects() {
    d_step {
        effects_closed = 1
#ifdef RESTART
        ;
        ended_at[0] = 0;
        ended_at[1] = 0
#endif
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
            d_step { /* admits: a duplicate, which is acknowledged when the first one is */
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
                new_mark = 0;
                position++;
                e = mark - 1;
                if
                :: e < EFFECTS ->
                    held[e] = FIRST_HELD
#ifdef RESTART
                    ;
                    is_open[e] = 1
#endif
#ifdef HELD_BY_GROUP_START
                    ;
                    group_first[e] = recorded
#endif
                :: else
                fi
#ifndef NOT_HELD
                ;
                e = 0
#endif
            }
#ifdef NOT_HELD
            run_body(e);
            e = 0
#endif
#ifdef RESTART
        :: position < claimed && !abandoned && slots[position] >= ANSWER ->
            take_up();
            d_step { recorded++; answer_at[slots[position] - ANSWER] = recorded; position++ }
#endif
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

#ifdef ENDS_NOT_LOOKED_AT
#define BELL_HAS_WORK (position < claimed || (barrier_waits && IS_PASSED) || closed)
#else
#define BELL_HAS_WORK (position < claimed || (barrier_waits && IS_PASSED) || CAN_SETTLE || closed)
#endif

proctype Pipeline() {
    byte e, new_mark, before, began;
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
/* OpenEffects.ended, under its lock; then it wakes the pipeline */
inline note_end(me) {
    if
    :: d_step { !closed && !effects_closed -> ended_at[me] = claimed + 1 }
#ifndef END_WAKES_NOBODY
        sleeping = 0
#endif
    :: d_step { closed || effects_closed -> skip }
    fi
}

proctype Effect(byte me) {
    if /* its answer */
    :: d_step { !closed && me < ANSWERS -> slots[claimed] = ANSWER + me; claimed++ } sleeping = 0
    :: d_step { closed || me >= ANSWERS -> skip }
    fi;
    note_end(me);
    workers--
}
#endif

/* DurableWaiters.advance; the numbers whose actions are durable */
inline advance(to) {
    safe = to;
    n = 1;
    do
    :: n <= NUMBERS -> if :: mark_at[n] > 0 && mark_at[n] <= safe -> acked = acked | BIT(n) :: else fi; n++
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
#ifndef DETACHED_STILL_HELD
    durable = ALL_DURABLE;
#endif
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
#ifdef INTERRUPTED_TOO_EARLY
    interrupted = 1;
    unpark(1);
    abandoned = 1;
#else
    abandoned = 1;
    interrupted = 1;
    unpark(1);
#endif
    closed = 1;
    sleeping = 0
}

#ifdef RESTART
#define HAS_ENDS (!failure && (untaken[0] || untaken[1]))
#else
#define HAS_ENDS false
#endif
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
            :: is_open[n] && finished > SEQUENCE_OF(n) - 1 -> finished = SEQUENCE_OF(n) - 1
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
            :: untaken[n] ->
#else
            :: untaken[n] && settled_at[n] <= last ->
#endif
                untaken[n] = 0;
                settled_at[n] = 0;
                new_ends = new_ends | BIT(n);
                wrote = 1
#ifndef WATERMARK_IGNORES_ENDS
            :: untaken[n] && settled_at[n] > last && finished > SEQUENCE_OF(n) - 1 -> finished = SEQUENCE_OF(n) - 1
#endif
            :: else
            fi;
            n++
        :: else -> break
        od;
        n = 0;
        if
        :: finished > finished_in[NEWEST] -> wrote = 1
        :: else -> finished = finished_in[NEWEST] /* as the frame before said */
        fi
    }
}
#endif

/* What is in the newest frame is on the disk. */
inline keep_newest() {
    last_in[SYNCED] = last_in[NEWEST];
    mark_in[SYNCED] = mark_in[NEWEST]
#ifdef RESTART
    ;
    ends_in[SYNCED] = ends_in[NEWEST];
    finished_in[SYNCED] = finished_in[NEWEST]
#endif
}

/* JournalThread.sync: it may fail, and what it should have written is lost, or not */
inline sync() {
    if
#ifdef FAILURE_FORGOTTEN
    :: d_step { lost -> advance(frames_last) }
    :: d_step { !lost -> keep_newest(); advance(frames_last) }
#else
    :: d_step { keep_newest(); advance(frames_last) }
#endif
#ifdef FAIL
    :: !has_failed ->
        has_failed = 1;
        if
        :: lost = 1
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
#ifndef TOLD_WAKES_NOBODY
    unpark(1);
#endif
    if :: awaited -> sleeping = 0 :: else fi
#endif
}

proctype Journal() {
    byte n, new_mark, until, frames_last;
#ifdef RESTART
    byte finished, new_ends;
#endif
    bit is_last, has_failed, failed_now, was_awaited, wrote;
    do
    :: d_step { is_last = ended; wrote = 0 }
        if /* writeGroup */
        :: failure ->
            if
            :: HAS_ENTRIES -> head = tail; unpark(1); wrote = 1
            :: else
            fi
        :: !failure ->
            d_step { /* encode: up to `tail` the entries are the journal's */
                until = tail;
#ifndef GROUPED
                if :: until > head + 1 -> until = head + 1 :: else fi;
#endif
                n = head;
                wrote = until > head;
                new_mark = mark_in[NEWEST];
                do
                :: n < until ->
                    assert(entry[n % RING] == frames_last + 1); /* no gap */
                    frames_last = entry[n % RING];
                    if :: entry_mark[n % RING] > 0 -> new_mark = entry_mark[n % RING] :: else fi;
                    entry[n % RING] = 0;
                    entry_mark[n % RING] = 0;
                    n++
                :: else -> break
                od;
                head = until;
                until = 0;
                n = 0
            }
            if
            :: wrote -> unpark(1)
            :: else
            fi;
            if
            :: wrote || HAS_ENDS -> take_ends(frames_last)
            :: else
            fi;
            if
            :: wrote ->
#ifdef MARK_TOO_EARLY
                if :: last_in[SYNCED] > 0 -> d_step { mark_in[SYNCED] = new_mark; mark_in[NEWEST] = new_mark } :: else fi;
#endif
#ifdef TOLD_BEFORE_SYNC
                tell();
#endif
#ifdef ACKNOWLEDGED_WRITTEN
                d_step { advance(frames_last) }
#endif
                d_step { /* write */
                    last_in[NEWEST] = frames_last;
                    mark_in[NEWEST] = new_mark;
#ifdef RESTART
                    ends_in[NEWEST] = ends_in[NEWEST] | new_ends;
                    finished_in[NEWEST] = finished;
                    new_ends = 0;
                    finished = 0;
#endif
                    new_mark = 0
                }
                sync();
                if
                :: failed_now -> failed_now = 0
                :: else -> tell()
                fi
            :: else -> /* nothing, or the ends of actions that are not in the ring yet, or never will be */
                d_step {
                    new_mark = 0
#ifdef RESTART
                    ;
                    finished = 0
#endif
                }
            fi
        fi;
        if
        :: wrote
        :: !wrote && is_last -> break
        :: !wrote && !is_last -> SLEEP(0, (HAS_ENTRIES || HAS_ENDS || ended))
        fi
    od;
    done = 1
}

#ifdef RESTART
#define CAN_CANCEL is_open[0] /* the registry has it */
/* The end of each effect is on the disk. */
#define ARE_OVER (failure || (workers == 0 && (ends_in[SYNCED] & BIT(0)) && (EFFECTS == 1 || (ends_in[SYNCED] & BIT(1)))))
#else
#define CAN_CANCEL true
#define ARE_OVER true
#endif
proctype Closer() {
#ifndef EARLY
    /* Only then, to have fewer states; what was forgotten until then stays so. */
    position == claimed && HELD_COUNT == 0 && !barrier_waits && ARE_OVER;
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
    :: d_step { !begun[0] && CAN_CANCEL -> cancelled[0] = 1 }
#ifdef RESTART
        note_end(0) /* EffectTask.end */
#endif
    :: d_step { begun[0] -> skip }
#ifdef RESTART
    :: d_step { !begun[0] && !is_open[0] -> skip }
#endif
    fi
}
#endif

/* A crash: what a recovery reads at any state, with the newest frame or without it. Each rule says what is wrong. The process
 * never goes on unless a rule is broken, so that it adds no states. */
#define HAS(in, n) (mark_at[n] > 0 && mark_at[n] <= last_in[in])
#define ACKNOWLEDGED_LOST(in, n) ((acked & BIT(n)) && !HAS(in, n))
/* The mark counts what is recovered. An action may be written before the pipeline has counted it. */
#define MARK_WRONG(in, n) (mark_at[n] > 0 && (mark_in[in] >= n) != HAS(in, n))
/* A detached store goes on without the disk. */
#define BEGUN_LOST(in, n) (begun[n - 1] && durable != ALL_DURABLE && !HAS(in, n))
#ifdef RESTART
/* The recovery does not begin the effect again. */
#define IS_OVER(in, n) ((ends_in[in] & BIT(n - 1)) || mark_at[n] <= finished_in[in])
#define HAS_ANSWER(in) (answer_at[0] > 0 && answer_at[0] <= last_in[in])
#define ANSWER_LOST(in, n) (n <= ANSWERS && !cancelled[n - 1] && HAS(in, n) && IS_OVER(in, n) && !HAS_ANSWER(in))
#else
#define ANSWER_LOST(in, n) false
#endif
#define IN_CRASH(RULE) (RULE(SYNCED, 1) || RULE(SYNCED, 2) || (!lost && (RULE(NEWEST, 1) || RULE(NEWEST, 2))))
bit acknowledged_is_recovered, mark_is_right, begun_is_recovered, answer_is_recovered; /* always 0: names for errors */
proctype Crash() {
end:
    if
    :: d_step { IN_CRASH(ACKNOWLEDGED_LOST) -> assert(acknowledged_is_recovered) } /* unreached: this is an error */
    :: d_step { IN_CRASH(MARK_WRONG) -> assert(mark_is_right) } /* unreached: this is an error */
    :: d_step { IN_CRASH(BEGUN_LOST) -> assert(begun_is_recovered) } /* unreached: this is an error */
    :: d_step { IN_CRASH(ANSWER_LOST) -> assert(answer_is_recovered) } /* unreached: this is an error */
    fi
} /* unreached: after an error */

init {
    atomic {
        slots[0] = 1;
#ifdef DUPLICATE
        slots[1] = 1;
        slots[2] = 2;
#else
        slots[1] = 2;
#if NUMBERS > 2
        slots[2] = 3;
#endif
#endif
#ifdef DRAIN
        slots[ACTIONS] = DRAIN_SLOT;
#endif
        claimed = SENT;
        run Crash(); /* first: a process ends after those that were run later */
        run Pipeline();
        run Journal();
        run Closer()
#ifdef CANCEL
        ;
        run Canceller()
#endif
    }
    _nr_pr == 2;
    assert(position == claimed && !HELD_COUNT && !barrier_waits);
    assert(head == tail && tail == appended);
    assert(failure || last_in[SYNCED] == last_in[NEWEST]);
#ifndef DEADLINE
    assert(failure || safe == recorded)
#endif
}
