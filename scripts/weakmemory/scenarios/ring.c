/* SPDX-License-Identifier: Apache-2.0
 *
 * The ring of the flight recorder: one writer, and readers. A reader must never accept a torn entry, and must find the
 * text of every id in an entry that it has read.
 */
#include "shared.h"

#include <string.h>

enum { WORDS = 2 };

typedef struct part {
    millrace_ring *ring;
    uint64_t entries;
} part;

/* Every third entry has one word; the other one is 0 then. */
static uint64_t words_of(uint64_t position) { return position % 3 == 2 ? 1 : WORDS; }

static uint64_t first_word(uint64_t position) { return position * 5 + 1; }

static void write_entries(void *argument) {
    const part *part = argument;
    uint64_t id = 0;
    for (uint64_t position = 0; position < part->entries; position++) {
        if (position % 2 == 0) {
            id = millrace_ring_intern(part->ring, "text", 4);
            check_that(id != 0, "no room for a text");
        }
        uint64_t words[WORDS] = {first_word(position), id};
        millrace_ring_append(part->ring, words, words_of(position));
    }
}

static uint64_t count_texts(const millrace_ring *ring) {
    uint64_t bytes, count = 0;
    const unsigned char *texts = millrace_ring_texts(ring, &bytes);
    for (uint64_t at = 0; at < bytes; count++) {
        uint64_t length;
        memcpy(&length, texts + at, sizeof length);
        check_that(length == 4, "a text of %d bytes", (int)length);
        char text[4];
        memcpy(text, texts + at + sizeof length, sizeof text);
        check_that(memcmp(text, "text", 4) == 0, "a text that nobody wrote");
        at += sizeof length + 8;
    }
    return count;
}

static void read_entries(void *argument) {
    const part *part = argument;
    for (unsigned look = 0; look < 4; look++) {
        uint64_t first, greatest = 0;
        uint64_t end = millrace_ring_window(part->ring, &first);
        /* One position more: the stamp alone tells whether an entry is there. */
        for (uint64_t position = end + 1; position-- > first;) {
            uint64_t words[WORDS];
            if (millrace_ring_read(part->ring, position, words)) {
                uint64_t second = words_of(position) == 1 ? 0 : position / 2 + 1;
                check_that(words[0] == first_word(position) && words[1] == second, "a torn entry at %d", (int)position);
                greatest = words[1] > greatest ? words[1] : greatest;
            }
            uint64_t stamp =
                atomic_load_explicit(&part->ring->entries[(position & 1) * part->ring->stride], memory_order_relaxed);
            check_that(position == end || stamp >= (position + 1) << 1, "entry %d is counted, and not there",
                       (int)position);
        }
        check_that(count_texts(part->ring) >= greatest, "an entry names a text that is not there");
    }
}

static void write_and_end(void *argument) {
    const part *part = argument;
    write_entries(argument);
    millrace_ring_end(part->ring);
}

/* As another process does that has mapped the file. */
static void wait_for_end(void *argument) {
    const part *part = argument;
    const millrace_ring_header *header = part->ring->header;
    while (!atomic_load_explicit(&header->ended, memory_order_acquire)) {
        check_yield();
    }
    uint64_t next = atomic_load_explicit(&header->next, memory_order_relaxed);
    check_that(next == part->entries, "%d entries at the end, and %d are counted", (int)part->entries, (int)next);
}

void scenario_ring_end(void) {
    part *part = calloc(1, sizeof *part);
    check_that(millrace_ring_create(WORDS, 2, 256, &part->ring) == MILLRACE_OK, "no ring");
    part->entries = 1 + check_random(3);
    check_spawn("writer", write_and_end, part);
    check_spawn("reader", wait_for_end, part);
    check_join();
    millrace_ring_destroy(part->ring);
    free(part);
}

void scenario_ring(void) {
    millrace_ring *ring = NULL;
    check_that(millrace_ring_create(WORDS, 2, 256, &ring) == MILLRACE_OK, "no ring");
    part *part = calloc(1, sizeof *part);
    part->ring = ring;
    part->entries = 4 + check_random(6);
    check_spawn("writer", write_entries, part);
    check_spawn("reader 0", read_entries, part);
    check_spawn("reader 1", read_entries, part);
    check_join();
    millrace_ring_destroy(ring);
    free(part);
}
