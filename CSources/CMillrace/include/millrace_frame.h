/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: which pipelines the current thread is running, innermost first. A pipeline pushes a frame when it starts to
 * consume and pops it when it stops; a pipeline may run inside another's handler, so the frames are a stack.
 *
 * All calls: the current thread only, no atomics. A frame lives on the stack of its pusher.
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

/* True when the current thread is running any pipeline. */
static inline bool millrace_frame_runs_any(void) { return millrace_frame_innermost != NULL; }

/* True when the current thread is running the pipeline of `owner`, in whatever depth. */
static inline bool millrace_frame_runs(const void *_Nonnull owner) {
    for (const millrace_frame *frame = millrace_frame_innermost; frame; frame = frame->outer) {
        if (frame->owner == owner) {
            return true;
        }
    }
    return false;
}

#endif
