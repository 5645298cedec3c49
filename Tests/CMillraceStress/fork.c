/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_fork.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int millrace_fork_run(void (*body)(void *), void *context, char *message, size_t room) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        /* The default actions: a handler of the parent may need a thread that is not here. */
        static const int fatal[] = {SIGALRM, SIGILL, SIGTRAP, SIGABRT, SIGSEGV};
        for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) {
            signal(fatal[index], SIG_DFL);
        }
        /* A thread of libdispatch blocks all signals. */
        sigset_t alarms;
        sigemptyset(&alarms);
        sigaddset(&alarms, SIGALRM);
        sigprocmask(SIG_UNBLOCK, &alarms, NULL);
        dup2(ends[1], STDERR_FILENO);
        alarm(20);
        body(context);
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t count;
    while (child > 0 && used + 1 < room && (count = read(ends[0], message + used, room - used - 1)) > 0) {
        used += (size_t)count;
    }
    message[used] = 0;
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return -1;
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
