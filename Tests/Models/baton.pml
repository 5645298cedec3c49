/* SPDX-License-Identifier: Apache-2.0
 *
 * Baton: any producer may become the consumer, and no producer waits for it; with store buffers. D2, E1.
 *
 * Stands for: millrace_baton.h, millrace_queue_hand_over in queue.c, CallerEngine.swift (drain, drainHolding, giveBack).
 *   The comments name the function of each step.
 * Processes: PRODUCERS producers, which publish EACH actions each, in segments of 2 slots, and drain; for each one its
 *   store buffer, one entry for each address, which reach the memory in any order (PSO).
 * Checked: when all producers have returned, all actions are handled, each once; one consumer at a time, which sees
 *   where the one before it has stopped.
 * Cannot see: loads that read old values, and what only the C11 model allows (scripts/weakmemory.sh: `baton`); that
 *   the head segment stays mapped in the second look (`baton` there, too); threads that wakeElsewhere starts.
 *
 * config: two          -DPRODUCERS=2 -DEACH=3
 * config: three        -DPRODUCERS=3 -DEACH=1
 * broken: NO_SECOND_LOOK         two    the holder does not look at the queue after it gave the baton back
 * broken: NO_LOOK_AT_NEXT        two    the second look does not see the next segment
 * broken: GIVEN_BACK_BY_RELEASE  two    `held` is cleared by a release, and no barrier follows
 * broken: PUBLISHED_BY_RELEASE   two    the word is stored by a release, and no barrier follows
 * broken: GIVEN_BACK_RELAXED     two    the next holder may not see how far the last one came
 * broken: TAKEN_WITHOUT_EXCHANGE two    the baton is taken by a store
 */
#define TOTAL (PRODUCERS * EACH)
#define SLOTS 2

bit ready[TOTAL], held;
byte claimed, linked = 1;
byte position; /* of the consumer: plain memory, written by the holder */
byte consumers, handled[TOTAL];

/* The store buffers: a slot or a position, plus one; 0: nothing. `given`: the store of 0 to `held`. */
byte ready_of[PRODUCERS], position_of[PRODUCERS];
bit given_of[PRODUCERS];
#define DRAINED(p) (ready_of[p] == 0 && position_of[p] == 0 && !given_of[p])

proctype StoreBuffer(byte p) {
end:
    do
    :: d_step { position_of[p] > 0 -> position = position_of[p] - 1; position_of[p] = 0 }
    :: d_step { ready_of[p] > 0 && position_of[p] == 0 -> ready[ready_of[p] - 1] = 1; ready_of[p] = 0 }
#ifdef GIVEN_BACK_RELAXED
    :: d_step { given_of[p] -> held = 0; given_of[p] = 0 }
#else
    :: d_step { given_of[p] && ready_of[p] == 0 && position_of[p] == 0 -> held = 0; given_of[p] = 0 }
#endif
    od
}

/* The end of a segment, then the word. */
#define HAS_NEXT(at) (at % SLOTS != 0 || at / SLOTS < linked)
#define HAS_READY(at) (at < TOTAL && HAS_NEXT(at) && ready[at])

proctype Producer(byte me) {
    byte sent, slot, at;
    bit more, took;
    do
    :: sent == EACH -> break
    :: else ->
        d_step { DRAINED(me) -> slot = claimed; claimed++ } /* millrace_queue_claim: the fetch-add */
        if
        :: d_step { slot / SLOTS >= linked -> linked = slot / SLOTS + 1 } /* next_segment: the compare-and-swap */
        :: else
        fi;
        ready_of[me] = slot + 1; /* millrace_doorbell_publish, symmetric: the word, sequentially consistent */
#ifndef PUBLISHED_BY_RELEASE
        DRAINED(me);
#endif
        slot = 0;
        more = 1;
        do /* CallerEngine.drain */
        :: !more -> break
        :: else ->
            took = 0;
            if /* millrace_baton_try_take: the load */
            :: !held ->
#ifdef TAKEN_WITHOUT_EXCHANGE
                d_step { held = 1; took = 1 }
#else
                DRAINED(me);
                d_step { if :: !held -> held = 1; took = 1 :: else fi } /* its exchange */
#endif
            :: else
            fi;
            if
            :: !took -> more = 0
            :: else -> /* drainHolding */
                d_step { consumers++; assert(consumers == 1) }
                at = (position_of[me] > 0 -> position_of[me] - 1 : position);
                do
                :: HAS_READY(at) ->
                    d_step { handled[at]++; assert(handled[at] == 1); at++ }
                    position_of[me] = at + 1 /* millrace_queue_pop */
                :: !HAS_READY(at) -> break
                od;
                consumers--;
                /* millrace_baton_give_back: sequentially consistent */
                given_of[me] = 1;
#ifndef GIVEN_BACK_BY_RELEASE
                DRAINED(me);
#endif
#ifdef NO_SECOND_LOOK
                more = 0;
#else
                if /* millrace_queue_hand_over: the second look, at what the holder has noted before */
                :: at % SLOTS == 0 && at > 0 ->
#ifdef NO_LOOK_AT_NEXT
                    more = 0
#else
                    more = at / SLOTS < linked
#endif
                :: else ->
                    if :: at < TOTAL -> more = ready[at] :: else -> more = 0 /* unreached: TOTAL is even */ fi
                fi;
#endif
                at = 0
            fi
        od;
        atomic { more = 0; took = 0; sent++ }
    od;
    DRAINED(me)
}

init {
    byte p;
    atomic {
        do :: p < PRODUCERS -> run StoreBuffer(p); p++ :: else -> break od;
        p = 0;
        do :: p < PRODUCERS -> run Producer(p); p++ :: else -> break od
    }
    _nr_pr == PRODUCERS + 1; /* the store buffers and this process are left */
    assert(position == TOTAL && !held)
}
