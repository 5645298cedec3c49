// SPDX-License-Identifier: Apache-2.0

/// What was measured of one stage of the pipeline.
public struct StageSnapshot: Sendable, CustomStringConvertible {
    /// What kind of stage a stage is.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// From dispatch, or from the intended time, until the pipeline takes the action up.
        case queue
        /// `handle` of a named middleware, with the middlewares it holds.
        case middleware
        /// The reducers.
        case reducers
        /// The works that the middlewares answered, and their `afterReduce`, up to where they return.
        case effects
        /// Publishing the state and telling the observers: also between two actions, then it belongs to no kind.
        case publication
        /// From dispatch, or from the intended time, until the action is finished.
        case total

        /// Whether the time of this stage is a part of the time that the pipeline works on an action.
        public var isWork: Bool { self != .queue && self != .total }
    }

    /// What it is called: the name of the middleware, or the role.
    public let name: String
    /// What kind of stage it is.
    public let role: Role
    /// How long it took, with 3 digits.
    public internal(set) var latency: LatencyDistribution

    /// A stage.
    public init(name: String, role: Role, latency: LatencyDistribution) {
        self.name = name
        self.role = role
        self.latency = latency
    }

    /// One line: how many, p50, p99 and the longest.
    public var description: String { "\(Escaping.plain(name)): \(latency)" }
}
