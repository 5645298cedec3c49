/* SPDX-License-Identifier: Apache-2.0
 *
 * Doorbell: a consumer that sleeps, with store buffers, with and without membarrier. D1.
 *
 * Stands for: millrace_doorbell.h, doorbell.c, the second look in queue.c (millrace_queue_has_ready,
 *   millrace_queue_advance), ThreadEngine.park, StoreCore.close. The comments name the function of each step.
 * Processes: PRODUCERS producers, which publish EACH actions each, in segments of 2 slots; one consumer; one thread
 *   that closes the store; for each producer and for the consumer its store buffer, one entry for each address, which
 *   reach the memory in any order (PSO). ASYMMETRIC: the sleeper runs membarrier for both sides.
 * Checked: the consumer takes all actions and then sees the end, and never sleeps for ever (no time limit ends its
 *   sleep here); the content of a slot is there when its word is.
 * Cannot see: loads that read old values, and what only the C11 model allows (scripts/weakmemory.sh: `doorbell`,
 *   `closing`); how a segment is linked (queue.pml). Here a link is one compare-and-swap.
 *
 * config: membarrier   -DPRODUCERS=2 -DEACH=2 -DASYMMETRIC=1
 * config: symmetric    -DPRODUCERS=2 -DEACH=2 -DASYMMETRIC=0
 * config: three        -DPRODUCERS=3 -DEACH=1 -DASYMMETRIC=1
 * config: three-plain  -DPRODUCERS=3 -DEACH=1 -DASYMMETRIC=0
 * broken: NO_MEMBARRIER          membarrier  the sleeper runs no barrier for the producers
 * broken: PUBLISHED_BY_RELEASE   symmetric   the word is stored by a release, and no barrier follows
 * broken: SLEEPING_BY_RELEASE    symmetric   `sleeping` is stored by a release, and no barrier follows
 * broken: NO_SECOND_LOOK         membarrier  the sleeper does not look at the queue again
 * broken: NO_LOOK_AT_NEXT        symmetric   the second look does not see the next segment
 * broken: NO_LOOK_AT_END         membarrier  the second look does not see that the store was closed
 * broken: WAIT_WITHOUT_COMPARE   membarrier  the futex does not compare `sleeping`
 * broken: WORD_WITHOUT_RELEASE   symmetric   the word may come before the content of its slot
 * broken: RING_WITHOUT_WAKE      membarrier  the closing thread does not wake the sleeper
 */
#define TOTAL (PRODUCERS * EACH)
#define SLOTS 2 /* of a segment */

bit content[TOTAL], ready[TOTAL];
byte claimed, linked = 1; /* slots claimed, segments linked */
bit sleeping, waiting, closed;
/* The store buffers. Of a producer: the number of a slot, plus one; 0: nothing. Of the consumer: what it stores. */
byte content_of[PRODUCERS], ready_of[PRODUCERS];
#define NO_STORE 2
byte sleeping_of_consumer = NO_STORE;

/* A full barrier, or an atomic that reads and writes: what the thread has stored before is in the memory. */
#define DRAINED(p) (content_of[p] == 0 && ready_of[p] == 0)

proctype StoreBuffer(byte p) {
end:
    do
    :: d_step { content_of[p] > 0 -> content[content_of[p] - 1] = 1; content_of[p] = 0 }
#ifdef WORD_WITHOUT_RELEASE
    :: d_step { ready_of[p] > 0 -> ready[ready_of[p] - 1] = 1; ready_of[p] = 0 }
#else
    /* A release: what was stored before is in the memory first. */
    :: d_step { ready_of[p] > 0 && content_of[p] == 0 -> ready[ready_of[p] - 1] = 1; ready_of[p] = 0 }
#endif
    od
}

proctype StoreBufferOfConsumer() {
end:
    do
    :: d_step { sleeping_of_consumer != NO_STORE -> sleeping = sleeping_of_consumer; sleeping_of_consumer = NO_STORE }
    od
}

/* millrace_doorbell_wake, by a thread whose stores are in the memory: the exchange, then futex_wake */
inline wake() {
    d_step { was = sleeping; sleeping = 0 }
    if
    :: was -> waiting = 0; was = 0
    :: else
    fi
}

