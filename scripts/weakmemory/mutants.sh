#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Single mistakes in the C core, each of which the checker must find: read by scripts/weakmemory.sh --mutants.
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
mutant "baton given back by a release" D2 baton include/millrace_baton.h \
    's/(held, 0, )memory_order_seq_cst/\1memory_order_release/'
mutant "baton looked at by an acquire" D2 baton include/millrace_baton.h \
    's/(atomic_load_explicit\(&baton->held, )memory_order_seq_cst/\1memory_order_acquire/'
mutant "baton taken without an acquire" E1 baton include/millrace_baton.h \
    's/&expected, 1, memory_order_seq_cst/\&expected, 1, memory_order_relaxed/'
mutant "hand-over without its second look, by one thread" D2 rules src/queue.c \
    's/bool more = exhausted[^;]*;/bool more = false;/'

# --- The doorbell
mutant "symmetric publication by a release" D1 doorbell include/millrace_doorbell.h \
    's/(word, value, )memory_order_seq_cst/\1memory_order_release/'
mutant "symmetric look at sleeping by an acquire" D1 doorbell include/millrace_doorbell.h \
    's/(sleeping = atomic_load_explicit\(&bell->sleeping, )memory_order_seq_cst/\1memory_order_acquire/'
mutant "sleeper without membarrier" D1 doorbell src/doorbell.c \
    's/if \(bell->asymmetric\b/if (false \&\& bell->asymmetric/'
mutant "sleeping set by a release" D1 doorbell src/doorbell.c \
    's/(sleeping, 1, )memory_order_seq_cst/\1memory_order_release/'
mutant "second look by an acquire" D1 doorbell src/queue.c \
    's/(head_slot\)->ready, )memory_order_seq_cst(\);\n    return ready)/\1memory_order_acquire\2/'
mutant "no look at a next segment before sleeping" D1 doorbell src/queue.c \
    's/if \(queue->head_slot == queue->head_end && !millrace_queue_advance\(queue\)\) \{\n        return false;/if (queue->head_slot == queue->head_end) {\n        return false;/'
mutant "segment linked by a release" D1 doorbell src/queue.c \
    's/(&segment->next, &next, fresh, )memory_order_seq_cst/\1memory_order_release/'
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
mutant "segment opened without a release" Q3 segments src/queue.c \
    's/&claimed, 0, memory_order_acq_rel/\&claimed, 0, memory_order_relaxed/'
mutant "claim beyond the capacity" Q3 queue include/millrace_queue.h \
    's/index >= segment->capacity/index > segment->capacity/'
mutant "claim beyond the capacity, by one thread" Q3 rules include/millrace_queue.h \
    's/index >= segment->capacity/index > segment->capacity/'
mutant "slow claim beyond the capacity" Q3 queue src/queue.c \
    's/index < segment->capacity\)/index <= segment->capacity)/'
mutant "base without the capacity before it" Q5 queue src/queue.c \
    's/millrace_segment_base\(segment\) \+ segment->capacity/millrace_segment_base(segment)/'
mutant "slot read before its stamp" Q4 queue include/millrace_queue.h \
    's/(queue->head_slot\)->ready, )memory_order_acquire/\1memory_order_relaxed/'
mutant "spare taken without an acquire" Q2 queue src/segment.c \
    's/(spares, memory_order_)acquire(\);\n    while \(top)/\1relaxed\2/; s/below_of\(top\), memory_order_acquire,\n *memory_order_acquire/below_of(top), memory_order_relaxed, memory_order_relaxed/'

# --- Depth
mutant "claimed() not counted in linkers" A1 depth src/queue.c \
    's/atomic_fetch_add_explicit\(&queue->linkers, 1, memory_order_seq_cst\);\n(    millrace_segment \*tail)/\1/; s/atomic_fetch_sub_explicit\(&queue->linkers, 1, memory_order_release\);\n(    millrace_read_end)/\1/'
mutant "depth reads consumed first" A1 depth src/queue.c \
    's/(uint64_t claimed = millrace_queue_claimed\(queue\);\n)( *uint64_t consumed = millrace_queue_consumed\(queue\);\n)/\2\1/'
mutant "hint of depth reads consumed first" A1 depth_hint include/millrace_queue.h \
    's/(    uint64_t claimed = millrace_queue_claimed_hint\(queue\);\n)(    \/\*[^;]*\*\/\n)(    uint64_t consumed = [^\n]*\n)/\2\3\1/'
mutant "cuts never marked" A1 depth src/queue.c \
    's/atomic_fetch_add_explicit\(&queue->cuts, 1, memory_order_seq_cst\);//g'
mutant "cuts never marked, by one thread" A1 rules src/queue.c \
    's/atomic_fetch_add_explicit\(&queue->cuts, 1, memory_order_seq_cst\);//g'
mutant "claim without a release" A1 depth_hint include/millrace_queue.h \
    's/(&segment->claimed, count, )memory_order_acq_rel/\1memory_order_acquire/'

# --- Stage
mutant "stage looked at before it is cleared" E4 stage include/millrace_stage.h \
    's/(    atomic_store_explicit\(&stage->word, 0, memory_order_release\);\n)(.*)return MILLRACE_UNLIKELY\(([^;]*) != 0\);/    uint32_t attention = \3;\n\1\2return attention != 0;/'
