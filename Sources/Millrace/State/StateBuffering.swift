// SPDX-License-Identifier: Apache-2.0

/// What an iterator of a ``StateSequence`` keeps of the states that its consumer has not taken yet.
///
/// | policy | keeps | drops |
/// |---|---|---|
/// | ``latest`` | the newest one | every older one |
/// | ``bufferingNewest(_:)`` | so many, the newest | the oldest, when a newer one comes |
/// | ``bufferingOldest(_:)`` | so many, the oldest | the newest, as long as it is full: also the last state |
/// | ``bufferingAll`` | all | nothing; its memory grows with a consumer that is too slow |
///
/// The pipeline never waits for a consumer. What is dropped is counted: see ``StateSequence``.
public struct StateBuffering: Sendable, Hashable {
    let limit: Int
    let keepsNewest: Bool

    /// The newest state only. A slow consumer skips states, and the last one always arrives. The same as
    /// `.bufferingNewest(1)`; the pipeline allocates nothing for it.
    public static let latest = bufferingNewest(1)

    /// Every state, however many wait: for consumers that must see each and keep up.
    public static let bufferingAll = StateBuffering(limit: .max, keepsNewest: true)

    /// The newest states, so many at most; fewer than one counts as one. The last one always arrives.
    public static func bufferingNewest(_ limit: Int) -> StateBuffering {
        StateBuffering(limit: max(1, limit), keepsNewest: true)
    }

    /// The oldest states, so many at most; fewer than one counts as one. What comes while it is full is dropped.
    public static func bufferingOldest(_ limit: Int) -> StateBuffering {
        StateBuffering(limit: max(1, limit), keepsNewest: false)
    }
}
