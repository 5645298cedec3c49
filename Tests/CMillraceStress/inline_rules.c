/* SPDX-License-Identifier: Apache-2.0
 *
 * C counts the lines of an inline function only where C code calls it. The names say what is checked.
 */

#include "inline_rules.h"

#include "CMillrace.h"

#include <stdlib.h>
#include <string.h>

bool millrace_stages_follow_an_action(void) {
    millrace_stage stage = {0};
    static const uint64_t slot = 7;
    uintptr_t which = 0;
    bool holds = millrace_stage_slot(&stage) == NULL && millrace_stage_glance(&stage) == 0;
    millrace_stage_begin(&stage, &slot, 41, MILLRACE_STAGE_HANDLING);
    holds = millrace_stage_number(&stage) == 41 && millrace_stage_slot(&stage) == &slot && holds;
    holds = millrace_stage_is(&stage, MILLRACE_STAGE_HANDLING) && holds;
    uintptr_t before = millrace_stage_glance(&stage);
    millrace_stage_enter(&stage, &slot, MILLRACE_STAGE_REDUCING);
    holds = millrace_stage_is(&stage, MILLRACE_STAGE_REDUCING) && millrace_stage_glance(&stage) != before && holds;
    holds = !millrace_stage_leave(&stage) && millrace_stage_inspect(&stage, &which) == NULL && holds;
    millrace_stage_release(&stage);
    millrace_stage_between(&stage, MILLRACE_STAGE_NOTIFYING);
    holds = millrace_stage_is(&stage, MILLRACE_STAGE_NOTIFYING) && millrace_stage_slot(&stage) == NULL && holds;
    millrace_stage_between(&stage, 0);
    holds = millrace_stage_glance(&stage) == 0 && millrace_stage_number(&stage) == 41 && holds;

    holds = !millrace_stage_take(&stage, MILLRACE_ATTENTION_URGENT) && holds;
    millrace_stage_ask(&stage, MILLRACE_ATTENTION_URGENT | MILLRACE_ATTENTION_ABANDON);
    millrace_stage_begin(&stage, &slot, 42, MILLRACE_STAGE_EFFECTS);
    holds = millrace_stage_leave(&stage) && holds;
    holds = millrace_stage_take(&stage, MILLRACE_ATTENTION_URGENT) && holds;
    return millrace_stage_attention(&stage) == MILLRACE_ATTENTION_ABANDON && holds;
}

bool millrace_frames_are_nested(void) {
    int outer_owner = 0, inner_owner = 0, counters = 0;
    millrace_frame outer, inner;
    bool holds = !millrace_frame_runs_any() && millrace_frame_counters() == NULL;
    millrace_frame_push(&outer, &outer_owner, &counters);
    holds = millrace_frame_runs(&outer_owner) && !millrace_frame_runs(&inner_owner) && holds;
    millrace_frame_push(&inner, &inner_owner, NULL);
    holds = millrace_frame_runs(&outer_owner) && millrace_frame_runs(&inner_owner) && holds;
    holds = millrace_frame_counters() == NULL && holds;
    millrace_frame_pop(&inner);
    holds = !millrace_frame_runs(&inner_owner) && millrace_frame_counters() == &counters && holds;
    millrace_frame_pop(&outer);
    return !millrace_frame_runs_any() && holds;
}

bool millrace_sections_are_counted(void) {
    millrace_reader *reader = millrace_lend_begin();
    bool holds = millrace_read_ongoing() && (!reader || atomic_load(&reader->depth) > 0);
    millrace_reader *nested = millrace_lend_begin();
    holds = nested == reader && (!reader || atomic_load(&reader->depth) > 1) && holds;
    millrace_lend_end(nested);
    holds = millrace_read_ongoing() && holds;
    millrace_lend_end(reader);
    holds = !millrace_read_ongoing() && (!reader || atomic_load(&reader->depth) == 0) && holds;

    millrace_reader_list list = {0};
    millrace_reader_begin_unlisted(&list);
    holds = !millrace_reader_list_is_quiet(&list) && holds;
    millrace_reader_end_unlisted(&list);
    return atomic_load(&list.unlisted) == 0 && holds;
}

