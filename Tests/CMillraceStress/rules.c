/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_rules.h"

#include "CMillrace.h"
#include "inline_rules.h"

#include <sys/mman.h>

enum { SEGMENT = 16 * 1024 };

static void *map_zeroed(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static millrace_queue *make(size_t largest, millrace_map_function map) {
    millrace_queue_options options = {.action_size = sizeof(uint64_t),
                                      .action_alignment = sizeof(uint64_t),
                                      .first_bytes = SEGMENT,
                                      .largest_bytes = largest,
                                      .map = map};
    millrace_queue *queue = NULL;
    return millrace_queue_create(options, &queue) == MILLRACE_OK ? queue : NULL;
}

/* Claims and publishes one message. Returns false unless the claim is one slot inside its segment. */
static bool push(millrace_queue *queue) {
    millrace_read_begin();
    millrace_claim claim = {0};
    bool isGood = millrace_queue_claim(queue, 1, &claim) == MILLRACE_OK && claim.count == 1;
    if (isGood) {
        millrace_queue_publish(queue, claim.slot, claim.position, 0);
    }
    millrace_read_end();
    return isGood;
}

static uint64_t pop_all(millrace_queue *queue) {
    uint64_t count = 0;
    while (millrace_queue_front(queue)) {
        millrace_queue_pop(queue);
        count += 1;
    }
    return count;
}

static bool claims_stay_inside(void) {
    millrace_queue *queue = make(SEGMENT, NULL);
    uint64_t messages = 3 * queue->head->capacity;
    bool holds = true;
    for (uint64_t message = 0; message < messages; message++) {
        holds = push(queue) && holds;
    }
    holds = pop_all(queue) == messages && holds;
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

static bool hand_over_looks_again(void) {
    millrace_queue *queue = make(SEGMENT, NULL);
    millrace_baton baton = {0};
    bool holds = millrace_baton_try_take(&baton) && push(queue) && millrace_queue_hand_over(queue, &baton);
    holds = holds && millrace_baton_try_take(&baton) && pop_all(queue) == 1 && !millrace_queue_hand_over(queue, &baton);
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

/* The same for a consumer that has used up its segment: the new slot is in the next one. */
static bool hand_over_looks_at_the_next_segment(void) {
    millrace_queue *queue = make(SEGMENT, NULL);
    millrace_baton baton = {0};
    uint64_t capacity = queue->head->capacity;
    for (uint64_t message = 0; message < capacity; message++) {
        push(queue);
    }
    bool holds = millrace_baton_try_take(&baton) && pop_all(queue) == capacity && push(queue);
    holds = holds && millrace_queue_hand_over(queue, &baton);
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

static millrace_queue *rejecting;

/* Stands for another producer: links a segment while the first producer waits for the memory of its own. */
static void *map_while_another_links(size_t bytes) {
    millrace_queue *queue = rejecting;
    rejecting = NULL;
    if (queue) {
        push(queue);
    }
    return map_zeroed(bytes);
}

/* The producer that obtained a rejected segment may have counted itself in after the consumer's last look at `linkers`.
 * So the consumer takes the segment, and only its next look makes it a spare. */
static bool rejected_segments_wait(void) {
    millrace_queue *queue = make(SEGMENT, map_while_another_links);
    uint64_t capacity = queue->head->capacity;
    for (uint64_t message = 0; message < capacity; message++) {
        push(queue);
    }
    rejecting = queue;
    push(queue);
    bool holds = rejecting == NULL && millrace_queue_segments(queue) == 3;
    /* The first segment is used up: it becomes a spare at once, and the rejected one waits. */
    holds = pop_all(queue) == capacity + 2 && queue->drained != NULL && holds;
    /* Then the second one is used up: now the rejected one becomes a spare with it. */
    while (queue->head_slot != queue->head_end) {
        holds = push(queue) && pop_all(queue) == 1 && holds;
    }
    holds = push(queue) && pop_all(queue) == 1 && queue->drained == NULL && holds;
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

static bool trims_mark_their_cut(void) {
    millrace_queue *queue = make(4 * SEGMENT, NULL);
    while (queue->head->bytes == SEGMENT) { /* until the head is a large segment */
        push(queue);
        pop_all(queue);
    }
    uint64_t before = millrace_queue_cuts(queue), skipped = millrace_queue_skipped(queue);
    millrace_queue_trim(queue);
    bool holds = millrace_queue_skipped(queue) > skipped && millrace_queue_cuts(queue) == before + 2;
    millrace_queue_destroy(queue, NULL, NULL);
    return holds;
}

static bool time_never_passes_backwards(void) {
    return millrace_clock_passed(1000, 960) == 0 && millrace_clock_passed(1000, 1000) == 0 &&
           millrace_clock_passed(1000, 1040) == 40 && millrace_clock_passed(0, UINT64_MAX) == UINT64_MAX;
}

static const struct {
    const char *name;
    bool (*holds)(void);
} rules[] = {
    {"a claim is at least one slot, and ends with its segment", claims_stay_inside},
    {"who gives the baton back looks at the queue again", hand_over_looks_again},
    {"who gives the baton back looks at the next segment", hand_over_looks_at_the_next_segment},
    {"a rejected segment waits for another look at linkers", rejected_segments_wait},
    {"a trim marks the positions that it takes out of use", trims_mark_their_cut},
    {"time never passes backwards", time_never_passes_backwards},
    {"the stage shows the slot, the number and the stage of an action", millrace_stages_follow_an_action},
    {"frames are nested, and the innermost one has the counters", millrace_frames_are_nested},
    {"read sections are counted", millrace_sections_are_counted},
    {"each place in a program has one number", millrace_places_have_numbers},
    {"a ring keeps its last entries, and its texts", millrace_rings_keep_entries_and_texts},
    {"a reader finds the latest version", millrace_versions_are_read},
    {"a gap leaves the oldest position as it is, and a message behind it waits", millrace_windows_have_positions},
    {"a queue tells its depth, its consumer's progress and its mode", millrace_queues_tell_their_depth},
    {"of positions at any distance one in 16 is measured", millrace_samples_are_even},
};

unsigned millrace_rule_count(void) { return sizeof rules / sizeof *rules; }

const char *millrace_rule_name(unsigned rule) { return rules[rule].name; }

bool millrace_rule_holds(unsigned rule) { return rules[rule].holds(); }
