// SPDX-License-Identifier: Apache-2.0

/// The memory into which a producer reads its chunks. It is reused from chunk to chunk, and always followed by readable
/// bytes.
final class ChunkBuffer {
    /// The alignment of `base`: a cache line.
    static let alignment = 64

    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int

    init(capacity: Int = InputSource.chunkSize + InputSource.slack + ChunkBuffer.alignment) {
        self.capacity = capacity
        base = Self.allocate(capacity)
    }

    deinit {
        base.deallocate()
    }

    /// Grows the buffer to `capacity` bytes and keeps the first `count` bytes.
    func grow(to capacity: Int, keeping count: Int) {
        guard capacity > self.capacity else { return }
        let larger = Self.allocate(capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        self.capacity = capacity
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: capacity + ByteSearch.padding,
            alignment: alignment
        ).bindMemory(to: UInt8.self, capacity: capacity + ByteSearch.padding)
        // Searches read whole words. So the bytes behind the text must be readable; no result ever depends on them.
        (memory + capacity).initialize(repeating: 0, count: ByteSearch.padding)
        return memory
    }
}
