// SPDX-License-Identifier: Apache-2.0

/// The rest of a file whose writer stopped while it wrote.
public struct TornTail: Hashable, Sendable {
    /// The offset at which it begins: a writer that goes on cuts the file off here.
    public let offset: Int
    /// How many bytes it has.
    public let bytes: Int
    /// The sequence of the last action before it; 0 if there is none.
    public let lastSequence: UInt64
    /// What is wrong with it.
    public let reason: String
}
