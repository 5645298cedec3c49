// SPDX-License-Identifier: Apache-2.0

/// The outcome of an `offer(contentsOf:)`: the first ``accepted`` actions are in the queue, in order; the rest was
/// rejected.
public struct OfferedActions: Sendable, Hashable {
    /// The number of accepted actions.
    public let accepted: Int
    /// Why the first rejected action was rejected, or `.accepted` when all actions were accepted.
    public let result: OfferResult

    /// Creates an outcome from the number of accepted actions and the reason why the rest was rejected.
    public init(accepted: Int, result: OfferResult) {
        self.accepted = accepted
        self.result = result
    }
}
