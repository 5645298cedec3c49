/* SPDX-License-Identifier: Apache-2.0
 *
 * Effects: the registry of effects, with one token. Start, end, cancel, replacement, limits, release. F1, F2.
 *
 * Stands for: EffectRegistry.swift (add, admit, ended, bodyReturned, begin, takeEnded, takeReturned),
 *   EffectRegistry+Cancel.swift (cancel, cancelTasks, cancelAll, revoke), EffectLane.swift (run, leave, dropWaiting,
 *   dropRunning, takeReady), EffectTask.swift (begins, complete, cancel, end, enterAmongOthers, startHeld),
 *   EffectPhase.swift (onCancel, complete, cancel), EffectSink.swift (send), HeldStart.swift (takePlace, becomeDurable,
 *   begin), EffectRun.swift (isRevoked, revoke), EffectOwner.swift.
 * Processes: STARTERS pipelines of stores that share the middleware; each starts EACH effects and calls their bodies. A
 *   body adds a cancel handler; then it sends and ends at once, or leaves that to a thread of its own. One pipeline that
 *   handles what the effects have sent, in any order. TOKEN, WHERE, ALL: threads that cancel by token, by predicate, and
 *   everything. HELD: one that releases held beginnings. POLICY: of the effects; LAST_REPLACES: but the last one replaces the
 *   others.
 * Checked: each effect ends once, and none is forgotten: it has begun, or was cancelled or dismissed. When a cancel has
 *   returned, none of its effects begins, and none of their queued actions is begun by the pipeline; seen are only what
 *   was decided before. An effect that waits when it is replaced never begins. Under a limit no more than MAX run that are
 *   not cancelled or replaced, bodies included. A handler is called once if the effect was cancelled, never if it has
 *   completed. In the end the registry is empty, and its figures balance. No thread waits for ever.
 * Cannot see: the memory model: what is not under the lock are words that acquire and release, each alone; lists and
 *   tokens that are compared (one token is enough: lanes share nothing but the counts); parts of an effect, and effects
 *   without a token; other mixes of policies; observers (F3); answers sent at once (F8); the capacity; intervals of
 *   `throttle`; the journal and its open effects (journal.pml).
 *
 * config: serial       -DSTARTERS=1 -DEACH=2 -DPOLICY=LIMITED -DTOKEN
 * config: replace      -DSTARTERS=2 -DEACH=1 -DPOLICY=REPLACE -DTOKEN
 * config: where        -DSTARTERS=1 -DEACH=3 -DPOLICY=LIMITED -DWHERE
 * config: keep-first   -DSTARTERS=2 -DEACH=1 -DPOLICY=KEEP_FIRST -DTOKEN
 * config: two-cancels  -DSTARTERS=1 -DEACH=2 -DPOLICY=LIMITED -DTOKEN -DALL
 * config: held         -DSTARTERS=1 -DEACH=2 -DPOLICY=LIMITED -DTOKEN -DHELD
 * config: last-replaces -DSTARTERS=1 -DEACH=3 -DPOLICY=LIMITED -DLAST_REPLACES
 * config: last-cancel  -DSTARTERS=1 -DEACH=3 -DPOLICY=LIMITED -DLAST_REPLACES -DTOKEN
 * broken: END_REMOVES_TOKEN      replace     the end of an effect removes what its token has now
 * broken: RETURN_NOT_NOTED       serial      the registry is not told that the body has returned
 * broken: END_BEGINS_NOBODY      serial      the end of an effect does not begin the next one
 * broken: REVOKED_TOO_LATE       two-cancels effects are revoked after the lock, by the thread that has removed them
 * broken: NOT_REVOKED            serial      a cancel does not revoke the queued actions
 * broken: BEGUN_UNSEEN           serial      who begins an effect does not look whether it was cancelled
 * broken: WAITING_NOT_DROPPED    where       a cancel leaves waiting effects in the lane until their turn
 * broken: CANCELLED_UNDER_LOCK   serial      a cancel calls the handlers while it has the lock
 * broken: ENDED_TWICE            serial      the end of an effect is no exchange
 * broken: HANDLER_TOO_LATE       replace     a handler is added though the effect has ended meanwhile
 * broken: PLACE_NOT_CHECKED      serial      a new effect does not look for waiting ones
 * broken: BEGUN_BY_FIRST         held        a held effect begins when one of the two is there
 * broken: PLACE_NOT_RETURNED     held        nobody notes that the body of an effect that was durable before its turn has returned
 * broken: REPLACED_IN_LANE       last-replaces a replaced effect that waits stays in the lane until it is cancelled
 */
