// SPDX-License-Identifier: Apache-2.0

/// What became of an action that was offered.
public enum OfferResult: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is in the queue, and takes its turn: unless it is thrown away later, as the oldest of a store that is
    /// ``OverflowPolicy/dropOldest``, or when the deadline of a shutdown has passed.
    case accepted
    /// There was no room, or what room there was is kept for those who wait already: try later, `await send` it, or let
    /// it go.
    case full
    /// The store takes no more actions.
    case closed
    /// The system gave no memory for the queue.
    case outOfMemory
}
