// SPDX-License-Identifier: Apache-2.0

/// One entry of an ``EventRingSnapshot``.
public struct EventRingEntry: Sendable, Hashable {
    /// The number of the entry among all entries ever appended to the ring, from 0.
    public let sequence: UInt64

    /// The words of the entry: a slice of an array that several entries share.
    let slice: ArraySlice<UInt64>

    /// The number of words.
    public var count: Int { slice.count }

    /// Returns a word by its index, from 0. An index of ``count`` or more is a programmer's mistake and stops the
    /// program.
    public subscript(index: Int) -> UInt64 {
        precondition(slice.indices.contains(slice.startIndex + index), "no such word in this entry")
        return slice[slice.startIndex + index]
    }

    /// A copy of all words.
    public var words: [UInt64] { Array(slice) }
}