#define REPLACE 1
#define KEEP_FIRST 2
#define LIMITED 3
#ifndef MAX
#define MAX 1
#endif
#define N (STARTERS * EACH)
#ifdef LAST_REPLACES
#define POLICY_OF(e) (e == N - 1 -> REPLACE : POLICY)
#else
#define POLICY_OF(e) POLICY
#endif
#define HAS_PLACE(e) (POLICY_OF(e) == LIMITED)

#define NONE 0
#define RUNNING 1
#define WAITING 2

#define ACTIVE 0
#define COMPLETED 1
#define CANCELLED 2

#define QUEUED 1
#define OVER 2 /* handled, or removed */

/* The registry, under its lock. */
bit locked;
byte row[N], places, waiting[N], waiting_count, running_count;
bit is_beginning[N], has_ended[N];
byte completed, cancelled, skipped;
/* The effects. */
byte phase[N];
bit has_handler[N], revoked[N], later[N];
byte called[N]; /* the handler, how often */
byte action[N];
#ifdef HELD
byte missing[N], kept[N];
#endif
/* What the checks need: admitted, begun (the beginning is decided), its body runs, a cancel of it has returned. */
bit admitted[N], begun[N], in_body[N], gone[N];
byte replaced[N]; /* where it was when another one replaced it */
byte starters;

#define BIT(e) (1 << e)
#define IN_USE (running_count + waiting_count > 0)

/* EffectLane.run; in a d_step */
inline lane_run(e) {
    row[e] = RUNNING;
    is_beginning[e] = HAS_PLACE(e);
    running_count++;
    places++
}

/* Removes a waiting effect from its lane; in a d_step */
inline lane_remove_waiting(e) {
    i = 0;
    do
    :: waiting[i] == e -> break
    :: else -> i++
    od;
    do
    :: i + 1 < waiting_count -> waiting[i] = waiting[i + 1]; i++
    :: else -> break
    od;
    waiting_count--;
    waiting[waiting_count] = 0;
    row[e] = NONE;
    i = 0
}

/* EffectLane.takeReady, into `ready`; in a d_step */
inline take_ready() {
    do
    :: waiting_count > 0 && places < MAX ->
        f = waiting[0];
        lane_remove_waiting(f);
        lane_run(f);
        ready = ready | BIT(f)
    :: else -> break
    od;
    f = 0
}

/* Drops all waiting, all running effects of the lane; adds them to `set`; in a d_step */
inline drop(what, set) {
    f = 0;
    do
    :: f < N ->
        if
        :: row[f] == what -> row[f] = NONE; set = set | BIT(f)
        :: else
        fi;
        f++
    :: else -> break
    od;
    if
    :: what == WAITING ->
        do
        :: waiting_count > 0 -> waiting_count--; waiting[waiting_count] = 0
        :: else -> break
        od
    :: else -> running_count = 0; places = 0
    fi;
    f = 0
}

/* EffectRegistry.take, after `is_end`: an end; else: its body has returned. One step: nothing else is in it. */
inline take(e, is_end, was_cancelled) {
    d_step {
        !locked;
        if
        :: is_end && was_cancelled -> cancelled++
        :: is_end && !was_cancelled -> completed++
        :: else
        fi;
#ifdef END_REMOVES_TOKEN
        if
        :: is_end && !was_cancelled && waiting_count == 0 ->
            f = 0;
            do
            :: f < N -> row[f] = NONE; f++
            :: else -> break
            od;
            f = 0;
            running_count = 0;
            places = 0
        :: else
        fi;
#endif
        if
        :: row[e] == WAITING && is_end -> lane_remove_waiting(e); take_ready()
        :: row[e] == RUNNING -> /* EffectLane.leave */
            if
            :: is_end -> has_ended[e] = 1
            :: else -> is_beginning[e] = 0
            fi;
            if
            :: has_ended[e] && !is_beginning[e] ->
                row[e] = NONE;
                has_ended[e] = 0;
                running_count--;
                places--;
#ifndef END_BEGINS_NOBODY
                take_ready()
#endif
            :: else
            fi
        :: else
        fi
    }
}

