// SPDX-License-Identifier: Apache-2.0

/// The outcome of an `offer`, or of the dispatch of an urgent action.
public enum OfferResult: String, Sendable, Hashable, Codable, CaseIterable {
    /// The action is in the queue. It is handled in its turn, unless the store drops it later: as the oldest action
    /// under the overflow policy `.dropOldest`, or at the deadline of a shutdown.
    case accepted
    /// There was no room, or the free places belong to producers that were already waiting. Try later, use
    /// `await send`, or give the action up.
    case full
    /// The store accepts no more actions.
    case closed
    /// The system had no memory for the queue.
    case outOfMemory
}

extension OfferResult: CustomStringConvertible {
    /// The raw value, also within an array or another value.
    public var description: String { rawValue }
}
