// SPDX-License-Identifier: Apache-2.0
//
// Blocks of memory, and the search for data races: the plain half of Memory.

#include "memory.hpp"

#include "trace.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace model {

namespace {

constexpr size_t arenaBytes = 1 << 20;
constexpr size_t granuleBytes = 4;

unsigned char *arena() {
    static auto *memory = static_cast<unsigned char *>(aligned_alloc(4096, arenaBytes));
    return memory;
}

bool isShared(const void *address) {
    auto *byte = static_cast<const unsigned char *>(address);
    return byte >= arena() && byte < arena() + arenaBytes;
}

} // namespace

Memory &memory() {
    static Memory only;
    return only;
}

void Memory::reset() {
    used = 64;
    granules.clear();
    locations.clear();
    locations.resize(1); // 0 is none
    blocks.clear();
    kinds.clear();
    totalOrder.clear();
    sequential.clear();
    fenced.clear();
    staleOdds = draw(6);
}

void *Memory::allocate(const char *kind, size_t bytes, size_t alignment, bool isZeroed) {
    step();
    size_t begin = (used + alignment - 1) / alignment * alignment;
    size_t end = begin + bytes;
    used = (end + 63) / 64 * 64 + 64; // a gap, so that what runs over the end hits no block
    if (used > arenaBytes) {
        fail("the model has no memory left: the scenario is too large");
        return nullptr;
    }
    memset(arena() + begin, isZeroed ? 0 : 0xA5, bytes);
    granules.resize(used / granuleBytes);
    blocks.push_back({std::string(kind) + " " + std::to_string(++kinds[kind]), begin, end, false});
    plain(arena() + begin, bytes, Access::plainWrite, nullptr);
    trace(current(), "allocates " + blocks.back().name + ", " + std::to_string(bytes) + " bytes");
    return arena() + begin;
}

void Memory::free(void *address) {
    if (!address) {
        return;
    }
    step();
    size_t offset = (size_t)(static_cast<unsigned char *>(address) - arena());
    for (Block &block : blocks) {
        if (block.begin == offset && !block.isFreed) {
            trace(current(), "frees " + block.name);
            check(address, block.end - block.begin, Access::plainWrite, nullptr);
            block.isFreed = true;
            return;
        }
    }
    fail("frees what is no block, or is free: " + describe(address));
}

void Memory::checkAllFreed() {
    for (const Block &block : blocks) {
        if (!block.isFreed) {
            return fail("never freed: " + block.name);
        }
    }
}

Memory::Granule *Memory::granule(const void *address) {
    if (!isShared(address)) {
        fail("an atomic outside of the blocks: allocate it");
    }
    return &granules[(size_t)(static_cast<const unsigned char *>(address) - arena()) / granuleBytes];
}

const Memory::Block *Memory::blockAt(size_t offset) const {
    auto after = std::upper_bound(blocks.begin(), blocks.end(), offset,
                                  [](size_t place, const Block &block) { return place < block.begin; });
    return after != blocks.begin() && offset < after[-1].end ? &after[-1] : nullptr;
}

std::string Memory::describe(const void *address) const {
    if (!isShared(address)) {
        return "";
    }
    size_t offset = (size_t)(static_cast<const unsigned char *>(address) - arena());
    const Block *block = blockAt(offset);
    return block ? block->name + " + " + std::to_string(offset - block->begin) : "no block";
}

void Memory::failRace(const Clocks &accesses, const void *address, const void *place) const {
    for (const Thread *other : threads()) {
        if (accesses[(size_t)other->index] > current()->view.clocks[(size_t)other->index]) {
            return fail("data race on " + describe(address) + at(place) + ": " + current()->name + " and " +
                        other->name);
        }
    }
}

/// Fails on an access outside of a block that lives, and on a race; else remembers the access.
void Memory::check(const void *address, size_t size, Access access, const void *place) {
    // Which two kinds of access race.
    static const bool conflicts[4][4] = {
        // plain read, plain write, atomic read, atomic write
        {false, true, false, true}, // plain read
        {true, true, true, true},   // plain write
        {false, true, false, false},
        {true, true, false, false},
    };
    size_t offset = (size_t)(static_cast<const unsigned char *>(address) - arena());
    const Block *block = blockAt(offset);
    if (!block || block->isFreed || offset + size > block->end) {
        const char *what = block && block->isFreed ? "use after free: " : "access outside of every block: ";
        return fail(what + describe(address) + at(place));
    }
    Thread &thread = *current();
    for (size_t index = offset / granuleBytes; index <= (offset + size - 1) / granuleBytes; index++) {
        Granule &granule = granules[index];
        for (int kind = 0; kind < 4; kind++) {
            if (conflicts[(int)access][kind] && isBeyond(granule.clocks[(size_t)kind], thread.view.clocks)) {
                return failRace(granule.clocks[(size_t)kind], address, place);
            }
        }
        granule.clocks[(size_t)access][(size_t)thread.index] = thread.clock;
    }
}

void Memory::plain(const void *address, size_t size, Access access, const void *place) {
    if (!current() || !isShared(address) || size == 0) {
        return;
    }
    check(address, size, access, place);
    if (access == Access::plainWrite) {
        size_t offset = (size_t)(static_cast<const unsigned char *>(address) - arena());
        for (size_t index = offset / granuleBytes; index <= (offset + size - 1) / granuleBytes; index++) {
            granules[index].isOverwritten = true;
        }
    }
}

} // namespace model