/* EffectTask.end, by the thread that has ended the effect */
inline end_task(e, was_cancelled) {
    take(e, 1, was_cancelled)
}


/* EffectTask.complete */
inline complete(e) {
    if
#ifdef ENDED_TWICE
    :: phase[e] == ACTIVE -> phase[e] = COMPLETED; end_task(e, 0)
#else
    :: d_step { phase[e] == ACTIVE -> phase[e] = COMPLETED } end_task(e, 0) /* EffectPhase.end */
#endif
    :: d_step { phase[e] != ACTIVE -> skip }
    fi
}

/* EffectTask.cancel */
inline cancel(e) {
#ifndef NOT_REVOKED
    revoked[e] = 1;
#endif
    if
    :: d_step { phase[e] == ACTIVE -> phase[e] = CANCELLED }
        if
        :: has_handler[e] -> d_step { called[e]++; has_handler[e] = 0 }
        :: else
        fi;
        end_task(e, 1)
    :: d_step { phase[e] != ACTIVE -> skip }
    fi
}

/* EffectTask.begins; into `goes` */
inline begins(e) {
    goes = 0;
    if
#ifndef BEGUN_UNSEEN
    :: phase[e] != ACTIVE
    :: phase[e] == ACTIVE ->
#else
    :: true ->
#endif
        if
#ifndef BEGUN_UNSEEN
        :: revoked[e] -> cancel(e)
        :: d_step { !revoked[e] -> assert(!gone[e]); decide(e) }
#else
        :: d_step { true -> assert(!gone[e]); decide(e) }
#endif
        fi
    fi;
    skip
}

/* Is running: not cancelled, and not over, or its body has not returned. */
#define IS_RUNNING(f) (begun[f] && !revoked[f] && (phase[f] == ACTIVE || (phase[f] == COMPLETED && in_body[f])))

inline decide(e) {
    goes = 1;
    assert(!begun[e] && replaced[e] != WAITING);
    if
    :: HAS_PLACE(e) && !revoked[e] && !replaced[e] -> /* that begins, then cancels what it replaces */
        f = 0;
        i = 0;
        do
        :: f < N -> i = i + IS_RUNNING(f); f++
        :: else -> break
        od;
        assert(i < MAX);
        f = 0;
        i = 0
    :: else
    fi;
    begun[e] = 1;
    in_body[e] = 1
}

/* EffectSink.send */
inline send(e) {
    if
    :: phase[e] == ACTIVE -> action[e] = QUEUED
    :: phase[e] != ACTIVE
    fi
}

/* The body of an effect */
inline body(e) {
#ifdef HANDLER_TOO_LATE
    if
    :: phase[e] == ACTIVE -> has_handler[e] = 1
#else
    if /* EffectPhase.onCancel */
    :: d_step { phase[e] == ACTIVE -> has_handler[e] = 1 }
#endif
    :: d_step { phase[e] == CANCELLED -> called[e]++ }
    fi;
    if
    :: send(e); complete(e)
    :: run Worker(e)
    fi;
    in_body[e] = 0
}

/* The closure that EffectStart makes: it looks whether the effect may begin, then calls its body. */
inline begin_body(e) {
    begins(e);
    if
    :: goes -> body(e); goes = 0
    :: else
    fi
}

#ifdef HELD
/* HeldStart.begin: the body, then `returned` */
inline held_begin(e) {
    begin_body(e);
    if
    :: HAS_PLACE(e) -> take(e, 0, 0)
    :: else
    fi
}

/* HeldStart.isLast, of takePlace and becomeDurable */
inline look_if_last(e) {
    d_step { missing[e]--; goes = missing[e] == 0 }
#ifdef BEGUN_BY_FIRST
    goes = 1
#endif
}

/* HeldStart.becomeDurable */
inline become_durable(e) {
    look_if_last(e);
    if
    :: goes -> goes = 0; held_begin(e)
    :: else
    fi
}
#endif

