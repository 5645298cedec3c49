// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A handler that was running at the deadline of a shutdown, and did not return.
public struct StuckHandler: Sendable, Hashable, CustomStringConvertible {
    /// What a pipeline does with an action.
    public enum Stage: String, Sendable, Hashable, Codable {
        /// A middleware's `handle`.
        case handling
        /// The reducers.
        case reducing
        /// A work that a middleware answered, its `afterReduce`, or a subscriber with ``Publication/everyAction``.
        case effects
        /// A subscriber, between two actions.
        case notifying
    }

    /// What it was doing.
    public let stage: Stage
    /// The name of the middleware (``MiddlewareProtocol/named(_:)``), the innermost if names nest; nil when the
    /// middleware has none, for reducers, and for works but those of plugins.
    public let middleware: MiddlewareName?
    /// The kind of the action: the name of its case, or its type; `subscribers` when these are being told.
    public let actionKind: String
    /// The action's place in the store's queue, from 1, which also counts messages such as a `drain`; of subscribers, how
    /// far the queue had been worked off.
    public let actionNumber: UInt64
    /// Where the action was dispatched; empty for subscribers.
    public let source: ActionSource

    /// One line for a log.
    public var description: String {
        if stage == .notifying { return "notifying subscribers, after number \(actionNumber)" }
        let name = middleware.map { "\"\($0)\" " } ?? ""
        return "\(name)\(stage.rawValue) \(actionKind), number \(actionNumber), from \(source.file):\(source.line)"
    }
}
