// SPDX-License-Identifier: Apache-2.0

/// What was measured of one kind of action.
public struct KindSnapshot: Sendable, CustomStringConvertible {
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
    /// Nanoseconds in middlewares without a name; those that a named one holds are in its stage. A clock is looked at
    /// between stages only, so what the pipeline does around them is in it.
    public internal(set) var unnamedNanoseconds: UInt64
    /// Nanoseconds of stages that lie within another stage: what ``nanosecondsByStage`` has twice.
    public internal(set) var nestedNanoseconds: UInt64

    /// A kind.
    public init(
        name: String,
        count: UInt64,
        wait: LatencyDistribution,
        work: LatencyDistribution,
        total: LatencyDistribution,
        nanosecondsByStage: [UInt64],
        unnamedNanoseconds: UInt64 = 0,
        nestedNanoseconds: UInt64 = 0
    ) {
        self.name = name
        self.count = count
        self.wait = wait
        self.work = work
        self.total = total
        self.nanosecondsByStage = nanosecondsByStage
        self.unnamedNanoseconds = unnamedNanoseconds
        self.nestedNanoseconds = nestedNanoseconds
    }

    /// One line: p50, p99 and the longest from dispatch to the end, and of the work alone.
    public var description: String { "\(Escaping.plain(name)): in all \(total); work \(work)" }
}
