// SPDX-License-Identifier: Apache-2.0

#include "order.hpp"

namespace model {

void TotalOrder::clear() {
    accesses.clear();
    earlier.clear();
    for (auto &list : ofThread) {
        list.clear();
    }
}

/// All accesses that have to come before this one.
TotalOrder::Set TotalOrder::before(const SequentialAccess &access, size_t thread, const Clocks &known) const {
    Set set;
    auto include = [&](size_t number) {
        if (!set[number]) {
            set |= earlier[number];
            set.set(number);
        }
    };
    for (size_t index = 0; index < ofThread.size(); index++) {
        const auto &list = ofThread[index];
        size_t count = list.size();
        while (count > 0 && index != thread && list[count - 1].first > known[index]) {
            count--;
        }
        if (count > 0) {
            include(list[count - 1].second);
        }
    }
    for (size_t number = accesses.size(); access.puts != 0 && number-- > 0;) {
        const SequentialAccess &other = accesses[number];
        bool isRead = other.reads != 0 && other.reads < access.puts;
        bool isPut = other.puts != 0 && other.puts < access.puts;
        if (other.location == access.location && (isRead || isPut)) {
            include(number);
        }
    }
    return set;
}

/// The accesses that have to come directly after this one.
TotalOrder::Set TotalOrder::after(const SequentialAccess &access) const {
    Set set;
    Time newest = access.reads != 0 ? access.reads : access.puts;
    for (size_t number = 0; number < accesses.size(); number++) {
        if (accesses[number].location == access.location && accesses[number].puts > newest) {
            set.set(number);
        }
    }
    return set;
}

bool TotalOrder::allows(const SequentialAccess &access, size_t thread, const Clocks &known) const {
    Set later = after(access);
    return later.none() || (later & before(access, thread, known)).none();
}

void TotalOrder::add(const SequentialAccess &access, size_t thread, uint32_t clock, const Clocks &known) {
    size_t number = accesses.size();
    Set sooner = before(access, thread, known);
    Set later = after(access);
    accesses.push_back(access);
    earlier.push_back(sooner);
    ofThread[thread].push_back({clock, number});
    if (later.none()) {
        return;
    }
    sooner.set(number);
    for (size_t other = 0; other < number; other++) {
        if (later[other] || (later & earlier[other]).any()) {
            earlier[other] |= sooner;
        }
    }
}

} // namespace model
