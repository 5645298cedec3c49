/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_stress.h"

#include "CMillrace.h"

#include <pthread.h>
#include <time.h>

enum { WORDS = 5, MOST_READERS = 16 };

typedef struct contest {
    millrace_ring *ring;
    _Atomic bool over;
} contest;

typedef struct reader {
    pthread_t thread;
    contest *contest;
    uint64_t random;
    uint64_t accepted, refused, damaged;
} reader;

/* SplitMix64. */
static uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t word_of(uint64_t position, uint64_t index) {
    return mixed((position * WORDS + index + 1) * 0x9E3779B97F4A7C15u);
}

static void *write_entries(void *argument) {
    contest *contest = argument;
    uint64_t position = 0;
    /* relaxed: the flag orders nothing; the thread is joined. */
    while (!atomic_load_explicit(&contest->over, memory_order_relaxed)) {
        uint64_t words[WORDS];
        for (uint64_t index = 0; index < WORDS; index++) {
            words[index] = word_of(position, index);
        }
        millrace_ring_append(contest->ring, words, WORDS);
        position += 1;
    }
    return NULL;
}

static void *read_entries(void *argument) {
    reader *self = argument;
    millrace_ring *ring = self->contest->ring;
    /* relaxed: as in write_entries. */
    while (!atomic_load_explicit(&self->contest->over, memory_order_relaxed)) {
        uint64_t first;
        uint64_t end = millrace_ring_window(ring, &first);
        /* Also the position after the newest: the stamp alone must tell whether the entry is there. */
        self->random += 0x9E3779B97F4A7C15u;
        uint64_t position = first + mixed(self->random) % (end - first + 1);
        uint64_t words[WORDS];
        if (!millrace_ring_read(ring, position, words)) {
            self->refused += 1;
            continue;
        }
        self->accepted += 1;
        for (uint64_t index = 0; index < WORDS; index++) {
            if (words[index] != word_of(position, index)) {
                self->damaged += 1;
                break;
            }
        }
    }
    return NULL;
}

millrace_ring_stress_report millrace_ring_stress(uint64_t seed, unsigned readers, uint64_t capacity, double seconds) {
    millrace_ring_stress_report report = {0};
    contest contest = {0};
    if (readers > MOST_READERS || millrace_ring_create(WORDS, capacity, 0, &contest.ring) != MILLRACE_OK) {
        return report;
    }
    reader all[MOST_READERS];
    for (unsigned index = 0; index < readers; index++) {
        all[index] = (reader){.contest = &contest, .random = seed + index};
        pthread_create(&all[index].thread, NULL, read_entries, &all[index]);
    }
    pthread_t writer;
    pthread_create(&writer, NULL, write_entries, &contest);
    uint64_t start = millrace_clock_monotonic();
    struct timespec nap = {.tv_nsec = 1000000};
    while ((double)(millrace_clock_monotonic() - start) < seconds * 1e9) {
        nanosleep(&nap, NULL);
    }
    atomic_store_explicit(&contest.over, true, memory_order_relaxed);
    pthread_join(writer, NULL);
    for (unsigned index = 0; index < readers; index++) {
        pthread_join(all[index].thread, NULL);
        report.read += all[index].accepted;
        report.refused += all[index].refused;
        report.damaged += all[index].damaged;
    }
    uint64_t first;
    report.appended = millrace_ring_window(contest.ring, &first);
    millrace_ring_destroy(contest.ring);
    return report;
}
