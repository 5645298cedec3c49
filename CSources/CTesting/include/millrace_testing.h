/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MILLRACE_TESTING_H
#define MILLRACE_TESTING_H

#include <stdbool.h>
#include <stdint.h>

/* What a simulation must not leave to the system: work for Swift's executors, and waits on them.
 *
 * Swift's concurrency runtime lets a program look at each job before it is enqueued. The functions below do so for the
 * threads that run a simulation, and for no others. The runtime runs the jobs as ever. */

#define MILLRACE_OUTSIDE_FRAMES 48

typedef enum millrace_outside_kind {
    MILLRACE_OUTSIDE_GLOBAL = 1,  /* a job for the concurrency pool */
    MILLRACE_OUTSIDE_DELAYED = 2, /* a job for the pool after a sleep on a clock of the system */
    MILLRACE_OUTSIDE_MAIN = 3,    /* a job for the main actor */
} millrace_outside_kind;

/* The first job that the thread has given to an executor outside of the simulation. */
typedef struct millrace_outside {
    uint64_t count;
    millrace_outside_kind kind;
    int frame_count;
    void *_Nullable frames[MILLRACE_OUTSIDE_FRAMES];
} millrace_outside;

/* Begins to look at the jobs of this thread; ends it. Calls nest. */
void millrace_outside_begin(void);
void millrace_outside_end(void);

/* Takes what was seen on this thread since the last call. Returns false if nothing was. */
bool millrace_outside_take(millrace_outside *_Nonnull into);

/* Writes the addresses of the callers of this function. Returns their number. */
int millrace_frames(void *_Nullable *_Nonnull frames, int most);

/* Writes the name of the function that a frame is in, as the compiler spells it; an empty text if it is not known. */
void millrace_frame_name(const void *_Nonnull address, char *_Nonnull text, int size);

/* Writes a name of the compiler as Swift spells it; another name as it is. */
void millrace_readable_name(const char *_Nonnull name, char *_Nonnull text, int size);

/* The threads of a simulation run one at a time and hand over often. On one processor a handover takes a third of the time
 * that it takes between two. */

/* The processors that a thread may run on. */
typedef struct millrace_processors {
    uint64_t words[16];
} millrace_processors;

/* The processor that the calling thread runs on; negative if the system does not say. */
int millrace_processor(void);

/* Keeps the calling thread on one processor. Writes to `before` where it might run until now, unless that is null. Returns
 * false if the system refuses; then nothing has changed. */
bool millrace_stay_on_processor(int number, millrace_processors *_Nullable before);

/* Lets the calling thread run where it might before. */
void millrace_leave_processor(const millrace_processors *_Nonnull before);

#endif
