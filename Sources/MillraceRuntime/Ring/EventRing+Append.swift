// SPDX-License-Identifier: Apache-2.0

public import CMillrace

extension EventRing {
    /// Appends an entry of one word. The remaining words of the entry are 0. The writer only.
    ///
    /// More words than ``wordsPerEntry`` are a programmer's mistake and stop the program.
    /// - Returns: The entry's sequence number: 0 for the first entry ever appended.
    @inlinable
    @discardableResult
    public func append(_ a: UInt64) -> UInt64 {
        append(tuple: (a))
    }

    /// Appends an entry of two words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(_ a: UInt64, _ b: UInt64) -> UInt64 {
        append(tuple: (a, b))
    }

    /// Appends an entry of three words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
        append(tuple: (a, b, c))
    }

    /// Appends an entry of four words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> UInt64 {
        append(tuple: (a, b, c, d))
    }

    /// Appends an entry of five words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64) -> UInt64 {
        append(tuple: (a, b, c, d, e))
    }

    /// Appends an entry of six words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64, _ f: UInt64) -> UInt64 {
        append(tuple: (a, b, c, d, e, f))
    }

    /// Appends an entry of seven words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(
        _ a: UInt64,
        _ b: UInt64,
        _ c: UInt64,
        _ d: UInt64,
        _ e: UInt64,
        _ f: UInt64,
        _ g: UInt64
    ) -> UInt64 {
        append(tuple: (a, b, c, d, e, f, g))
    }

    /// Appends an entry of eight words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(
        _ a: UInt64,
        _ b: UInt64,
        _ c: UInt64,
        _ d: UInt64,
        _ e: UInt64,
        _ f: UInt64,
        _ g: UInt64,
        _ h: UInt64
    ) -> UInt64 {
        append(tuple: (a, b, c, d, e, f, g, h))
    }

    /// Appends an entry of any number of words, with the same rules as for one word.
    @inlinable
    @discardableResult
    public func append(_ words: UnsafeBufferPointer<UInt64>) -> UInt64 {
        precondition(words.count <= ring.pointee.words, "more words than an entry of this EventRing holds")
        var none: UInt64 = 0
        return millrace_ring_append(ring, words.baseAddress ?? withUnsafePointer(to: &none) { $0 }, UInt64(words.count))
    }

    /// Appends the words of a tuple, whose memory layout is that of an array: same size, same order, no padding.
    @inlinable @inline(__always)
    func append<Words: BitwiseCopyable>(tuple: Words) -> UInt64 {
        let count = UInt64(MemoryLayout<Words>.size / MemoryLayout<UInt64>.size)
        precondition(count <= ring.pointee.words, "more words than an entry of this EventRing holds")
        return withUnsafeBytes(of: tuple) { bytes in
            millrace_ring_append(ring, bytes.assumingMemoryBound(to: UInt64.self).baseAddress!, count)
        }
    }
}