/* EffectRegistry.begin. An effect that ends in its body adds to `set`: a call of its own would begin the same ones. */
inline begin(set) {
    do
    :: set == 0 -> break
    :: set != 0 ->
        d_step {
            b = 0;
            do
            :: set & BIT(b) -> break
            :: else -> b++
            od;
            set = set & ~BIT(b)
        }
        if
        :: d_step { later[b] -> later[b] = 0 }
#ifdef HELD
            look_if_last(b); /* HeldStart.takePlace; begin notes that the body has returned */
            if
            :: goes ->
                goes = 0;
                begin_body(b);
#ifndef PLACE_NOT_RETURNED
                take(b, 0, 0)
#endif
            :: else
            fi
#else
            begin_body(b);
#ifndef RETURN_NOT_NOTED
            take(b, 0, 0)
#endif
#endif
        :: d_step { !later[b] -> skip }
        fi;
        b = 0
    od
}

inline cancel_all_of(set) {
    e = 0;
    do
    :: e < N ->
        if
        :: set & BIT(e) -> cancel(e); begin(ready)
        :: else
        fi;
        e++
    :: else -> break
    od;
    e = 0
}

proctype Worker(byte me) {
    byte ready, e, b, f, i;
    bit goes;
    send(me);
    complete(me);
    begin(ready)
}

proctype Starter(byte first) {
    byte me, ready, e, b, f, i, older, dropped;
    bit goes, starts;
    me = first;
    do
    :: me == first + EACH -> break
    :: else ->
        d_step { /* EffectRegistry.add */
            !locked;
            starts = 1;
            if
            :: IN_USE && POLICY_OF(me) == KEEP_FIRST -> skipped++; starts = 0
#ifdef PLACE_NOT_CHECKED
            :: IN_USE && POLICY_OF(me) == LIMITED && !(places < MAX || waiting_count == 0) ->
#else
            :: IN_USE && POLICY_OF(me) == LIMITED && !(places < MAX && waiting_count == 0) ->
#endif
                admitted[me] = 1;
                later[me] = 1;
                row[me] = WAITING;
                waiting[waiting_count] = me;
                waiting_count++;
                starts = 0
            :: else ->
                admitted[me] = 1;
                if
                :: POLICY_OF(me) == REPLACE ->
                    f = 0;
                    do
                    :: f < N ->
                        if
                        :: row[f] != NONE -> older = older | BIT(f); replaced[f] = row[f]
                        :: else
                        fi;
                        f++
                    :: else -> break
                    od;
                    f = 0
#ifndef REPLACED_IN_LANE
                    ;
                    drop(WAITING, dropped)
#endif
                :: else
                fi;
                lane_run(me)
            fi
#ifdef HELD
            ;
            missing[me] = 2
#endif
        }
        do /* what the registry has dropped does not begin later */
        :: dropped == 0 -> break
        :: dropped != 0 -> d_step {
                e = 0;
                do
                :: dropped & BIT(e) -> break
                :: else -> e++
                od;
                dropped = dropped & ~BIT(e);
                later[e] = 0;
                e = 0
            }
        od;
        if
        :: starts -> /* enterAmongOthers, startHeld */
#ifdef HELD
            kept[me] = 1;
#else
            begin_body(me);
            if
            :: HAS_PLACE(me) ->
#ifndef RETURN_NOT_NOTED
                take(me, 0, 0) /* bodyReturned */
#endif
            :: else
            fi;
#endif
            cancel_all_of(older);
            older = 0
        :: else ->
#ifdef HELD
            kept[me] = 2
#endif
        fi;
        begin(ready);
        atomic { me++; starts = 0 }
    od;
    starters--
}

#ifdef HELD
/* JournalPort.releaseDurable: in the order of the actions */
proctype Journal() {
    byte me, ready, e, b, f, i;
    bit goes;
    do
    :: me == N -> break
    :: me < N && kept[me] == 1 -> held_begin(me); begin(ready); me++
    :: me < N && kept[me] == 2 -> become_durable(me); begin(ready); me++
    od
}
#endif

/* The pipeline that handles the actions of the effects: it looks at the run, then begins the action. */
#define HANDLE(e) d_step { e < N && action[e] == QUEUED -> assert(revoked[e] || !gone[e]); action[e] = OVER }
proctype Pipeline() {
end:
    do
    :: HANDLE(0)
    :: HANDLE(1)
#if N > 2
    :: HANDLE(2)
#endif
    od
}

