/* SPDX-License-Identifier: Apache-2.0
 *
 * Queue: claim, publish, link, reuse of a segment without a grace period, shut and opened segments, trim. Q1 to Q5.
 *
 * Stands for: millrace_queue.h, queue.c, segment.c, ActionQueue.swift. The comments name the function of each step.
 * Processes: PRODUCERS producers, which claim EACH actions (the first one MORE than that), in claims of 1 to RUN; one
 *   consumer, which trims at most TRIMS times, at any moment between two slots. Segments have FIRST or LARGEST slots.
 * Checked: the consumer takes all actions, each once, in the order of each producer; no slot is written while it is
 *   full; no segment is touched after it went back to the system, and none is lost; the consumer never waits for ever.
 * Cannot see: reordering by the memory model (each step is one access, sequentially consistent; scripts/weakmemory.sh
 *   has the C11 model); the doorbell (doorbell.pml): the consumer here sleeps until front would return a slot; a
 *   system without memory; three threads that race to link while two spares exist (too many states: `rules` finds
 *   rejected segments that become spares at once); `consumed`, `cuts` and the depth.
 *
 * config: reuse        -DPRODUCERS=2 -DEACH=3 -DFIRST=2 -DLARGEST=2 -DTRIMS=0
 * config: trim         -DPRODUCERS=2 -DEACH=2 -DMORE=1 -DFIRST=2 -DLARGEST=3 -DTRIMS=1
 * config: runs         -DPRODUCERS=2 -DEACH=3 -DMORE=1 -DFIRST=2 -DLARGEST=3 -DTRIMS=0 -DRUN=2
 * config: three        -DPRODUCERS=3 -DEACH=1 -DMORE=2 -DFIRST=2 -DLARGEST=2 -DTRIMS=0
 * broken: NO_LOOK_AT_LINKERS    reuse   segments are reused while a producer is on the slow path
 * broken: COUNTED_TOO_LATE      reuse   a producer loads tail, then counts itself in linkers
 * broken: TAIL_NOT_PASSED       trim    the consumer does not move tail past a drained segment
 * broken: OPEN_WHEN_LINKED      reuse   a segment is linked open
 * broken: CLAIM_BEYOND          reuse   the index that equals the capacity counts as a slot
 * broken: STAMP_IS_A_BIT        reuse   the ready word does not hold the position
 * broken: BASE_NOT_ADVANCED     reuse   the base of a segment is that of the segment before it
 * broken: FREED_AT_ONCE         trim    memory goes back without a grace period
 * broken: CUT_WITHOUT_END       trim    trim takes slots out of use, and the consumer waits for them
 */
#ifndef RUN
#define RUN 1
#endif
#ifndef POOL
#define POOL 6
#endif
#define MOST_SPARES 2
#ifndef MORE
#define MORE 0
#endif
#define ALL_OF(me) (EACH + (me == 0 -> MORE : 0))
#define TOTAL (PRODUCERS * EACH + MORE)
#define STRIDE 8
#define NONE 15
#define SHUT 64 /* MILLRACE_SEGMENT_SHUT */
#define FREE 0
#define MAPPED 1
#define RETIRED 2

typedef Segment {
    byte life;
    byte readers; /* those in a read section that began before the segment was retired */
    byte capacity;
    byte base;
    byte below;
    byte next;
    byte claimed; /* an open segment counts up to its capacity: all values from there on mean "full" */
    byte ready[3];
    byte value[3];
    bit filled[3];
}

Segment seg[POOL];
byte tail, linkers, spares = NONE, rejected = NONE, spare_count, link_capacity;
byte inside; /* a bit for each producer in a read section */

#define USE(s) assert(s < POOL && seg[s].life != FREE)
#define ADD(s, count) \
    seg[s].claimed = (seg[s].claimed >= SHUT || seg[s].claimed + count < seg[s].capacity -> \
                      seg[s].claimed + count : seg[s].capacity)

#ifdef CLAIM_BEYOND
#define IS_SLOT(s, index) (index <= seg[s].capacity)
#else
#define IS_SLOT(s, index) (index < seg[s].capacity)
#endif

/* millrace_read_end, and liburcu: frees a segment when the last reader of its grace period has left. */
inline leave_section() {
    d_step {
        inside = inside & ~(1 << me);
        k = 0;
        do
        :: k < POOL ->
            if
            :: seg[k].life == RETIRED ->
                seg[k].readers = seg[k].readers & ~(1 << me);
                if :: seg[k].readers == 0 -> seg[k].life = FREE; seg[k].claimed = 0; :: else fi
            :: else
            fi
            k++
        :: else -> break
        od
        k = 0
    }
}

/* retire, after_grace_period */
inline retire(s) {
    d_step {
        assert(seg[s].life == MAPPED);
#ifdef FREED_AT_ONCE
        seg[s].readers = 0;
#else
        seg[s].readers = inside;
#endif
        seg[s].life = (seg[s].readers == 0 -> FREE : RETIRED)
    }
}

#include "queue-segments.inc"

proctype Producer(byte me) {
    byte sent, s, n, index, count, i, position, fresh, b, top, c, k;
    do
    :: sent == ALL_OF(me) -> break
    :: else ->
        if :: count = 1 :: RUN > 1 && ALL_OF(me) - sent > 1 -> count = 2 fi;
        inside = inside | (1 << me); /* millrace_read_begin */
        s = tail;                    /* millrace_queue_claim: load of tail */
        d_step { USE(s); index = seg[s].claimed; ADD(s, count) } /* its fetch-add */
        if
        :: IS_SLOT(s, index)
        :: else -> /* millrace_queue_claim_slowly */
#ifdef COUNTED_TOO_LATE
            s = tail;
            linkers++;
#else
            linkers++;
            s = tail;
#endif
            do
            :: open_segment(s);
                d_step { USE(s); index = seg[s].claimed; ADD(s, count) }
                if
                :: IS_SLOT(s, index) -> break
                :: else
                fi;
                next_segment(s, n);
                pass(s, n);
                atomic { s = n; n = 0 }
            od;
            linkers--
        fi;
        d_step {
            USE(s);
            count = (seg[s].capacity - index < count -> seg[s].capacity - index : count);
            assert(count > 0);
            position = seg[s].base + index;
            i = 0
        }
        do
        :: i < count ->
            d_step { /* ActionQueue.push: moves the action into the slot */
                USE(s);
                assert(index < 3 && !seg[s].filled[index]);
                seg[s].filled[index] = 1;
                seg[s].value[index] = me * STRIDE + sent;
                sent++
            }
            d_step { /* millrace_queue_publish, millrace_queue_publish_quietly */
                USE(s);
#ifdef STAMP_IS_A_BIT
                seg[s].ready[index] = 1;
#else
                seg[s].ready[index] = position + 1;
#endif
                index++;
                position++;
                i++
            }
        :: else -> break
        od;
        atomic { s = 0; index = 0; count = 0; i = 0; position = 0 }
        leave_section()
    od
}

#include "queue-consumer.inc"

init {
    byte p;
    d_step {
        p = 0;
        do :: p < POOL -> seg[p].next = NONE; seg[p].below = NONE; p++ :: else -> break od;
        /* millrace_queue_create: the first segment is open */
        seg[0].life = MAPPED;
        seg[0].capacity = FIRST;
        link_capacity = LARGEST;
        p = 0
    }
    atomic {
        run Consumer();
        do :: p < PRODUCERS -> run Producer(p); p++ :: else -> break od
    }
}
