// SPDX-License-Identifier: Apache-2.0

/// Decides which states an iterator of a ``StateSequence`` keeps until its loop takes them.
///
/// | policy | keeps | drops |
/// |---|---|---|
/// | ``latest`` | the newest state | every older state |
/// | ``bufferingNewest(_:)`` | the newest states, up to the limit | the oldest state, when a new one comes |
/// | ``bufferingOldest(_:)`` | the oldest states, up to the limit | new states while it is full, even the last one |
/// | ``bufferingAll`` | all states | nothing; memory grows if the loop is too slow |
///
/// The pipeline never waits for a loop. Dropped states are counted: see ``StateSequence``.
public struct StateBuffering: Sendable, Hashable {
    let limit: Int
    let keepsNewest: Bool

    /// Keeps the newest state only. A slow loop skips states, and the last state always arrives. The same as
    /// `.bufferingNewest(1)`; the pipeline allocates nothing for it.
    public static let latest = bufferingNewest(1)

    /// Keeps every state, however many wait. For loops that must see each state and are fast enough.
    public static let bufferingAll = StateBuffering(limit: .max, keepsNewest: true)

    /// Keeps the newest states, at most `limit`; a limit below 1 counts as 1. The last state always arrives.
    public static func bufferingNewest(_ limit: Int) -> StateBuffering {
        StateBuffering(limit: max(1, limit), keepsNewest: true)
    }

    /// Keeps the oldest states, at most `limit`; a limit below 1 counts as 1. A state that comes while the buffer is
    /// full is dropped.
    public static func bufferingOldest(_ limit: Int) -> StateBuffering {
        StateBuffering(limit: max(1, limit), keepsNewest: false)
    }
}