mutant "inspector that released not waited for" E4 stage include/millrace_stage.h \
    's/(MILLRACE_UNLIKELY\(atomic_load_explicit\(&stage->attention, )memory_order_acquire/\1memory_order_relaxed/'
mutant "inspection without a barrier" E4 stage src/stage.c \
    's/if \(!millrace_membarrier\(\)\)/if (false)/'
mutant "slot inspected before its content" E4 stage src/stage.c \
    's/(&stage->word, )memory_order_acquire/\1memory_order_relaxed/'

# --- Snapshot, gate
mutant "snapshot returned without a grace period" S1 snapshot src/snapshot.c \
    's/urcu_bp_call_rcu\(\(struct rcu_head \*\)node->rcu, after_grace_period\)/after_grace_period((struct rcu_head *)node->rcu)/'
mutant "snapshots reclaimed beside readers" S2 snapshot src/snapshot.c \
    's/if \(are_unseen\)/if (are_unseen || true)/'
mutant "look for readers without a barrier" S2 snapshot src/readers.c \
    's/ \|\| !millrace_membarrier\(\)//'
mutant "look for readers ignores those without an entry" S2 snapshot src/readers.c \
    's/(&list->unlisted, memory_order_acquire\)) != 0/\1 == UINT64_MAX/'
mutant "section without an entry ended by a relaxed count" S2 snapshot include/millrace_read_section.h \
    's/(&list->unlisted, 1, )memory_order_release/\1memory_order_relaxed/'
mutant "sections without an entry counted without an acquire" S2 snapshot src/readers.c \
    's/(&list->unlisted, )memory_order_acquire/\1memory_order_relaxed/'
mutant "look for readers misses the first one" S2 snapshot src/readers.c \
    's/entry = atomic_load_explicit\(&list->first, memory_order_acquire\); entry;/entry = atomic_load_explicit(\&list->first, memory_order_acquire); entry \&\& entry->next;/'
mutant "section ended by a relaxed count" S2 snapshot include/millrace_read_section.h \
    's/(&reader->depth, depth - 1, )memory_order_release/\1memory_order_relaxed/'
mutant "sections looked at without an acquire" S2 snapshot src/readers.c \
    's/(&entry->depth, )memory_order_acquire/\1memory_order_relaxed/'
mutant "reader listed by a relaxed exchange" S2 snapshot src/readers.c \
    's/(&reader->next, reader, )memory_order_release/\1memory_order_relaxed/'
mutant "list of readers loaded without an acquire" S2 snapshot src/readers.c \
    's/(entry = atomic_load_explicit\(&list->first, )memory_order_acquire/\1memory_order_relaxed/'
mutant "snapshot read before its content" S1 snapshot include/millrace_snapshot.h \
    's/(&snapshot->current, )memory_order_acquire/\1memory_order_relaxed/'
mutant "node reclaimed without an acquire" S1 snapshot src/snapshot.c \
    's/(returned, memory_order_)acquire(\);\n    while \(top)/\1relaxed\2/; s/top->below, memory_order_acquire,\n *memory_order_acquire/top->below, memory_order_relaxed, memory_order_relaxed/'
mutant "gate opened without a release" E1 gate src/gate.c \
    's/(opened, 1, )memory_order_release/\1memory_order_relaxed/'
mutant "gate opened without a wake-up" E1 gate src/gate.c \
    's/millrace_futex_wake\(&gate->opened, INT_MAX\);//'
mutant "time that passed wraps" C gate include/millrace_clock.h \
    's/now > since \? now - since : 0/now - since/'

# --- Ring
mutant "text counted before its record" R2 ring src/ring.c \
    's/(    memcpy\(record, &bytes.*)(    ring->text_used \+= [^\n]*\n.*memory_order_release\);\n)/\2\1/'
mutant "text read before its number" R2 ring include/millrace_ring.h \
    's/(&ring->header->text_used, )memory_order_acquire/\1memory_order_relaxed/'
mutant "entry written without its mark" R1 ring include/millrace_ring.h \
    's/atomic_store_explicit\(entry, stamp \| 1, memory_order_relaxed\);//'
mutant "word written before the mark" R1 ring include/millrace_ring.h \
    's/(entry \+ 1 \+ index, words\[index\], )memory_order_release/\1memory_order_relaxed/'
mutant "word read after the second look" R1 ring src/ring.c \
    's/(entry \+ 1 \+ index, )memory_order_acquire/\1memory_order_relaxed/'
mutant "entry published before its words" R1 ring include/millrace_ring.h \
    's/(atomic_store_explicit\(entry, stamp, )memory_order_release/\1memory_order_relaxed/'

# --- Urgent actions
mutant "mark of urgent actions cleared without an acquire" U1 urgent include/millrace_stage.h \
    's/(attention, ~bit, )memory_order_seq_cst/\1memory_order_relaxed/'
mutant "mark of urgent actions set without order" U1 urgent include/millrace_stage.h \
    's/(atomic_fetch_or_explicit\(&stage->attention, bit, )memory_order_seq_cst/\1memory_order_relaxed/'
