// SPDX-License-Identifier: Apache-2.0

/// The measurements of one stage of the pipeline.
public struct StageSnapshot: Sendable, CustomStringConvertible {
    /// The role of a stage.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// From dispatch, or from the intended time, until the pipeline starts to handle the action.
        case queue
        /// `handle` of a named middleware, with the middlewares that it contains.
        case middleware
        /// The reducers.
        case reducers
        /// The IO that the middlewares returned, and their `afterReduce`, until they return.
        case effects
        /// Publishing the state and calling the subscribers. A publication between two actions belongs to no kind.
        case publication
        /// Waiting for the store's journal. It is part of the stage in which the pipeline had to wait; a wait before an
        /// action begins belongs to no kind.
        case journal
        /// From dispatch, or from the intended time, until the action is finished.
        case total

        /// Whether the time of this stage is part of the time in which the pipeline handles an action.
        public var isWork: Bool { self != .queue && self != .total }
    }

    /// The name of the stage: the name of the middleware, or the role.
    public let name: String
    /// The role of the stage.
    public let role: Role
    /// The times that the stage took, with three significant digits.
    public internal(set) var latency: LatencyDistribution
    /// The copies of its state that a named middleware got.
    public internal(set) var copies: StateCopies

    /// Creates the snapshot of a stage.
    public init(name: String, role: Role, latency: LatencyDistribution, copies: StateCopies = StateCopies()) {
        self.name = name
        self.role = role
        self.latency = latency
        self.copies = copies
    }

    /// One line: count, p50, p99 and maximum.
    public var description: String { "\(Escaping.plain(name)): \(latency)" }
}
