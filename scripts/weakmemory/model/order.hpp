// SPDX-License-Identifier: Apache-2.0
//
// What is known of S, the total order of all seq_cst operations: a graph of which access has to come before which. C11 allows
// an access as long as the graph has no cycle, because then some order agrees with the graph, and each such order can be S.
// A comes before B if
//   [1] A happens before B;
//   [2] both put a message at one location, and that of B is the newer one;
//   [3] A reads a message, and B puts a newer one at that location.
// Why these three are enough. C11 (7.17.3) wants a seq_cst load L to read the last seq_cst message before it in S, or a
// message of another order that does not happen before that one. Let L read the message m.
//   If m is seq_cst, its store happens before L. Each newer seq_cst message comes after L, by [3], and each older one comes
//     before m, by [2]. So m is the last one before L.
//   If m has another order, let A be the last seq_cst message before L. A is older than m, or else A would come after L,
//     by [3]. A message does not happen before an older one, so m does not happen before A.
// Nothing else is asked of S, so nothing that C11 allows is lost, except what [3] forbids beyond C11 (view.hpp).
// Each new edge begins or ends at the new access, so a check of that access is enough.
#pragma once

#include "view.hpp"

#include <bitset>
#include <utility>
#include <vector>

namespace model {

/// A seq_cst access. `reads` is 0 for a store, `puts` is 0 for a load.
struct SequentialAccess {
    uint32_t location;
    Time reads, puts;
};

class TotalOrder {
  public:
    /// Forgets all accesses: each later access comes after them in S.
    void clear();

    /// Whether the thread may make this access. `known`: for each thread, the clock up to which its accesses
    /// happen before this one.
    bool allows(const SequentialAccess &access, size_t thread, const Clocks &known) const;

    /// The thread makes this access. `clock`: that of the thread before the access.
    void add(const SequentialAccess &access, size_t thread, uint32_t clock, const Clocks &known);

    bool isFull() const { return accesses.size() == most; }

  private:
    static constexpr size_t most = 256;
    using Set = std::bitset<most>;

    Set before(const SequentialAccess &access, size_t thread, const Clocks &known) const;
    Set after(const SequentialAccess &access) const;

    std::vector<SequentialAccess> accesses;
    std::vector<Set> earlier;                                                   // by access: all that come before it
    std::array<std::vector<std::pair<uint32_t, size_t>>, mostThreads> ofThread; // clock, access
};

} // namespace model
