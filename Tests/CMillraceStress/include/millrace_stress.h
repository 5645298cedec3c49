/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives the queue and the ring with real threads, and checks what comes out. Used by the test suite, and by a separate
 * driver that is compiled with address checking and with delays between the steps of every protocol
 * (scripts/stress.sh).
 */
#ifndef MILLRACE_STRESS_H
#define MILLRACE_STRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct millrace_stress_plan {
    uint64_t seed;
    unsigned producers; /* threads, 1...64 */
    double seconds;     /* new rounds are started until this time has passed */
    uint64_t a_round;   /* messages that each producer sends in a round */
    bool parks;         /* the consumer sleeps on the doorbell instead of spinning */
    bool trims;         /* the consumer gives memory back at random moments */
    bool leaves_some;   /* the consumer stops early: destroy must visit the rest */
    bool windows;       /* the consumer goes on behind producers that are stopped; runs are published in order */
} millrace_stress_plan;

typedef struct millrace_stress_report {
    uint64_t rounds;
    uint64_t sent;
    uint64_t received; /* consumed, or visited by destroy */
    uint64_t visited;  /* of these, by destroy */
    uint64_t early;    /* of these, in windows */
    uint64_t lost;     /* gaps in a producer's sequence */
    uint64_t doubled;  /* a number seen again */
    uint64_t reordered;
    uint64_t damaged;       /* payload does not match its header */
    uint64_t stuck;         /* rounds given up: nothing came for seconds, though all had been sent */
    uint64_t segments_left; /* the most segments left after a round and a trim, beyond the one in use */
} millrace_stress_report;

millrace_stress_report millrace_stress(millrace_stress_plan plan);

typedef struct millrace_ring_stress_report {
    uint64_t appended;
    uint64_t read;    /* entries accepted */
    uint64_t refused; /* reads that found the entry overwritten, or not there yet */
    uint64_t damaged; /* accepted entries whose words do not fit the position */
} millrace_ring_stress_report;

/* Runs one writer, and readers of random positions in the window. */
millrace_ring_stress_report millrace_ring_stress(uint64_t seed, unsigned readers, uint64_t capacity, double seconds);

#endif
