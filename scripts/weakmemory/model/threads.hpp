// SPDX-License-Identifier: Apache-2.0
//
// The threads of an execution: coroutines on one thread of the system, switched at random by a scheduler.
#pragma once

#include "view.hpp"

#include <csetjmp>
#include <functional>
#include <string>
#include <ucontext.h>

namespace model {

struct Thread {
    int index = 0;
    std::string name;
    std::function<void()> body;
    View view;
    uint32_t clock = 1;

    int sections = 0;     // how deep in read sections
    uint64_t section = 0; // how many it has been in

    bool isStarted = false, isDone = false;
    std::function<bool()> wakes; // blocked until this is true
    const char *waitsFor = nullptr;

    uint64_t steps = 0, stallAt = 0, stallFor = 0; // its own steps; when it stops, and for how many of all steps
    uint64_t stalledUntil = 0;

    ucontext_t start;
    jmp_buf context;
};

/// Runs `body` as thread 0 ("main") until every thread has ended. False: `failure()` says why.
bool execute(uint64_t seed, const std::function<void()> &body);
const std::string &failure();
uint64_t stepsTaken();

/// Ends the execution. Does not return when called from a thread.
void fail(const std::string &why);

/// The thread that runs; null between executions.
Thread *current();
std::vector<Thread *> &threads();
Thread &spawn(const std::string &name, const std::function<void()> &body);

/// Before every operation that others can notice: here the scheduler may switch.
void step();
/// Between two steps of a protocol (MILLRACE_INTERLEAVE): now and then the thread is stopped for long.
void linger();
/// The thread has nothing to do: another one runs first, if there is one.
void yield();
/// Until `condition`, of which the scheduler asks again and again.
void block(const char *waitsFor, const std::function<bool()> &condition);

/// Passes the thread's view on: what the thread does afterwards is not covered by it.
View passOn(Thread &thread);

/// Forgets who sleeps in a system call (system.cpp).
void resetSystem();

/// The random numbers of this execution: 0 ..< bound.
uint64_t draw(uint64_t bound);

} // namespace model
