/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_thread.h"

#include "fault.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

struct start {
    char name[16];
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.context);
    return NULL;
}

/* Blocks signals on the calling thread, and writes its earlier mask to `before`. The kernel then gives a signal for the
 * whole process to another thread. The signals of a crash stay unblocked: with SIGSEGV blocked, for example, a SIGSEGV
 * that this thread causes would end the program without a call of the program's handler. */
static void block_asynchronous_signals(sigset_t *before) {
    sigset_t set;
    sigfillset(&set);
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t index = 0; index < sizeof synchronous / sizeof *synchronous; index++) {
        sigdelset(&set, synchronous[index]);
    }
    pthread_sigmask(SIG_SETMASK, &set, before);
}

millrace_result millrace_thread_start(const char *name, void (*body)(void *), void *context) {
    struct start *start = millrace_fault_here() ? NULL : calloc(1, sizeof *start);
    if (!start) {
        return MILLRACE_OUT_OF_MEMORY;
    }
    strncpy(start->name, name, sizeof start->name - 1);
    start->body = body;
    start->context = context;

    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t before;
    block_asynchronous_signals(&before); /* the new thread inherits the mask, so it begins with these signals blocked */
    pthread_t thread;
    int error = millrace_fault_here() ? EAGAIN : pthread_create(&thread, &attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        free(start);
        return MILLRACE_OUT_OF_MEMORY;
    }
    return MILLRACE_OK;
}

unsigned millrace_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

int32_t millrace_thread_number(void) {
#if defined(__linux__)
    return (int32_t)syscall(SYS_gettid);
#else
    return (int32_t)pthread_mach_thread_np(pthread_self());
#endif
}
