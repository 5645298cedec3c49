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

/// Which message a load tries first: mostly the newest.
size_t Memory::choose(uint32_t location) {
    const std::vector<Message> &messages = locations[location];
    size_t newest = messages.size() - 1;
    if (staleOdds == 0 || draw(staleOdds) != 0) {
        return newest;
    }
    Time seen = current()->view.messages.at(location);
    size_t oldest = newest;
    while (oldest > 0 && messages[oldest - 1].time >= seen) {
        oldest--;
    }
    return oldest + draw(newest - oldest + 1);
}

/// The time of a message that comes before the one at `before`, or at the end.
Time Memory::timeBefore(uint32_t location, size_t before) const {
    const std::vector<Message> &messages = locations[location];
    Time last = messages[before - 1].time;
    return before == messages.size() ? last + spacing : last + (messages[before].time - last) / 2;
}

/// Whether the thread may read this message, which is not older than what it has seen. The newest one can always be read.
bool Memory::mayRead(uint32_t location, size_t picked, Order order, bool isUpdate) const {
    const std::vector<Message> &messages = locations[location];
    if (picked + 1 == messages.size()) {
        return true;
    }
    const Message &message = messages[picked];
    if (isUpdate && messages[picked + 1].isGlued) {
        return false;
    }
    if (order != Order::sequential) {
        return true;
    }
    if (message.time < fenced.at(location)) {
        return false;
    }
    Clocks known = current()->view.clocks;
    joinClocks(known, message.view.clocks);
    Time puts = isUpdate ? timeBefore(location, picked + 1) : 0;
    return totalOrder.allows({location, message.time, puts}, (size_t)current()->index, known);
}

/// Whether the thread may put a message before the one at `before`, or at the end.
bool Memory::mayPut(uint32_t location, size_t before, Order order) const {
    const std::vector<Message> &messages = locations[location];
    if (before == messages.size()) {
        return true;
    }
    if (messages[before].isGlued) {
        return false;
    }
    if (order != Order::sequential) {
        return true;
    }
    return messages[before].time > fenced.at(location) &&
           totalOrder.allows({location, 0, timeBefore(location, before)}, (size_t)current()->index,
                             current()->view.clocks);
}

/// Adds an access of the current thread to S. The view of the thread has all that happens before the access.
void Memory::addToOrder(const SequentialAccess &access, uint32_t clock) {
    sequential.raise(access.location, std::max(access.reads, access.puts));
    totalOrder.add(access, (size_t)current()->index, clock, current()->view.clocks);
    if (totalOrder.isFull()) {
        fenced = sequential;
        totalOrder.clear();
    }
}

/// The thread has read a message.
void Memory::take(uint32_t location, const Message &message, Order order) {
    View &view = current()->view;
    view.messages.raise(location, message.time);
    if (acquires(order)) {
        view.join(message.view);
    }
}

/// Adds a message before the one at `before`, or at the end.
void Memory::put(uint32_t location, size_t before, bool isGlued, void *address, unsigned size, uint64_t value,
                 Order order, const View *continued) {
    std::vector<Message> &messages = locations[location];
    bool isNewest = before == messages.size();
    Time time = timeBefore(location, before);
    if (time == messages[before - 1].time) {
        return fail("the model has no room between two messages");
    }
    Thread &thread = *current();
    thread.view.messages.raise(location, time);
    if (order == Order::sequential) {
        Time reads = isGlued ? messages[before - 1].time : 0;
        addToOrder({location, reads, time}, thread.clock);
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
    size_t picked = choose(here);
    while (!mayRead(here, picked, order, false)) {
        picked++;
    }
    const Message &message = locations[here][picked];
    uint64_t value = cut(message.value, size);
    note("load", address, size, value, order, picked + 1 < locations[here].size(), place);
    take(here, message, order);
    if (order == Order::sequential) {
        addToOrder({here, message.time, 0}, current()->clock);
    }
    return value;
}

void Memory::store(void *address, unsigned size, uint64_t value, Order order, const void *place) {
    step();
    check(address, size, Access::atomicWrite, place);
    uint32_t here = location(address, size);
    const std::vector<Message> &messages = locations[here];
    Time seen = current()->view.messages.at(here);
    size_t before = messages.size();
    while (before > 1 && messages[before - 1].time > seen && draw(4) == 0 && staleOdds != 0) {
        before--;
    }
    while (!mayPut(here, before, order)) {
        before++;
    }
    note("store", address, size, value, order, before < messages.size(), place);
    put(here, before, false, address, size, cut(value, size), order, nullptr);
}

uint64_t Memory::update(void *address, unsigned size, Update kind, uint64_t operand, Order order, const void *place) {
    step();
    check(address, size, Access::atomicWrite, place);
    uint32_t here = location(address, size);
    size_t picked = choose(here);
    while (!mayRead(here, picked, order, true)) {
        picked++;
    }
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
    check(address, size, Access::atomicRead, place);
    uint32_t here = location(address, size);
    const std::vector<Message> &messages = locations[here];
    auto succeeds = [&](size_t index) { return messages[index].value == expected; };
    size_t picked = choose(here);
    while (!mayRead(here, picked, succeeds(picked) ? success : failure, succeeds(picked))) {
        picked++;
    }
    Message read = messages[picked];
    bool isStale = picked + 1 < messages.size();
    if (read.value != expected) {
        take(here, read, failure);
        if (failure == Order::sequential) {
            addToOrder({here, read.time, 0}, current()->clock);
        }
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
    fenced = sequential;
    totalOrder.clear();
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
