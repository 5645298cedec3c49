/* SPDX-License-Identifier: Apache-2.0 */

#include "CBenchLines.h"

#include "CBenchCrew.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { distance = 128, ring_lines = 8192, group = 64 };

/* Two lines apart, as processors fetch lines in pairs. */
typedef struct spaced_word {
    _Atomic uint64_t word;
    char padding[distance - sizeof(uint64_t)];
} spaced_word;

struct bench_lines {
    spaced_word words[3];
    spaced_word written, read; /* lines of the ring */
    uint64_t ring[ring_lines * 8];
};

bench_lines *bench_lines_create(void) {
    bench_lines *lines = aligned_alloc(distance, (sizeof(bench_lines) + distance - 1) / distance * distance);
    if (lines != NULL) {
        memset(lines, 0, sizeof *lines);
    }
    return lines;
}

void bench_lines_reset(bench_lines *lines) {
    for (int i = 0; i < 3; i++) {
        atomic_store(&lines->words[i].word, 0);
    }
    atomic_store(&lines->written.word, 0);
    atomic_store(&lines->read.word, 0);
}

void bench_lines_ping(bench_lines *lines, int member, uint64_t rounds) {
    _Atomic uint64_t *word = &lines->words[0].word;
    for (uint64_t round = 0; round < rounds; round++) {
        /* Member 0 writes odd numbers and waits for the next even one. acquire, release: each is ordered by the other. */
        uint64_t mine = 2 * round + (member == 0 ? 0 : 1);
        while (atomic_load_explicit(word, memory_order_acquire) != mine) {
        }
        atomic_store_explicit(word, mine + 1, memory_order_release);
    }
}

void bench_lines_add(bench_lines *lines, int line, uint64_t rounds) {
    for (uint64_t round = 0; round < rounds; round++) {
        atomic_fetch_add_explicit(&lines->words[line].word, 1, memory_order_acq_rel);
    }
}

uint64_t bench_lines_value(bench_lines *lines, int line) { return atomic_load(&lines->words[line].word); }

uint64_t bench_lines_stream(bench_lines *lines, int member, uint64_t rounds) {
    uint64_t sum = 0;
    for (uint64_t done = 0; done < rounds; done += group) {
        if (member == 0) {
            /* acquire: the reader has read the lines that are written now. */
            while (done + group - atomic_load_explicit(&lines->read.word, memory_order_acquire) > ring_lines) {
                bench_pause();
            }
            for (uint64_t i = done; i < done + group; i++) {
                uint64_t *line = &lines->ring[i % ring_lines * 8];
                for (int word = 0; word < 8; word++) {
                    line[word] = i;
                }
            }
            atomic_store_explicit(&lines->written.word, done + group, memory_order_release);
        } else {
            /* acquire: pairs with the release of the writer. */
            while (atomic_load_explicit(&lines->written.word, memory_order_acquire) < done + group) {
                bench_pause();
            }
            for (uint64_t i = done; i < done + group; i++) {
                sum += *(volatile uint64_t *)&lines->ring[i % ring_lines * 8];
            }
            atomic_store_explicit(&lines->read.word, done + group, memory_order_release);
        }
    }
    return sum;
}

void bench_lines_destroy(bench_lines *lines) { free(lines); }