bool millrace_places_have_numbers(void) {
    static const char file[] = "file", function[] = "function";
    uint64_t f = (uint64_t)(uintptr_t)file, g = (uint64_t)(uintptr_t)function;
    uint32_t first = millrace_source_number(f, g, 12), second = millrace_source_number(f, g, 13);
    const millrace_source *entry = millrace_source_at(first);
    return first != MILLRACE_NO_SOURCE && second != first && millrace_source_number(f, g, 12) == first &&
           atomic_load(&entry->file) == f && entry->function == g && entry->packed == 12;
}

bool millrace_rings_keep_entries_and_texts(void) {
    millrace_ring *ring = NULL;
    if (millrace_ring_create(2, 4, 64, &ring) != MILLRACE_OK) {
        return false;
    }
    bool holds = !millrace_ring_has_ended(ring);
    uint64_t words[2], first, bytes;
    for (uint64_t number = 0; number < 6; number++) {
        words[0] = number;
        words[1] = 10 * number;
        holds = millrace_ring_append(ring, words, number == 5 ? 1 : 2) == number && holds;
    }
    holds = millrace_ring_window(ring, &first) == 6 && first == 2 && holds;
    holds = millrace_ring_read(ring, 4, words) && words[0] == 4 && words[1] == 40 && holds;
    holds = millrace_ring_read(ring, 5, words) && words[0] == 5 && words[1] == 0 && holds;
    holds = !millrace_ring_read(ring, 1, words) && holds;

    static const char text[] = "text";
    holds = millrace_ring_known(ring, text, 4) == UINT64_MAX && holds;
    uint64_t id = millrace_ring_intern(ring, text, 4);
    millrace_ring_remember(ring, text, 4, id);
    holds = millrace_ring_known(ring, text, 4) == id && millrace_ring_known(ring, text, 3) == UINT64_MAX && holds;
    const unsigned char *records = millrace_ring_texts(ring, &bytes);
    holds = bytes == 16 && memcmp(records + 8, text, 4) == 0 && millrace_ring_texts_missed(ring) == 0 && holds;
    millrace_ring_end(ring);
    holds = millrace_ring_has_ended(ring) && holds;
    millrace_ring_destroy(ring);
    return holds;
}

bool millrace_versions_are_read(void) {
    millrace_snapshot *snapshot = NULL;
    if (millrace_snapshot_create(sizeof(uint64_t), sizeof(uint64_t), &snapshot) != MILLRACE_OK) {
        return false;
    }
    bool holds = millrace_snapshot_read(snapshot) == NULL && millrace_snapshot_waiting(snapshot) == 0;
    millrace_snapshot_node *node = millrace_snapshot_prepare(snapshot);
    if (node) {
        millrace_snapshot_publish(snapshot, node, 1);
        millrace_reader *reader = millrace_lend_begin();
        millrace_snapshot_node *latest = millrace_snapshot_read(snapshot);
        holds = latest == node && holds;
        millrace_snapshot_leave(latest);
        millrace_lend_end(reader);
    }
    millrace_snapshot_destroy(snapshot, NULL, NULL);
    return node && holds;
}

static millrace_queue *make_queue(void) {
    millrace_queue_options options = {.action_size = 8, .action_alignment = 8};
    millrace_queue *queue = NULL;
    return millrace_queue_create(options, &queue) == MILLRACE_OK ? queue : NULL;
}

