// SPDX-License-Identifier: Apache-2.0
//
// The operations on atomic locations. Rules: view.hpp.

#include "memory.hpp"

#include "trace.hpp"

#include <cstring>

namespace model {

namespace {

constexpr Time spacing = (Time)1 << 24; // between two messages, so that others fit in between

uint64_t cut(uint64_t value, unsigned size) { return size == 8 ? value : value & (((uint64_t)1 << 8 * size) - 1); }

uint64_t result(Update kind, uint64_t old, uint64_t operand) {
    switch (kind) {
    case Update::exchange:
        return operand;
    case Update::add:
        return old + operand;
    case Update::subtract:
        return old - operand;
    case Update::conjunction:
        return old & operand;
    case Update::disjunction:
        return old | operand;
    case Update::difference:
        return old ^ operand;
    }
    return old;
}

uint64_t inMemory(const void *address, unsigned size) {
    uint64_t value = 0;
    memcpy(&value, address, size);
    return value;
}

const char *nameOf(Order order) {
    static const char *const names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
    return names[(int)order];
}

} // namespace

/// The location's number; its messages begin with what memory holds when a plain write has been there since.
uint32_t Memory::location(const void *address, unsigned size) {
    Granule *first = granule(address);
    if (first->location == 0) {
        first->location = (uint32_t)locations.size();
        locations.emplace_back();
        first->isOverwritten = true;
    }
    std::vector<Message> &messages = locations[first->location];
    if (first->isOverwritten) {
        first->isOverwritten = false;
        Time time = messages.empty() ? spacing : messages.back().time + spacing;
        messages.clear();
        messages.push_back({time, inMemory(address, size), View(), false});
    }
    return first->location;
}

/// The thread reads nothing older than this.
Time Memory::earliest(uint32_t location, Order order) const {
    Time seen = current()->view.messages.at(location);
    Time fixed = order == Order::sequential ? sequential.at(location) : 0;
    return seen > fixed ? seen : fixed;
}

/// Which message is read: mostly the newest. An update needs the place after it to be free.
size_t Memory::choose(uint32_t location, Time earliest, bool forUpdate) {
    const std::vector<Message> &messages = locations[location];
    size_t newest = messages.size() - 1;
    if (staleOdds == 0 || draw(staleOdds) != 0) {
        return newest;
    }
    size_t oldest = newest;
    while (oldest > 0 && messages[oldest - 1].time >= earliest) {
        oldest--;
    }
    size_t picked = oldest + draw(newest - oldest + 1);
    return forUpdate && picked < newest && messages[picked + 1].isGlued ? newest : picked;
}

/// The thread has read a message.
void Memory::take(uint32_t location, const Message &message, Order order) {
    View &view = current()->view;
    view.messages.raise(location, message.time);
    if (acquires(order)) {
        view.join(message.view);
    }
    if (order == Order::sequential) {
        sequential.raise(location, message.time);
    }
}

/// Adds a message before the one at `before`, or at the end.
void Memory::put(uint32_t location, size_t before, bool isGlued, void *address, unsigned size, uint64_t value,
                 Order order, const View *continued) {
    std::vector<Message> &messages = locations[location];
    bool isNewest = before == messages.size();
    Time last = messages[before - 1].time;
    Time time = isNewest ? last + spacing : last + (messages[before].time - last) / 2;
    if (time == last) {
        return fail("the model has no room between two messages");
    }
    Thread &thread = *current();
    thread.view.messages.raise(location, time);
    if (order == Order::sequential) {
        sequential.raise(location, time);
    }
    View view;
    if (releases(order)) {
        view = passOn(thread);
    }
    if (continued) {
        view.join(*continued);
    }
    view.messages.raise(location, time);
    messages.insert(messages.begin() + (long)before, Message{time, value, std::move(view), isGlued});
    if (isNewest) {
        memcpy(address, &value, size); // for the plain accesses and for whoever destroys the object
    }
}

uint64_t Memory::load(const void *address, unsigned size, Order order, const void *place) {
    step();
    check(address, size, Access::atomicRead, place);
    uint32_t here = location(address, size);
    size_t picked = choose(here, earliest(here, order), false);
    const Message &message = locations[here][picked];
    uint64_t value = cut(message.value, size);
    note("load", address, size, value, order, picked + 1 < locations[here].size(), place);
    take(here, message, order);
    return value;
}

void Memory::store(void *address, unsigned size, uint64_t value, Order order, const void *place) {
    step();
    check(address, size, Access::atomicWrite, place);
    uint32_t here = location(address, size);
    const std::vector<Message> &messages = locations[here];
    Time after = earliest(here, order);
    size_t before = messages.size();
    while (before > 1 && messages[before - 1].time > after && draw(4) == 0 && staleOdds != 0) {
        before--;
    }
    while (before < messages.size() && messages[before].isGlued) {
        before++;
    }
    note("store", address, size, value, order, before < messages.size(), place);
    put(here, before, false, address, size, cut(value, size), order, nullptr);
}

uint64_t Memory::update(void *address, unsigned size, Update kind, uint64_t operand, Order order, const void *place) {
    step();
    check(address, size, Access::atomicWrite, place);
    uint32_t here = location(address, size);
    size_t picked = choose(here, earliest(here, order), true);
    Message read = locations[here][picked];
    take(here, read, order);
    uint64_t value = cut(result(kind, read.value, operand), size);
    note("update to", address, size, value, order, picked + 1 < locations[here].size(), place);
    put(here, picked + 1, true, address, size, value, order, &read.view);
    return cut(read.value, size);
}

bool Memory::compareExchange(void *address, unsigned size, uint64_t &expected, uint64_t desired, Order success,
                             Order failure, const void *place) {
    step();
    uint32_t here;
    check(address, size, Access::atomicRead, place);
    here = location(address, size);
    size_t picked = choose(here, earliest(here, success), false);
    if (locations[here][picked].value == expected && picked + 1 < locations[here].size() &&
        locations[here][picked + 1].isGlued) {
        picked = locations[here].size() - 1; // it would succeed, and can not put its message there
    }
    Message read = locations[here][picked];
    bool isStale = picked + 1 < locations[here].size();
    if (read.value != expected) {
        take(here, read, failure);
        note("failed exchange, found", address, size, read.value, failure, isStale, place);
        expected = read.value;
        return false;
    }
    check(address, size, Access::atomicWrite, place);
    take(here, read, success);
    note("exchange to", address, size, desired, success, isStale, place);
    put(here, picked + 1, true, address, size, cut(desired, size), success, &read.view);
    return true;
}

void Memory::fence(Thread &thread) {
    thread.view.messages.join(sequential);
    sequential.join(thread.view.messages);
}

uint64_t Memory::newest(const void *address, unsigned size) { return locations[location(address, size)].back().value; }

void Memory::note(const char *verb, const void *address, unsigned size, uint64_t value, Order order, bool isStale,
                  const void *place) {
    if (!isTracing()) {
        return;
    }
    std::string text = std::string(verb) + " " + describe(address) + " (" + nameOf(order) + "): ";
    std::string target = size == 8 ? describe((const void *)(uintptr_t)value) : "";
    text += target.empty() ? std::to_string(value) : "address of " + target;
    trace(current(), text + (isStale ? ", not the newest" : ""), place);
}

} // namespace model
