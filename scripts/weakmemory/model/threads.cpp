// SPDX-License-Identifier: Apache-2.0

#include "threads.hpp"

#include "grace.hpp"
#include "memory.hpp"
#include "reuse.hpp"
#include "trace.hpp"

#include <memory>

namespace model {

namespace {

constexpr uint64_t mostSteps = 200000;
constexpr int reclaimer = 1; // its number
constexpr size_t stackBytes = 256 * 1024;

std::vector<std::unique_ptr<Thread>> owned;
std::vector<Thread *> running;
std::vector<std::unique_ptr<char[]>> stacks; // kept from one execution to the next
Thread *now = nullptr;
Thread *resting = nullptr; // called yield: somebody else first
jmp_buf scheduler;
std::string reason;
uint64_t steps = 0;
uint64_t random = 0;
uint64_t switchOdds = 2;

/// In steps of all threads.
uint64_t longStop() { return 20 + draw(draw(2) ? 150 : 900); }

void leaveToScheduler() {
    if (_setjmp(now->context) == 0) {
        _longjmp(scheduler, 1);
    }
}

void begin() {
    now->body();
    now->isDone = true;
    _longjmp(scheduler, 1);
}

void resume(Thread &thread) {
    now = &thread;
    if (_setjmp(scheduler) == 0) {
        if (thread.isStarted) {
            _longjmp(thread.context, 1);
        }
        thread.isStarted = true;
        setcontext(&thread.start);
    }
    now = nullptr;
}

std::string deadlock() {
    std::string text = "deadlock:";
    for (Thread *thread : running) {
        if (!thread->isDone && thread->waitsFor && thread->index != reclaimer) {
            text += " " + thread->name + " waits for " + thread->waitsFor + ";";
        }
    }
    return text;
}

/// Whom to run; null when nobody can.
Thread *choose() {
    std::vector<Thread *> able, awake;
    for (Thread *thread : running) {
        if (!thread->isDone && (!thread->wakes || thread->wakes())) {
            able.push_back(thread);
        }
    }
    for (Thread *thread : able) {
        if (thread->stalledUntil <= steps && thread != resting) {
            awake.push_back(thread);
        }
    }
    resting = nullptr;
    std::vector<Thread *> &from = awake.empty() ? able : awake;
    return from.empty() ? nullptr : from[draw(from.size())];
}

} // namespace

uint64_t draw(uint64_t bound) {
    uint64_t z = (random += 0x9E3779B97F4A7C15u); // SplitMix64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (z ^ z >> 31) % bound;
}

Thread *current() { return now; }
std::vector<Thread *> &threads() { return running; }
const std::string &failure() { return reason; }
uint64_t stepsTaken() { return steps; }

void fail(const std::string &why) {
    if (reason.empty()) {
        reason = why;
        trace(nullptr, "FAILED: " + why);
    }
    if (now) {
        _longjmp(scheduler, 1);
    }
}

Thread &spawn(const std::string &name, const std::function<void()> &body) {
    size_t index = owned.size();
    if (index == mostThreads) {
        fail("too many threads");
    }
    owned.push_back(std::make_unique<Thread>());
    Thread &thread = *owned.back();
    thread.index = (int)index;
    thread.name = name;
    thread.body = body;
    if (now) {
        thread.view = passOn(*now);
    }
    thread.view.clocks[index] = thread.clock;
    if (draw(2)) {
        thread.stallAt = 1 + draw(draw(2) ? 60 : 300);
        thread.stallFor = longStop();
    }
    if (stacks.size() <= index) {
        stacks.push_back(std::make_unique<char[]>(stackBytes));
    }
    getcontext(&thread.start);
    thread.start.uc_stack.ss_sp = stacks[index].get();
    thread.start.uc_stack.ss_size = stackBytes;
    thread.start.uc_link = nullptr;
    makecontext(&thread.start, begin, 0);
    running.push_back(&thread);
    return thread;
}

void step() {
    if (!now) {
        return;
    }
    now->steps++;
    if (++steps > mostSteps) {
        fail("no end after " + std::to_string(mostSteps) + " steps: somebody waits in a loop for what never comes");
    }
    if (now->steps == now->stallAt) {
        now->stalledUntil = steps + now->stallFor;
        now->stallAt = now->steps + 1 + draw(400);
        leaveToScheduler();
    } else if (draw(switchOdds) == 0) {
        leaveToScheduler();
    }
}

void linger() {
    step();
    if (now && draw(8) == 0) {
        now->stalledUntil = steps + longStop();
        leaveToScheduler();
    }
}

void yield() {
    step();
    resting = now;
    leaveToScheduler();
}

void block(const char *waitsFor, const std::function<bool()> &condition) {
    if (condition()) {
        return;
    }
    now->wakes = condition;
    now->waitsFor = waitsFor;
    leaveToScheduler();
    now->wakes = nullptr;
    now->waitsFor = nullptr;
}

View passOn(Thread &thread) {
    View view = thread.view;
    thread.view.clocks[(size_t)thread.index] = ++thread.clock;
    return view;
}

bool execute(uint64_t seed, const std::function<void()> &body) {
    random = seed;
    reason.clear();
    steps = 0;
    resting = nullptr;
    owned.clear();
    running.clear();
    switchOdds = 1 + draw(draw(2) ? 6 : 40);
    memory().reset();
    resetGracePeriods();
    resetSystem();
    resetReuse();
    spawn("main", body);
    spawn("reclaimer", [] { runReclaimer(); });
    while (reason.empty()) {
        Thread *next = choose();
        if (next) {
            resume(*next);
            continue;
        }
        for (Thread *thread : running) {
            if (!thread->isDone) {
                fail(deadlock());
                break;
            }
        }
        break;
    }
    if (reason.empty()) {
        memory().checkAllFreed();
    }
    return reason.empty();
}

} // namespace model
