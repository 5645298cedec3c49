// SPDX-License-Identifier: Apache-2.0
//
// Views: what a thread knows of the memory. THIS COMMENT EXPLAINS THE MODEL; the other files implement it.
//
// Memory. An atomic location is a list of messages, one for each store, in modification order; each message has a time.
// The newest message is not "the" value: a thread may read an older one as long as it has not seen a newer one.
//
// View. For each location, the time of the message that a thread has seen at least. A thread's view only grows:
//   store    adds a message later than the thread's view of that location. The message carries a view with it: that of the
//            whole thread if the store releases, else of this one location only.
//   load     picks any message at or after the thread's view of that location; an acquiring load takes over the view
//            that the message carries.
//   update   (exchange, compare-and-swap, fetch-add) reads a message and puts its own directly after it, so that nothing
//            ever comes in between; its message also carries the view of the one it read (a release sequence).
//   seq_cst  is acquire and release, and more: C11 puts all seq_cst operations in one total order S. A load may read an
//            older message than a seq_cst store put that was executed before, if the load may come before that store in S.
//            In the same way, a store may put its message before one that is newer. order.hpp has the rules.
// This is C11 with the coherence of seq_cst loads that RC11 and C++20 have, in the form of "promising semantics without
// promises".
//
// Races. A view also has a clock for each thread: how far that thread had come when the view was passed on. A plain access
// that conflicts with an access that the clocks do not put before it is a data race and fails the execution. To free a
// block counts as a plain write to all of it, so an access that is not ordered before the free is found also when it came
// early enough in this execution.
//
// Explored. Each execution is one random schedule, with random choices of the messages that loads read. Threads are
// stopped for long at random places, as a preempted thread is. Within a run anything can happen that C11 allows, stale
// reads and stores that land in the middle of the modification order included, except:
//   - a load never reads a store that is executed later (load buffering);
//   - S is divided at each fence (of membarrier, and of grace periods), and after each 256 seq_cst accesses: what was
//     executed before comes in S before what is executed after;
//   - S always agrees with happens-before. C11 says so; RC11 and C++20 ask for less;
//   - a seq_cst load does not read a message of another order that is older than the last seq_cst message before the load
//     in S. C11 would allow that; RC11, C++20 and all processors do not;
//   - a compare-and-swap does not fail without cause, which `weak` would allow;
//   - an address that was given back is not used again within the execution;
//   - what the compiler may do is what it did in this build: atomic_signal_fence is not checked.
// Nothing is exhaustive: a run that finds nothing has tried many executions, and proves nothing.
//
// Read sections and grace periods (grace.hpp). For a section and a grace period one of two holds: all that was done before
// the grace period began is seen in the section, or all that the section did is seen after the grace period.
//
// membarrier is a seq_cst fence of the caller, then one in every other thread at a moment of its own, then one of the
// caller. futex orders nothing: a protocol that needs the system call for its order is wrong here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace model {

using Time = uint64_t;

/// A vector that reads as 0 where nothing was put.
class Times {
  public:
    Time at(size_t index) const { return index < times.size() ? times[index] : 0; }

    void raise(size_t index, Time time) {
        if (times.size() <= index) {
            times.resize(index + 1, 0);
        }
        if (times[index] < time) {
            times[index] = time;
        }
    }

    void join(const Times &other) {
        if (times.size() < other.times.size()) {
            times.resize(other.times.size(), 0);
        }
        for (size_t index = 0; index < other.times.size(); index++) {
            if (times[index] < other.times[index]) {
                times[index] = other.times[index];
            }
        }
    }

    void clear() { times.clear(); }

  private:
    std::vector<Time> times;
};

constexpr int mostThreads = 8;

/// How far each thread had come.
using Clocks = std::array<uint32_t, mostThreads>;

/// Whether one of them is further than the view knows of.
inline bool isBeyond(const Clocks &clocks, const Clocks &known) {
    bool found = false;
    for (size_t index = 0; index < clocks.size(); index++) {
        found |= clocks[index] > known[index];
    }
    return found;
}

inline void joinClocks(Clocks &clocks, const Clocks &others) {
    for (size_t index = 0; index < clocks.size(); index++) {
        clocks[index] = std::max(clocks[index], others[index]);
    }
}

struct View {
    Times messages; // by location
    Clocks clocks{};

    void join(const View &other) {
        messages.join(other.messages);
        joinClocks(clocks, other.clocks);
    }

    void clear() { *this = View(); }
};

} // namespace model
