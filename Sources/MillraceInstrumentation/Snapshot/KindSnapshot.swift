// SPDX-License-Identifier: Apache-2.0

/// What was measured of one kind of action.
public struct KindSnapshot: Sendable {
    /// The name of the case; `other` for all that came when 64 kinds were known.
    public let name: String
    /// How many actions of this kind were measured.
    public internal(set) var count: UInt64
    /// Time in the queue, with 2 digits.
    public internal(set) var wait: LatencyDistribution
    /// From where the pipeline took the action up until it was finished, with 2 digits.
    public internal(set) var work: LatencyDistribution
    /// Both together, from dispatch to the end, with 2 digits; of actions whose wait is known.
    public internal(set) var total: LatencyDistribution
    /// Exact sums of nanoseconds by stage, in the order of ``InstrumentationSnapshot/stages``.
    public internal(set) var nanosecondsByStage: [UInt64]

    /// A kind.
    public init(
        name: String,
        count: UInt64,
        wait: LatencyDistribution,
        work: LatencyDistribution,
        total: LatencyDistribution,
        nanosecondsByStage: [UInt64]
    ) {
        self.name = name
        self.count = count
        self.wait = wait
        self.work = work
        self.total = total
        self.nanosecondsByStage = nanosecondsByStage
    }
}
