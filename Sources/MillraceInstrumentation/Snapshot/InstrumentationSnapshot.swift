// SPDX-License-Identifier: Apache-2.0

/// What an ``Instrumentation`` has measured up to one moment, or between two. A value: it does not change.
///
/// ```swift
/// let snapshot = await instrumentation.snapshot()
/// for stage in snapshot.stages {
///     print(stage.name, stage.latency.histogram.valueAtPercentile(99))
/// }
/// ```
///
/// Counts are exact: none is lost between two intervals, and the intervals of one instrumentation add up to its
/// snapshot.
public struct InstrumentationSnapshot: Sendable, CustomStringConvertible {
    /// What the store is called.
    public let label: String
    /// The beginning, in nanoseconds since 1970: when it was first switched on, or the last interval ended.
    public let since: UInt64
    /// The end, in nanoseconds since 1970.
    public let until: UInt64
    /// How long it was on between the two.
    public let active: Duration
    /// How many actions are measured: one in so many; 1: all; 0: it is off.
    public let sampling: Int
    /// Whether ``sampling`` was not the same all the time that it was on. Then the figures are of more actions of the
    /// one time than of the other, and ``scale`` is a mixture that fits neither: end the interval with
    /// ``Instrumentation/nextInterval()`` whenever the rate is changed.
    public let isMixed: Bool

    /// Actions that were finished while it was on. Exact while it is on, whatever the sample; what ran while it was off
    /// is not counted.
    public let actions: UInt64
    /// How many of them were measured.
    public let measured: UInt64
    /// How often a stage was not measured because it nested deeper than 16.
    public let missedStages: UInt64

    /// The stages: queue first, total last, between them those that occurred, in the order of their first occurrence.
    ///
    /// Middlewares that were there when the instrumentation was made have a stage each, and so have the first 16 names
    /// that come later, as those of plugins; all further names are one stage, `other`. A plugin that was removed keeps
    /// its stage, as its figures are still told, and one that is installed under a name of before goes on with it.
    public let stages: [StageSnapshot]
    /// The kinds of actions that occurred, in the order of their first occurrence; at most 64, and `other`.
    public let kinds: [KindSnapshot]
    /// The effects, by middleware.
    public let effects: [EffectSnapshot]
    /// Latencies over time.
    public let series: LatencySeries

    /// Memory that the instrumentation holds now, in bytes; <doc:MeasuringAStore> says what takes how much. What the
    /// pipeline has not met again since the last reading is counted as if it had.
    public let memory: Int
    /// The most it can ever hold, in bytes; while it is read, half as much again.
    public let mostMemory: Int

    /// A snapshot.
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

    /// By what counts and sums of what was measured are to be multiplied to stand for all actions; 1 without
    /// sampling. Where the rate changed in between (``isMixed``) it is the mean over all of the time.
    public var scale: Double { measured == 0 ? 1 : Double(actions) / Double(measured) }

    /// One line: what the store is called, and how many actions in what time. ``LatencyTable`` has the figures.
    public var description: String { "\(Escaping.plain(label)): \(headline)" }

    /// Outliers of all stages.
    public var outliers: UInt64 { stages.reduce(0) { $0 + $1.latency.outliers } }
}
