/* SPDX-License-Identifier: Apache-2.0 */
#include "millrace_testing.h"

#include <execinfo.h>
#include <pthread.h>

/* The hooks of Swift's concurrency runtime. The runtime passes the function that a hook replaces as the hook's last
 * argument. */
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*enqueue_t)(void *job);
typedef SWIFT void (*enqueue_after_t)(uint64_t delay, void *job);
typedef SWIFT void (*enqueue_at_t)(int64_t seconds, int64_t nanoseconds, int64_t tolerance, int64_t tolerance_rest,
                                   int clock, void *job);

typedef SWIFT void (*enqueue_hook_t)(void *job, enqueue_t original);
typedef SWIFT void (*enqueue_after_hook_t)(uint64_t delay, void *job, enqueue_after_t original);
typedef SWIFT void (*enqueue_at_hook_t)(int64_t seconds, int64_t nanoseconds, int64_t tolerance, int64_t tolerance_rest,
                                        int clock, void *job, enqueue_at_t original);

extern enqueue_hook_t swift_task_enqueueGlobal_hook;
extern enqueue_after_hook_t swift_task_enqueueGlobalWithDelay_hook;
extern enqueue_at_hook_t swift_task_enqueueGlobalWithDeadline_hook;
extern enqueue_hook_t swift_task_enqueueMainExecutor_hook;

static enqueue_hook_t earlier_global, earlier_main;
static enqueue_after_hook_t earlier_after;
static enqueue_at_hook_t earlier_at;

static _Thread_local int depth;
static _Thread_local millrace_outside seen;

static void note(millrace_outside_kind kind) {
    if (depth == 0) {
        return;
    }
    if (seen.count == 0) {
        seen.kind = kind;
        seen.frame_count = backtrace(seen.frames, MILLRACE_OUTSIDE_FRAMES);
    }
    seen.count += 1;
}

static SWIFT void see_global(void *job, enqueue_t original) {
    note(MILLRACE_OUTSIDE_GLOBAL);
    if (earlier_global) {
        earlier_global(job, original);
    } else {
        original(job);
    }
}

static SWIFT void see_main(void *job, enqueue_t original) {
    note(MILLRACE_OUTSIDE_MAIN);
    if (earlier_main) {
        earlier_main(job, original);
    } else {
        original(job);
    }
}

static SWIFT void see_after(uint64_t delay, void *job, enqueue_after_t original) {
    note(MILLRACE_OUTSIDE_DELAYED);
    if (earlier_after) {
        earlier_after(delay, job, original);
    } else {
        original(delay, job);
    }
}

static SWIFT void see_at(int64_t seconds, int64_t nanoseconds, int64_t tolerance, int64_t tolerance_rest, int clock,
                         void *job, enqueue_at_t original) {
    note(MILLRACE_OUTSIDE_DELAYED);
    if (earlier_at) {
        earlier_at(seconds, nanoseconds, tolerance, tolerance_rest, clock, job, original);
    } else {
        original(seconds, nanoseconds, tolerance, tolerance_rest, clock, job);
    }
}

static void install(void) {
    earlier_global = swift_task_enqueueGlobal_hook;
    earlier_main = swift_task_enqueueMainExecutor_hook;
    earlier_after = swift_task_enqueueGlobalWithDelay_hook;
    earlier_at = swift_task_enqueueGlobalWithDeadline_hook;
    swift_task_enqueueGlobal_hook = see_global;
    swift_task_enqueueMainExecutor_hook = see_main;
    swift_task_enqueueGlobalWithDelay_hook = see_after;
    swift_task_enqueueGlobalWithDeadline_hook = see_at;
}

void millrace_outside_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    depth += 1;
}

void millrace_outside_end(void) { depth -= 1; }

bool millrace_outside_take(millrace_outside *into) {
    if (seen.count == 0) {
        return false;
    }
    *into = seen;
    seen.count = 0;
    return true;
}

int millrace_frames(void **frames, int most) { return backtrace(frames, most); }
