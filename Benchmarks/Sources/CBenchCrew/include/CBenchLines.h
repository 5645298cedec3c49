/* SPDX-License-Identifier: Apache-2.0
 *
 * What cache lines cost that two processors share. Each function is called by one or two members of a crew at a time; a
 * member is 0 or 1.
 *
 *   bench_lines_ping       both members: a word goes to and fro, `rounds` times: two transfers a round
 *   bench_lines_add        adds 1 to a word, `rounds` times: all members to one word, or each to a line of its own
 *   bench_lines_stream     member 0 writes `rounds` lines into a ring and says after every 64 lines how many there are;
 *                          member 1 reads a word of each, and says how many lines may be written again
 */
#ifndef C_BENCH_LINES_H
#define C_BENCH_LINES_H

#include <stdint.h>

typedef struct bench_lines bench_lines;

bench_lines *_Nullable bench_lines_create(void);

/* Sets all words to 0. No member may use them. */
void bench_lines_reset(bench_lines *_Nonnull lines);

void bench_lines_ping(bench_lines *_Nonnull lines, int member, uint64_t rounds);

void bench_lines_add(bench_lines *_Nonnull lines, int line, uint64_t rounds);

/* Returns the value of the word in this line. */
uint64_t bench_lines_value(bench_lines *_Nonnull lines, int line);

/* Returns the sum of the words that member 1 has read; 0 for member 0. */
uint64_t bench_lines_stream(bench_lines *_Nonnull lines, int member, uint64_t rounds);

void bench_lines_destroy(bench_lines *_Nonnull lines);

#endif
