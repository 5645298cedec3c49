// SPDX-License-Identifier: Apache-2.0

/// One entry of an ``EventRingSnapshot``.
public struct EventRingEntry: Sendable, Hashable {
    /// Its number among all entries ever appended to the ring, from 0.
    public let sequence: UInt64

    /// A part of the one copy that all entries of a snapshot share.
    let slice: ArraySlice<UInt64>

    /// How many words it holds.
    public var count: Int { slice.count }

    /// A word, from 0; one beyond ``count`` is a programmer's mistake and stops the program.
    public subscript(index: Int) -> UInt64 {
        precondition(slice.indices.contains(slice.startIndex + index), "no such word in this entry")
        return slice[slice.startIndex + index]
    }

    /// All words, as a copy.
    public var words: [UInt64] { Array(slice) }
}
