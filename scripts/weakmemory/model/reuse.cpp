// SPDX-License-Identifier: Apache-2.0
//
// The rule Q2 of the queue, checked at the step that breaks it (MILLRACE_REUSE_EVENT in segment.h): when a segment becomes a
// spare, no thread that is counted in `linkers` has its address, and what the others did with it happened before. No thread
// uses a spare. The consumer is not counted.

#include "reuse.hpp"

#include "threads.hpp"

#include <map>
#include <set>

namespace model {

namespace {

std::set<const void *> spares;
std::map<const Thread *, std::set<const void *>> counted; // what each of them has
std::map<const void *, std::map<size_t, uint32_t>> left;  // for each thread that had the segment: its clock then

} // namespace

void resetReuse() {
    spares.clear();
    counted.clear();
    left.clear();
}

} // namespace model

using namespace model;

extern "C" {

void model_reuse_in(const void *) { counted[current()]; }
void model_reuse_out(const void *) {
    for (const void *segment : counted[current()]) {
        left[segment][(size_t)current()->index] = current()->clock;
    }
    counted.erase(current());
}

void model_reuse_has(const void *segment) {
    auto found = counted.find(current());
    if (found != counted.end()) {
        found->second.insert(segment);
    }
}

void model_reuse_uses(const void *segment) {
    if (spares.count(segment)) {
        fail("Q2: " + current()->name + " uses a spare");
    }
    model_reuse_has(segment);
}

void model_reuse_spare(const void *segment) {
    for (const auto &[thread, segments] : counted) {
        if (segments.count(segment)) {
            fail("Q2: a segment becomes a spare, and " + thread->name + " has its address");
        }
    }
    for (const auto &[thread, clock] : left[segment]) {
        if (current()->view.clocks[thread] < clock) {
            fail("Q2: a segment becomes a spare, and its last use by " + threads()[thread]->name +
                 " did not happen before");
        }
    }
    left.erase(segment);
    spares.insert(segment);
}

void model_reuse_taken(const void *segment) { spares.erase(segment); }
}
