#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Single mistakes in the C core, each of which the checker must find: read by scripts/weakmemory.sh --mutants. Weaker memory
# orders are not here: scripts/weakmemory.sh --orders makes them all.
#
# mutant NAME INVARIANT SCENARIO FILE EXPRESSION
#   INVARIANT   its row in docs/invariants.md; C for the clock
#   SCENARIO    the scenario that is to find it, or "rules": the checks of Tests/CMillraceStress/rules.c
#   EXPRESSION  of 'sed -E -z' (the file is one line to it); it must change the file

# --- The baton
mutant "hand-over without its second look" D2 baton src/queue.c \
    's/bool more = exhausted[^;]*;/bool more = false;/'
mutant "hand-over without its look at the next segment" D2 baton src/queue.c \
    's/\? atomic_load_explicit\(&head->next, memory_order_seq_cst\) != NULL/? false/'
mutant "hand-over without its read section" D2 baton src/queue.c \
    's/millrace_read_begin\(\); \/\* the next holder[^\n]*\n//; s/millrace_read_end\(\);\n    return more;/return more;/'
mutant "hand-over without its second look, by one thread" D2 rules src/queue.c \
    's/bool more = exhausted[^;]*;/bool more = false;/'

# --- The doorbell
mutant "sleeper without membarrier" D1 doorbell src/doorbell.c \
    's/if \(bell->asymmetric\b/if (false \&\& bell->asymmetric/'
mutant "no look at a next segment before sleeping" D1 doorbell src/queue.c \
    's/if \(queue->head_slot == queue->head_end && !millrace_queue_advance\(queue\)\) \{\n        return false;/if (queue->head_slot == queue->head_end) {\n        return false;/'
mutant "ring without a wake-up" D1 closing src/doorbell.c \
    's/(bell->sleeping, memory_order_seq_cst\)\) \{\n        )millrace_doorbell_wake\(bell\)/\1(void)bell/'

# --- Segments
mutant "segment freed without a grace period" Q1 queue src/segment.c \
    's/urcu_bp_call_rcu\(\(struct rcu_head \*\)\(void \*\)segment->rcu, after_grace_period\)/munmap(segment, segment->bytes)/'
mutant "recycling without a look at linkers" Q2 queue src/segment.c \
    's/&queue->linkers, memory_order_seq_cst\) != 0/\&queue->linkers, memory_order_seq_cst) > 99/'
mutant "rejected segments become spares without a second look" Q2 rules src/segment.c \
    's/millrace_segment \*segment = queue->drained;/for (millrace_segment *more = atomic_exchange_explicit(\&queue->rejected, NULL, memory_order_acquire), *below; more; more = below) { below = below_of(more); set_below(more, queue->drained); queue->drained = more; }\n    &/'
mutant "segment open when linked" Q3 queue src/segment.c \
    's/(&segment->claimed, )MILLRACE_SEGMENT_SHUT/\10/'
mutant "claim beyond the capacity" Q3 queue include/millrace_queue.h \
    's/index >= segment->capacity/index > segment->capacity/'
mutant "claim beyond the capacity, by one thread" Q3 rules include/millrace_queue.h \
    's/index >= segment->capacity/index > segment->capacity/'
mutant "slow claim beyond the capacity" Q3 queue src/queue.c \
    's/index < segment->capacity\)/index <= segment->capacity)/'
mutant "base without the capacity before it" Q5 queue src/queue.c \
    's/millrace_segment_base\(segment\) \+ segment->capacity/millrace_segment_base(segment)/'

# --- Depth
mutant "claimed() not counted in linkers" Q2 queue src/queue.c \
    's/atomic_fetch_add_explicit\(&queue->linkers, 1, memory_order_seq_cst\);\n(    MILLRACE_REUSE_EVENT\(in, queue\);\n    millrace_segment \*tail)/\1/; s/atomic_fetch_sub_explicit\(&queue->linkers, 1, memory_order_release\);\n(    millrace_read_end)/\1/'
mutant "depth reads consumed first" A1 depth src/queue.c \
    's/(uint64_t claimed = millrace_queue_claimed\(queue\);\n)( *uint64_t consumed = millrace_queue_consumed\(queue\);\n)/\2\1/'
mutant "hint of depth reads consumed first" A1 depth_hint include/millrace_queue.h \
    's/(    uint64_t claimed = millrace_queue_claimed_hint\(queue\);\n)(    \/\*[^;]*\*\/\n)(    uint64_t consumed = [^\n]*\n)/\2\3\1/'
mutant "cuts never marked" A1 depth src/queue.c \
    's/atomic_fetch_add_explicit\(&queue->cuts, 1, memory_order_re[a-z]+\);//g'
mutant "cuts never marked, by one thread" A1 rules src/queue.c \
    's/atomic_fetch_add_explicit\(&queue->cuts, 1, memory_order_re[a-z]+\);//g'

# --- Stage
mutant "stage looked at before it is cleared" E4 stage include/millrace_stage.h \
    's/(    atomic_store_explicit\(&stage->word, 0, memory_order_relaxed\);\n)(.*)return MILLRACE_UNLIKELY\(([^;]*) != 0\);/    uint32_t attention = \3;\n\1\2return attention != 0;/'
