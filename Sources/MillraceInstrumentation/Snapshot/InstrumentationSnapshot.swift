// SPDX-License-Identifier: Apache-2.0

/// The measurements of an ``Instrumentation`` since its beginning, or of one interval. A value: it does not change.
///
/// ```swift
/// let snapshot = await instrumentation.snapshot()
/// for stage in snapshot.stages {
///     print(stage.name, stage.latency.histogram.valueAtPercentile(99))
/// }
/// ```
///
/// Counts are exact: no action is lost between two intervals, and the intervals of one instrumentation add up to its
/// snapshot.
public struct InstrumentationSnapshot: Sendable, CustomStringConvertible {
    /// The name of the store.
    public let label: String
    /// The beginning, in nanoseconds since 1970: when the instrumentation was first turned on, or the last interval
    /// ended.
    public let since: UInt64
    /// The end, in nanoseconds since 1970.
    public let until: UInt64
    /// The time between the two during which the instrumentation was on.
    public let active: Duration
    /// The sampling interval when the snapshot was taken: one action in this number is measured. 1: all actions; 0: the
    /// instrumentation is off.
    public let sampling: Int
    /// Whether actions ran at more than one ``sampling`` rate. Then the figures contain more actions of one period than
    /// of the other, and ``scale`` is a mean that fits neither. To avoid that, end the interval with
    /// ``Instrumentation/nextInterval()`` before you change the rate.
    public let isMixed: Bool

    /// The number of actions that were finished while the instrumentation was on. It is exact, whatever the sample.
    /// Actions that were finished while it was off are not counted.
    public let actions: UInt64
    /// The number of those actions that were measured.
    public let measured: UInt64
    /// The number of stages that were not measured because the action had 512 stages before.
    public let missedStages: UInt64

    /// The stages that occurred, in this order: queue, middlewares, reducers, publication, effects, journal, total.
    ///
    /// Each named middleware that existed when the instrumentation was made has a stage. The first 16 names that appear
    /// later, for example those of plugins, have one each, too; all further names share one stage, `other`. The stage
    /// of a removed plugin stays, because its figures are still reported. A plugin that is installed under the same
    /// name later continues that stage.
    public let stages: [StageSnapshot]
    /// The kinds of actions that occurred, in the order of their first occurrence: at most 64, and `other`.
    public let kinds: [KindSnapshot]
    /// The effects, by middleware.
    public let effects: [EffectSnapshot]
    /// The latencies over time.
    public let series: LatencySeries

    /// The memory that the instrumentation holds now, in bytes; <doc:MeasuringAStore> lists the parts. The memory of
    /// stages and kinds that have not occurred since the last read is counted as if they had.
    public let memory: Int
    /// The most memory that the instrumentation can hold, in bytes. While it is being read, it can hold half as much
    /// more.
    public let mostMemory: Int

    /// Creates a snapshot.
    public init(
        label: String,
        since: UInt64,
        until: UInt64,
        active: Duration,
        sampling: Int,
        isMixed: Bool = false,
        actions: UInt64,
        measured: UInt64,
        missedStages: UInt64,
        stages: [StageSnapshot],
        kinds: [KindSnapshot],
        effects: [EffectSnapshot],
        series: LatencySeries,
        memory: Int,
        mostMemory: Int
    ) {
        self.label = label
        self.since = since
        self.until = until
        self.active = active
        self.sampling = sampling
        self.isMixed = isMixed
        self.actions = actions
        self.measured = measured
        self.missedStages = missedStages
        self.stages = stages
        self.kinds = kinds
        self.effects = effects
        self.series = series
        self.memory = memory
        self.mostMemory = mostMemory
    }

    /// The factor by which measured counts and sums must be multiplied to represent all actions; 1 without sampling. If
    /// the rate was changed (``isMixed``), it is the mean over the whole time.
    public var scale: Double { measured == 0 ? 1 : Double(actions) / Double(measured) }

    /// One line: the name of the store, the number of actions, and the time. ``LatencyTable`` has the figures.
    public var description: String { "\(Escaping.plain(label)): \(headline)" }

    /// The number of outliers of all stages.
    public var outliers: UInt64 { stages.reduce(0) { $0 + $1.latency.outliers } }
}
