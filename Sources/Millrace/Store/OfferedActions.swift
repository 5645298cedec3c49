// SPDX-License-Identifier: Apache-2.0

/// What became of a run of actions that was offered: the first ``accepted`` went in, in order, the others did not.
public struct OfferedActions: Sendable, Hashable {
    /// How many went in.
    public let accepted: Int
    /// Why the next one did not, or `.accepted` when all went in.
    public let result: OfferResult

    /// So many, and why not more.
    public init(accepted: Int, result: OfferResult) {
        self.accepted = accepted
        self.result = result
    }
}
