// SPDX-License-Identifier: Apache-2.0

/// The measurements of one kind of action.
public struct KindSnapshot: Sendable, CustomStringConvertible {
    /// The name of the kind, such as the name of an enum case; `other` for all kinds after the first 64.
    public let name: String
    /// The number of actions of this kind that were measured.
    public internal(set) var count: UInt64
    /// The times in the queue, with two significant digits.
    public internal(set) var wait: LatencyDistribution
    /// The times from when the pipeline starts to handle the action until the action is finished, with two significant
    /// digits.
    public internal(set) var work: LatencyDistribution
    /// The times from dispatch until the action is finished, with two significant digits; only of actions whose waiting
    /// time is known.
    public internal(set) var total: LatencyDistribution
    /// The exact sums of nanoseconds by stage, in the order of ``InstrumentationSnapshot/stages``.
    public internal(set) var nanosecondsByStage: [UInt64]
    /// The nanoseconds in middlewares without a name. If a named middleware contains them, their time is in its stage
    /// instead. The clock is read only between stages, so this also contains what the pipeline does around these
    /// middlewares.
    public internal(set) var unnamedNanoseconds: UInt64
    /// The nanoseconds of stages that are nested in another stage: ``nanosecondsByStage`` counts them twice.
    public internal(set) var nestedNanoseconds: UInt64

    /// Creates the snapshot of a kind.
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

    /// One line: p50, p99 and maximum of the total time, and of the work alone.
    public var description: String { "\(Escaping.plain(name)): in all \(total); work \(work)" }
}