proctype Producer(byte me) {
    byte sent, slot;
    bit was;
    do
    :: sent == EACH -> break
    :: else ->
        /* millrace_queue_claim: the fetch-add, which comes after the earlier stores (acq_rel) */
        d_step { DRAINED(me) -> slot = claimed; claimed++ }
        if
        :: d_step { slot / SLOTS >= linked -> linked = slot / SLOTS + 1 } /* next_segment: the compare-and-swap */
        :: else
        fi;
        content_of[me] = slot + 1; /* ActionQueue.push */
        ready_of[me] = slot + 1;   /* millrace_doorbell_publish: the word */
#if ASYMMETRIC == 0
#ifndef PUBLISHED_BY_RELEASE
        DRAINED(me);
#endif
#endif
        if /* its look at `sleeping` */
        :: sleeping ->
            DRAINED(me); /* the exchange is sequentially consistent */
            wake()
        :: else
        fi;
        atomic { sent++; slot = 0 }
    od
}

/* StoreCore.close: a bit of `mode` (in the store: of the lifecycle), then millrace_doorbell_ring */
proctype Closer() {
    bit was;
    closed = 1; /* millrace_queue_set_mode, sequentially consistent */
#ifndef RING_WITHOUT_WAKE
    if
    :: sleeping -> wake()
    :: else
    fi
#endif
}

/* Whether front would return a slot, as far as one load tells. */
#define HAS_NEXT (position % SLOTS != 0 || position / SLOTS < linked)

proctype Consumer() {
    byte position, p;
    bit is_there;
    do
    :: is_there = 0; /* millrace_queue_front: the end of a segment, then the word */
        if
        :: position < TOTAL && HAS_NEXT ->
            if :: ready[position] -> is_there = 1 :: else fi
        :: else
        fi;
        if
        :: is_there ->
            assert(content[position]);
            position++ /* millrace_queue_pop */
        :: !is_there && closed && position == TOTAL -> break /* Consumer.isToFinish; the intake has ended */
        :: !is_there && !(closed && position == TOTAL) ->
            /* millrace_doorbell_prepare: sequentially consistent, so the buffer is empty afterwards */
            sleeping_of_consumer == NO_STORE;
#ifdef SLEEPING_BY_RELEASE
            sleeping_of_consumer = 1;
#else
            sleeping = 1;
#endif
#if ASYMMETRIC == 1
#ifndef NO_MEMBARRIER
            p = 0; /* millrace_membarrier: one core after the other */
            do
            :: p < PRODUCERS ->
                atomic { /* the buffer of the core becomes empty */
                    if
                    :: content_of[p] > 0 -> content[content_of[p] - 1] = 1; content_of[p] = 0
                    :: else
                    fi;
                    if
                    :: ready_of[p] > 0 -> ready[ready_of[p] - 1] = 1; ready_of[p] = 0
                    :: else
                    fi;
                    p++
                }
            :: else -> break
            od;
            p = 0;
#endif
#endif
            is_there = 0; /* ThreadEngine.park: Consumer.hasWork, then isToFinish */
#ifndef NO_SECOND_LOOK
#ifdef NO_LOOK_AT_NEXT
            if
            :: position < TOTAL && position % SLOTS != 0 -> is_there = ready[position]
            :: else
            fi;
#else
            if
            :: position < TOTAL && HAS_NEXT -> is_there = ready[position]
            :: else
            fi;
#endif
#endif
#ifndef NO_LOOK_AT_END
            if
            :: closed && position == TOTAL -> is_there = 1
            :: else
            fi;
#endif
            if
            :: is_there -> sleeping_of_consumer = 0 /* millrace_doorbell_cancel, relaxed */
            :: else ->
                atomic { /* millrace_doorbell_wait: the futex compares and sleeps in one step */
#ifdef WAIT_WITHOUT_COMPARE
                    waiting = 1
#else
                    if :: sleeping -> waiting = 1 :: else fi
#endif
                }
                !waiting;
                sleeping = 0 /* its exchange */
            fi
        fi
    od
}

init {
    byte p;
    atomic {
        run StoreBufferOfConsumer();
        do :: p < PRODUCERS -> run StoreBuffer(p); run Producer(p); p++ :: else -> break od;
        run Closer();
        run Consumer()
    }
}
