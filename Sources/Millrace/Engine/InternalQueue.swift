// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceRuntime

/// The queue of the internal actions of a store with ``ActionOrder/internalFirst``. First in, first out.
///
/// Its slots have the layout of the shared queue's slots, so the same code handles both. The slots are in chunks of
/// memory, and a slot never moves: while an action is handled and dispatches others, its own slot stays in place.
///
/// Only the consumer touches the queue. Other threads read `PublishedCounters.internalOffered`, a copy of `pushed`.
@usableFromInline
final class InternalQueue: @unchecked Sendable {
    // Unchecked because every field belongs to the consumer, as described above.

    /// The header of a chunk. The slots follow it.
    private struct Chunk {
        var next: UnsafeMutableRawPointer?
        var bytes: Int
    }

    @usableFromInline let stride: Int
    private let slotsOffset: Int
    private let alignment: Int
    /// The oldest slot in use; it is in the chunk `first`. Equal to `tail` if the queue is empty.
    @usableFromInline @exclusivity(unchecked) var head: UnsafeMutableRawPointer
    /// The next free slot of the chunk `last`, or the end of this chunk.
    @usableFromInline @exclusivity(unchecked) var tail: UnsafeMutableRawPointer
    /// Where the last slot of the chunk `first` ends, and where that of the chunk `last` ends.
    @usableFromInline @exclusivity(unchecked) var headEnd: UnsafeMutableRawPointer
    @usableFromInline @exclusivity(unchecked) var tailEnd: UnsafeMutableRawPointer
    /// The oldest and the newest chunk. They may be the same one.
    @exclusivity(unchecked) private var first: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var last: UnsafeMutableRawPointer
    /// A chunk that was used up. The queue uses it again before it allocates one, so a long chain of actions alternates
    /// between two chunks, which stay in the cache.
    @exclusivity(unchecked) private var spare: UnsafeMutableRawPointer?
    /// The number of actions pushed since the store was made.
    @usableFromInline @exclusivity(unchecked) var pushed: UInt64 = 0

    private static var firstBytes: Int { 4096 }
    private static var largestBytes: Int { 256 * 1024 }

    /// Creates an empty queue. Nil when there is no memory.
    ///
    /// - Parameters:
    ///   - stride: The number of bytes from one slot to the next, as in the shared queue.
    ///   - alignment: The alignment of an action, a power of two.
    @usableFromInline
    init?(stride: Int, alignment: Int) {
        self.stride = stride
        self.alignment = max(16, alignment)
        slotsOffset = (MemoryLayout<Chunk>.size + self.alignment - 1) & ~(self.alignment - 1)
        guard let chunk = Self.allocate(max(Self.firstBytes, slotsOffset + 2 * stride), self.alignment)
        else { return nil }
        (first, last) = (chunk, chunk)
        head = chunk + slotsOffset
        tail = head
        headEnd = head
        tailEnd = head
        tailEnd = end(of: chunk)
        headEnd = tailEnd
    }

    deinit {
        var chunk = Optional(first)
        while let current = chunk {
            chunk = current.assumingMemoryBound(to: Chunk.self).pointee.next
            free(current)
        }
        free(spare)
    }

    @inlinable var isEmpty: Bool { head == tail }

    /// The slot of the oldest action; nil if the queue is empty.
    @inlinable
    func front() -> UnsafeMutablePointer<UInt8>? {
        isEmpty ? nil : head.assumingMemoryBound(to: UInt8.self)
    }

    /// Returns a free slot, or nil when there is no memory. The caller fills the slot, then calls ``commit()``.
    @inlinable
    func reserve() -> UnsafeMutableRawPointer? {
        tail == tailEnd ? extend() : tail
    }

    /// Adds the action that the caller has written into the reserved slot. Returns ``pushed``.
    @inlinable
    func commit() -> UInt64 {
        tail += stride
        pushed &+= 1
        return pushed
    }

    /// Removes the front slot. The caller has already destroyed its content.
    @inlinable
    func pop() {
        head += stride
        if head == tail || head == headEnd { turn() }
    }

    /// Called when a pop has emptied the queue, or the chunk `first`.
    @usableFromInline
    func turn() {
        if head == tail {
            // Empty: the next action gets the first slot of the chunk again, which is likely in the cache.
            releaseAll(before: last)
            head = last + slotsOffset
            tail = head
            headEnd = tailEnd
        } else if let next = first.assumingMemoryBound(to: Chunk.self).pointee.next {
            let used = first
            first = next
            retire(used)
            head = next + slotsOffset
            headEnd = end(of: next)
        }
    }

    /// Whether the queue is empty and holds a chunk much larger than its first one.
    var isBloated: Bool { isEmpty && bytes(of: last) >= max(Self.largestBytes, 2 * firstChunkBytes) }

    /// Gives back the memory of a busy time, if the queue is empty.
    func trim() {
        let limit = 2 * firstChunkBytes
        if isEmpty, bytes(of: last) >= limit, let chunk = Self.allocate(firstChunkBytes, alignment) {
            releaseAll(before: nil)
            (first, last) = (chunk, chunk)
            head = chunk + slotsOffset
            tail = head
            tailEnd = end(of: chunk)
            headEnd = tailEnd
        }
        if let chunk = spare, bytes(of: chunk) >= limit {
            spare = nil
            free(chunk)
        }
    }

    private var firstChunkBytes: Int { max(Self.firstBytes, slotsOffset + 2 * stride) }

    /// Adds a chunk, and returns its first slot; nil when there is no memory.
    @usableFromInline
    func extend() -> UnsafeMutableRawPointer? {
        let size = max(firstChunkBytes, min(2 * bytes(of: last), Self.largestBytes))
        guard let chunk = spare ?? Self.allocate(size, alignment) else { return nil }
        spare = nil
        last.assumingMemoryBound(to: Chunk.self).pointee.next = chunk
        last = chunk
        tail = chunk + slotsOffset
        tailEnd = end(of: chunk)
        return tail
    }

    /// Removes the chunks before `end` (nil: all): keeps one as the spare, and frees the others.
    private func releaseAll(before end: UnsafeMutableRawPointer?) {
        var chunk = Optional(first)
        while let current = chunk, current != end {
            chunk = current.assumingMemoryBound(to: Chunk.self).pointee.next
            retire(current)
        }
        if let end { first = end }
    }

    /// Keeps a chunk that is used up, or frees it if there is one already.
    private func retire(_ chunk: UnsafeMutableRawPointer) {
        guard spare == nil else { return free(chunk) }
        chunk.assumingMemoryBound(to: Chunk.self).pointee.next = nil
        spare = chunk
    }

    private func bytes(of chunk: UnsafeMutableRawPointer) -> Int {
        chunk.assumingMemoryBound(to: Chunk.self).pointee.bytes
    }

    /// Returns where the last whole slot of a chunk ends.
    private func end(of chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        chunk + slotsOffset + (bytes(of: chunk) - slotsOffset) / stride * stride
    }

    private static func allocate(_ bytes: Int, _ alignment: Int) -> UnsafeMutableRawPointer? {
        let size = (bytes + alignment - 1) & ~(alignment - 1)
        guard !Fault.isHere, let memory = aligned_alloc(alignment, size) else { return nil }
        memory.initializeMemory(as: Chunk.self, to: Chunk(next: nil, bytes: size))
        return memory
    }
}
