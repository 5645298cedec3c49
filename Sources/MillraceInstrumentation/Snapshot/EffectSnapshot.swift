// SPDX-License-Identifier: Apache-2.0

/// What was measured of the effects that one middleware started.
public struct EffectSnapshot: Sendable, CustomStringConvertible {
    /// The name of the middleware; `effects` if it has none.
    public let name: String
    /// Effects that were started.
    public internal(set) var started: UInt64
    /// Effects that ended well.
    public internal(set) var completed: UInt64
    /// Effects that were cancelled.
    public internal(set) var cancelled: UInt64
    /// From start to end, with 2 digits: those that completed, and those that were cancelled.
    public internal(set) var latency: LatencyDistribution

    /// Effects.
    public init(name: String, started: UInt64, completed: UInt64, cancelled: UInt64, latency: LatencyDistribution) {
        self.name = name
        self.started = started
        self.completed = completed
        self.cancelled = cancelled
        self.latency = latency
    }

    /// One line: how many were started and cancelled, p50, p99 and the longest of those that ended.
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