/* What a cancel is responsible for: the effects that are under way when it is called. */
inline note_under_way() {
    d_step {
        e = 0;
        do
        :: e < N -> if :: admitted[e] && phase[e] == ACTIVE -> under_way = under_way | BIT(e) :: else fi; e++
        :: else -> break
        od;
        e = 0
    }
}

inline note_gone() {
    d_step {
        e = 0;
        do
        :: e < N ->
            if
            :: (under_way & BIT(e)) && phase[e] != COMPLETED -> gone[e] = 1
            :: else
            fi;
            e++
        :: else -> break
        od;
        e = 0;
        under_way = 0
    }
}

/* cancel(_:), cancelAll */
inline cancel_lanes() {
    note_under_way();
    d_step {
        !locked;
#ifdef CANCELLED_UNDER_LOCK
        locked = 1;
#endif
        drop(WAITING, dropped);
        drop(RUNNING, found);
#if !defined(NOT_REVOKED) && !defined(REVOKED_TOO_LATE)
        e = 0;
        do
        :: e < N -> if :: (dropped | found) & BIT(e) -> revoked[e] = 1 :: else fi; e++
        :: else -> break
        od;
        e = 0
#endif
    }
    clear_later(dropped);
    cancel_all_of(dropped); /* the waiting effects first */
    cancel_all_of(found);
#ifdef CANCELLED_UNDER_LOCK
    locked = 0;
#endif
    begin(ready);
    note_gone()
}

inline clear_later(set) {
    d_step {
        e = 0;
        do
        :: e < N -> if :: set & BIT(e) -> later[e] = 0 :: else fi; e++
        :: else -> break
        od;
        e = 0
    }
}

#ifdef TOKEN
proctype CancelToken() {
    byte ready, e, b, f, i, dropped, found, under_way;
    bit goes;
    cancel_lanes()
}
#endif

#ifdef ALL
/* EffectOwner.deinit comes when no pipeline starts effects any more; cancelAll may come at any time. */
proctype CancelAll() {
    byte ready, e, b, f, i, dropped, found, under_way;
    bit goes;
    cancel_lanes()
}
#endif

#ifdef WHERE
/* cancelTasks; the predicate chooses the later half of the effects */
#define CHOSEN(e) (2 * e >= N - 1)
proctype CancelWhere() {
    byte ready, e, b, f, i, dropped, found, under_way;
    bit goes;
    note_under_way();
    d_step {
        !locked;
        e = 0;
        do
        :: e < N ->
            if :: CHOSEN(e) && row[e] != NONE -> found = found | BIT(e) :: else fi;
            if :: !CHOSEN(e) -> under_way = under_way & ~BIT(e) :: else fi;
            e++
        :: else -> break
        od;
        e = 0
    }
#ifndef WAITING_NOT_DROPPED
    d_step {
        !locked;
        e = 0;
        do
        :: e < N ->
            if
            :: (found & BIT(e)) && row[e] == WAITING -> lane_remove_waiting(e); dropped = dropped | BIT(e)
            :: else
            fi;
            e++
        :: else -> break
        od;
        e = 0;
        take_ready()
    }
    clear_later(dropped);
#endif
    dropped = 0;
    cancel_all_of(found);
    begin(ready);
    note_gone()
}
#endif

init {
    byte p;
    atomic {
        starters = STARTERS;
        run Pipeline();
#ifdef TOKEN
        run CancelToken();
#endif
#ifdef ALL
        run CancelAll();
#endif
#ifdef WHERE
        run CancelWhere();
#endif
#ifdef HELD
        run Journal();
#endif
        do :: p < STARTERS -> run Starter(p * EACH); p++ :: else -> break od
    }
    _nr_pr == 2;
    d_step {
        assert(starters == 0 && !IN_USE && places == 0);
        p = 0;
        do
        :: p < N ->
            assert(row[p] == NONE && !later[p]);
            assert(!admitted[p] || phase[p] != ACTIVE);
            assert(!admitted[p] || begun[p] || phase[p] == CANCELLED);
            assert(phase[p] == CANCELLED || called[p] == 0);
            assert(phase[p] != CANCELLED || !begun[p] || called[p] == 1);
            p++
        :: else -> break
        od;
        assert(completed + cancelled + skipped == N)
    }
}
