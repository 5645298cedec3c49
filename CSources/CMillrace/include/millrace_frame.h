/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: the pipelines that the current thread runs, innermost first. A pipeline pushes a frame when it begins to
 * consume and pops it when it ends. A pipeline may run inside a handler of another one, so the frames form a stack.
 *
 * All calls concern the current thread only and use no atomics. A frame is on the call stack of the function that
 * pushes it.
 */
#ifndef MILLRACE_FRAME_H
#define MILLRACE_FRAME_H

#include "millrace_platform.h"

typedef struct millrace_frame {
    const void *_Nullable owner;
    void *_Nullable counters; /* of the pipeline that pushed the frame; its meaning is the pusher's */
    struct millrace_frame *_Nullable outer;
} millrace_frame;

/* Do not touch directly. */
extern _Thread_local millrace_frame *_Nullable millrace_frame_innermost;

static inline void millrace_frame_push(millrace_frame *_Nonnull frame, const void *_Nonnull owner,
                                       void *_Nullable counters) {
    frame->owner = owner;
    frame->counters = counters;
    frame->outer = millrace_frame_innermost;
    millrace_frame_innermost = frame;
}

static inline void millrace_frame_pop(millrace_frame *_Nonnull frame) { millrace_frame_innermost = frame->outer; }

/* The counters of the innermost pipeline that the current thread is running; null if there is none. */
static inline void *_Nullable millrace_frame_counters(void) {
    return millrace_frame_innermost ? millrace_frame_innermost->counters : NULL;
}

/* Whether the current thread runs any pipeline. */
static inline bool millrace_frame_runs_any(void) { return millrace_frame_innermost != NULL; }

/* Whether the current thread runs the pipeline of `owner`, at any depth. */
static inline bool millrace_frame_runs(const void *_Nonnull owner) {
    for (const millrace_frame *frame = millrace_frame_innermost; frame; frame = frame->outer) {
        if (frame->owner == owner) {
            return true;
        }
    }
    return false;
}

#endif
