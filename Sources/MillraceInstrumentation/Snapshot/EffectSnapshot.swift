// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The measurements of the effects that one middleware started.
public struct EffectSnapshot: Sendable, CustomStringConvertible {
    /// The name of the middleware; `effects` if it has none.
    public let name: String
    /// The number of effects that were started.
    public internal(set) var started: UInt64
    /// The number of effects that completed.
    public internal(set) var completed: UInt64
    /// The number of effects that were cancelled.
    public internal(set) var cancelled: UInt64
    /// The times from start to end of completed and cancelled effects, with two significant digits.
    public internal(set) var latency: LatencyDistribution

    /// Creates the snapshot of a middleware's effects.
    public init(name: String, started: UInt64, completed: UInt64, cancelled: UInt64, latency: LatencyDistribution) {
        self.name = name
        self.started = started
        self.completed = completed
        self.cancelled = cancelled
        self.latency = latency
    }

    /// One line: the numbers of started and cancelled effects, and p50, p99 and maximum of those that ended.
    public var description: String {
        """
        \(Escaping.plain(name)): \(Decimal.grouped(started)) started, \(Decimal.grouped(cancelled)) cancelled; \
        ended: \(latency)
        """
    }

    mutating func add(_ other: EffectSnapshot) {
        started += other.started
        completed += other.completed
        cancelled += other.cancelled
        latency.add(other.latency)
    }
}