mutant "inspection without a barrier" E4 stage src/stage.c \
    's/if \(!millrace_membarrier\(\)\)/if (false)/'

# --- Snapshot, gate
mutant "snapshot returned without a grace period" S1 snapshot src/snapshot.c \
    's/urcu_bp_call_rcu\(\(struct rcu_head \*\)node->rcu, after_grace_period\)/after_grace_period((struct rcu_head *)node->rcu)/'
mutant "snapshots reclaimed beside readers" S2 snapshot src/snapshot.c \
    's/if \(are_unseen\)/if (are_unseen || true)/'
mutant "look for readers without a barrier" S2 snapshot src/readers.c \
    's/ \|\| !millrace_membarrier\(\)//'
mutant "look for readers ignores those without an entry" S2 snapshot src/readers.c \
    's/(&list->unlisted, memory_order_acquire\)) != 0/\1 == UINT64_MAX/'
mutant "look for readers misses the first one" S2 snapshot src/readers.c \
    's/entry = atomic_load_explicit\(&list->first, memory_order_acquire\); entry;/entry = atomic_load_explicit(\&list->first, memory_order_acquire); entry \&\& entry->next;/'
mutant "gate opened without a wake-up" E1 gate src/gate.c \
    's/millrace_futex_wake\(&gate->opened, INT_MAX\);//'
mutant "time that passed wraps" C gate include/millrace_clock.h \
    's/now > since \? now - since : 0/now - since/'

# --- Ring
mutant "text counted before its record" R2 ring src/ring.c \
    's/(    memcpy\(record, &bytes.*)(    ring->text_used \+= [^\n]*\n.*memory_order_release\);\n)/\2\1/'
mutant "entry written without its mark" R1 ring include/millrace_ring.h \
    's/atomic_store_explicit\(entry, stamp \| 1, memory_order_relaxed\);//'

# --- Windows
mutant "a window opened without a look at the gaps" W1 window src/window.c \
    's/while \(find_in_gaps\(queue, window, first\.stamp, &first\)\)/while (false)/'
mutant "only the oldest gap is looked at" W1 window src/window.c \
    's/index < window->gap_count && window->gaps\[index\]\.stamp < before;/index < (before > 0 \&\& window->gap_count > 0) \&\& window->gaps[index].stamp < before;/'
mutant "an action of a younger gap goes before an older one" W1 window src/window.c \
    's/while \(find_in_gaps\(queue, window, first\.stamp, &first\)\) \{/if (find_in_gaps(queue, window, first.stamp, \&first)) {/'
mutant "a slot handled in a window is not marked" W3 window src/window.c \
    's/stamp \| MILLRACE_SLOT_HANDLED/stamp/'
mutant "slots that the consumer has passed stay in a gap" W3 window src/window.c \
    's/gap->slot \+= passed \* queue->stride;\n *gap->stamp = queue->stamp;\n *gap->count -= passed;\n *window->gap_slots -= passed;/break;/'
mutant "the cursor stays in a segment that the consumer has left" W3 window src/window.c \
    's/window->stamp <= queue->stamp/window->stamp < queue->stamp/'
mutant "a window goes on beyond its end" W3 window src/queue.c \
    's/if \(queue->window\.oldest_slot\) \{\n        return false;[^\n]*\n    \}//'
mutant "a sleeper does not look behind gaps" D1 window src/window.c \
    's/(bool millrace_queue_has_ready_behind\(millrace_queue \*queue\) \{\n)/\1    return false;\n/'
mutant "a hand-over does not look for a new gap" D2 window_baton src/queue.c \
    's/: millrace_segment_has_claimed\(head, index\);/: false;/'
mutant "a hand-over does not look behind a gap" D2 window_baton src/queue.c \
    's/\|\|\n *millrace_window_has_ready\(queue, &window\);/;/'
mutant "a hand-over does not see a message at the front" D2 window_baton src/queue.c \
    's/bool more = ready >> [^|]*\|\|/bool more =/'
mutant "a hand-over goes only behind gaps that were noted" D2 window_baton src/window.c \
    's/look\(queue, copy, 1, false\)/look(queue, copy, 1, true)/'
mutant "a hand-over looks at the window of the next consumer" D2 window_baton src/queue.c \
    's/millrace_window_has_ready\(queue, &window\)/millrace_window_has_ready(queue, \&queue->window)/'
mutant "a window goes behind a message" W2 window src/window.c \
    's/if \(rest & MILLRACE_SLOT_MESSAGE\) \{\n *return 0;[^\n]*\n *\}//'
mutant "a window holds a message that was a gap" W2 window src/window.c \
    's/if \(first\.flags & MILLRACE_SLOT_MESSAGE\) \{\n *return false;\n *\}//'
mutant "a window does not end with its segment" W3 window src/window.c \
    's/count_actions\(queue, window->slot, window->stamp, most < left \? most : left\)/count_actions(queue, window->slot, window->stamp, most + 8)/'
mutant "a window does not end with its gap" W3 window src/window.c \
    's/most < first\.left \? most : first\.left/most + 8/'
