// SPDX-License-Identifier: Apache-2.0
//
// The memory that the threads share: blocks, which they allocate and free, and in them the messages of each atomic location
// and the plain accesses to each granule of four bytes. Memory outside of blocks (stacks, static variables) is not watched.
#pragma once

#include "order.hpp"
#include "threads.hpp"
#include "view.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace model {

/// The compiler's numbers of the memory orders.
enum class Order : int { relaxed, consume, acquire, release, acquireRelease, sequential };

inline bool acquires(Order order) {
    return order == Order::consume || order == Order::acquire || order == Order::acquireRelease ||
           order == Order::sequential;
}
inline bool releases(Order order) {
    return order == Order::release || order == Order::acquireRelease || order == Order::sequential;
}

enum class Access { plainRead, plainWrite, atomicRead, atomicWrite };
enum class Update { exchange, add, subtract, conjunction, disjunction, difference };

class Memory {
  public:
    void reset();

    /// A block of zeros (memory of the system) or of rubbish (of the allocator).
    void *allocate(const char *kind, size_t bytes, size_t alignment, bool isZeroed);
    void free(void *address);
    void checkAllFreed();

    /// Of the thread that runs. `place` is the address of the code.
    uint64_t load(const void *address, unsigned size, Order order, const void *place);
    void store(void *address, unsigned size, uint64_t value, Order order, const void *place);
    uint64_t update(void *address, unsigned size, Update kind, uint64_t operand, Order order, const void *place);
    bool compareExchange(void *address, unsigned size, uint64_t &expected, uint64_t desired, Order success,
                         Order failure, const void *place);
    void plain(const void *address, size_t size, Access access, const void *place);
    /// A seq_cst fence of any thread.
    void fence(Thread &thread);
    /// The newest value, for the kernel.
    uint64_t newest(const void *address, unsigned size);

    /// "segment 2 + 64".
    std::string describe(const void *address) const;

  private:
    struct Message {
        Time time;
        uint64_t value;
        View view;
        bool isGlued; // nothing may come between it and the one before, which it read
    };
    struct Granule {
        uint32_t location = 0; // 0: no atomic access yet
        bool isOverwritten = false;
        std::array<Clocks, 4> clocks{}; // by kind of access: of the last one by each thread
    };
    struct Block {
        std::string name;
        size_t begin, end;
        bool isFreed;
    };

    Granule *granule(const void *address);
    const Block *blockAt(size_t offset) const;
    void check(const void *address, size_t size, Access access, const void *place);
    void failRace(const Clocks &accesses, const void *address, const void *place) const;
    uint32_t location(const void *address, unsigned size);
    size_t choose(uint32_t location);
    Time timeBefore(uint32_t location, size_t before) const;
    bool mayRead(uint32_t location, size_t picked, Order order, bool isUpdate) const;
    bool mayPut(uint32_t location, size_t before, Order order) const;
    void take(uint32_t location, const Message &message, Order order);
    void put(uint32_t location, size_t before, bool isGlued, void *address, unsigned size, uint64_t value, Order order,
             const View *continued);
    void addToOrder(const SequentialAccess &access, uint32_t clock);
    void note(const char *verb, const void *address, unsigned size, uint64_t value, Order order, bool isStale,
              const void *place);

    std::vector<Granule> granules;
    std::vector<std::vector<Message>> locations;
    std::vector<Block> blocks;
    std::unordered_map<std::string, int> kinds;
    size_t used = 0;
    TotalOrder totalOrder; // of the seq_cst accesses since S was divided: at a fence, or after 256 accesses
    Times sequential;      // what was read or put by all seq_cst operations
    Times fenced;          // the same when S was divided
    uint64_t staleOdds = 3;
};

Memory &memory();

} // namespace model
