/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: the pipelines that the current thread runs, innermost first. A pipeline pushes a frame when it begins to
 * consume, and pops the frame when it stops. A pipeline may run inside a handler of another one: so the frames are a
 * stack.
 *
 * All calls concern the current thread only and use no atomics. A frame is on the call stack of the function that
 * pushes it.
 */
#ifndef MILLRACE_FRAME_H
#define MILLRACE_FRAME_H

#include "millrace_platform.h"

typedef struct millrace_frame {
    const void *_Nullable owner; /* the identity of the pipeline that pushed the frame */
    void *_Nullable counters;    /* of that pipeline; only the code that pushes and reads them knows their type */
    struct millrace_frame *_Nullable outer;
} millrace_frame;

/* The innermost frame; null if there is none. For the functions below only. */
extern _Thread_local millrace_frame *_Nullable millrace_frame_innermost;

/* Makes `frame` the innermost one. It must stay at its address until it is popped. */
static inline void millrace_frame_push(millrace_frame *_Nonnull frame, const void *_Nonnull owner,
                                       void *_Nullable counters) {
    frame->owner = owner;
    frame->counters = counters;
    frame->outer = millrace_frame_innermost;
    millrace_frame_innermost = frame;
}

/* Removes `frame`, which must be the innermost one. */
static inline void millrace_frame_pop(millrace_frame *_Nonnull frame) { millrace_frame_innermost = frame->outer; }

/* The counters of the innermost pipeline that the current thread is running; null if there is none. */
static inline void *_Nullable millrace_frame_counters(void) {
    return millrace_frame_innermost ? millrace_frame_innermost->counters : NULL;
}

/* Whether the current thread runs any pipeline. */
static inline bool millrace_frame_runs_any(void) { return millrace_frame_innermost != NULL; }

/* Whether the current thread runs the pipeline with this identity, as the innermost one or further out. */
static inline bool millrace_frame_runs(const void *_Nonnull owner) {
    for (const millrace_frame *frame = millrace_frame_innermost; frame; frame = frame->outer) {
        if (frame->owner == owner) {
            return true;
        }
    }
    return false;
}

#endif