bool millrace_windows_have_positions(void) {
    millrace_queue *queue = make_queue();
    if (!queue) {
        return false;
    }
    uint64_t positions[3];
    unsigned char *slots[3];
    millrace_read_begin();
    for (int index = 0; index < 3; index++) {
        slots[index] = millrace_queue_claim_one(queue, &positions[index]);
    }
    millrace_queue_publish(queue, slots[1], positions[1], MILLRACE_SLOT_MESSAGE);
    millrace_queue_publish_quietly(slots[2], positions[2], 0);
    bool holds = positions[2] == 2 && millrace_queue_claimed_hint(queue) == 3 && millrace_queue_depth_hint(queue) == 3;
    millrace_read_end();
    holds =
        !millrace_queue_has_gap(queue) && millrace_queue_is_stalled(queue) && millrace_queue_has_gap(queue) && holds;
    /* A message is not handled early, so no window opens at it. */
    holds = !millrace_queue_open_window(queue, 4) && millrace_queue_oldest_position(queue) == 0 && holds;
    holds = millrace_queue_finished(queue) == millrace_queue_passed(queue) && holds;
    millrace_queue_publish(queue, slots[0], positions[0], 0);
    for (uint64_t number = 0; number < 3; number++) {
        unsigned char *slot = millrace_queue_front(queue);
        holds = slot == slots[number] && millrace_slot_is_message(slot) == (number == 1) && holds;
        millrace_queue_pop(queue);
        holds = millrace_queue_finished(queue) == number + 1 && holds;
    }
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

bool millrace_queues_tell_their_depth(void) {
    millrace_queue *queue = make_queue();
    if (!queue) {
        return false;
    }
    bool holds = millrace_queue_mode(queue) == 0 && millrace_queue_segments(queue) == 1 &&
                 !millrace_queue_is_bloated(queue) && millrace_queue_skipped(queue) == 0;
    for (uint64_t number = 0; number < 5; number++) {
        uint64_t position = 0;
        millrace_read_begin();
        unsigned char *slot = millrace_queue_claim_one(queue, &position);
        millrace_queue_publish(queue, slot, position, 0);
        millrace_read_end();
    }
    while (millrace_queue_position(queue) < 2 && millrace_queue_front(queue)) {
        millrace_queue_pop(queue);
    }
    holds = millrace_queue_consumed(queue) == 0 && millrace_queue_depth(queue) == 5 && holds;
    millrace_queue_report_fully(queue);
    holds = millrace_queue_consumed(queue) == 2 && millrace_queue_depth(queue) == 3 && holds;
    while (millrace_queue_front(queue)) {
        millrace_queue_pop(queue);
    }
    millrace_queue_report(queue);
    holds = millrace_queue_consumed(queue) == 5 && millrace_queue_claimed(queue) == 5 && holds;
    /* Over several segments: the slow path of the claim. */
    for (uint64_t number = 5; number < 5000; number++) {
        uint64_t position = 0;
        millrace_read_begin();
        unsigned char *slot = millrace_queue_claim_one(queue, &position);
        holds = slot != NULL && position == number && holds;
        millrace_queue_publish(queue, slot, position, 0);
        millrace_read_end();
        holds = millrace_queue_front(queue) == slot && holds;
        millrace_queue_pop(queue);
    }
    holds = millrace_doorbell_wakeups(millrace_queue_bell(queue)) == 0 && millrace_queue_cuts(queue) == 0 && holds;
    holds = millrace_queue_set_mode(queue, 1) == 0 && millrace_queue_set_mode(queue, 2) == 1 && holds;
    holds = millrace_queue_mode(queue) == 3 && millrace_queue_mode_now(queue) == 3 && holds;
    holds = millrace_queue_clear_mode(queue, 1) == 3 && millrace_queue_mode(queue) == 2 && holds;
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

bool millrace_samples_are_even(void) {
    uint32_t mode = MILLRACE_MODE_STAMPING | 4u << MILLRACE_MODE_RATE_AT; /* one position of 16 */
    bool holds = !millrace_mode_measures(4u << MILLRACE_MODE_RATE_AT, 0);
    for (uint64_t step = 1; step <= 3; step++) {
        uint64_t measured = 0;
        for (uint64_t number = 0; number < 16000; number++) {
            measured += millrace_mode_measures(mode, number * step);
        }
        holds = measured >= 900 && measured <= 1100 && holds;
    }
    return holds;
}
