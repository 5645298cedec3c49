// SPDX-License-Identifier: Apache-2.0

#include "grace.hpp"

#include "memory.hpp"
#include "threads.hpp"
#include "trace.hpp"

#include <list>

namespace model {

namespace {

struct Callback {
    void *head;
    void (*function)(void *);
    View view; // of who handed it over
};

struct GracePeriod {
    std::vector<std::pair<int, uint64_t>> waitsFor; // thread, and the number of its section
    View gathered;                                  // what those had seen at their ends
};

View begun; // what was seen when grace periods began
View ended; // what sections had seen at their ends
std::list<GracePeriod> periods;
std::vector<Callback> handedOver;
uint64_t taken, done; // callbacks
View finished;        // what the reclaimer had seen when it finished the last one

} // namespace

void resetGracePeriods() {
    begun.clear();
    ended.clear();
    periods.clear();
    handedOver.clear();
    taken = done = 0;
    finished.clear();
}

void beginSection() {
    step();
    Thread &thread = *current();
    if (thread.sections++ == 0) {
        thread.section++;
        thread.view.join(begun);
        trace(&thread, "begins a read section");
    }
}

void endSection() {
    step();
    Thread &thread = *current();
    if (thread.sections == 0) {
        fail("a read section ends that did not begin");
    }
    if (--thread.sections > 0) {
        return;
    }
    View view = passOn(thread);
    ended.join(view);
    for (GracePeriod &period : periods) {
        auto &waits = period.waitsFor;
        for (size_t index = 0; index < waits.size(); index++) {
            if (waits[index] == std::make_pair(thread.index, thread.section)) {
                period.gathered.join(view);
                waits.erase(waits.begin() + (long)index);
                break;
            }
        }
    }
    trace(&thread, "ends its read section");
}

bool isInSection() { return current() && current()->sections > 0; }

void synchronize() {
    step();
    Thread &thread = *current();
    if (thread.sections > 0) {
        fail("waits for a grace period in a read section");
    }
    memory().fence(thread);
    begun.join(passOn(thread));
    auto period = periods.insert(periods.end(), GracePeriod());
    period->gathered = ended;
    for (Thread *other : threads()) {
        if (other->sections > 0) {
            period->waitsFor.push_back({other->index, other->section});
        }
    }
    trace(&thread, "begins a grace period");
    block("the end of read sections", [period] { return period->waitsFor.empty(); });
    thread.view.join(period->gathered);
    periods.erase(period);
    memory().fence(thread);
    trace(&thread, "ends its grace period");
}

void callLater(void *head, void (*callback)(void *)) {
    step();
    trace(current(), "hands over a callback for after a grace period");
    handedOver.push_back({head, callback, passOn(*current())});
    taken++;
}

void waitForCallbacks() {
    uint64_t goal = taken;
    block("callbacks", [goal] { return done >= goal; });
    current()->view.join(finished);
}

void runReclaimer() {
    auto othersAreDone = [] {
        for (Thread *thread : threads()) {
            if (thread != threads()[1] && !thread->isDone) {
                return false;
            }
        }
        return true;
    };
    while (true) {
        block("callbacks", [&] { return !handedOver.empty() || othersAreDone(); });
        if (handedOver.empty()) {
            return;
        }
        std::vector<Callback> batch;
        batch.swap(handedOver);
        for (Callback &callback : batch) {
            current()->view.join(callback.view);
        }
        synchronize();
        for (Callback &callback : batch) {
            callback.function(callback.head);
            done++;
            finished.join(passOn(*current()));
        }
    }
}

} // namespace model
