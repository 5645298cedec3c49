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
        /// A work that a middleware answered, its `afterReduce`, or a subscriber.
        case effects
    }

    /// What it was doing.
    public let stage: Stage
    /// The name of the middleware (``MiddlewareProtocol/named(_:)``), the innermost if names nest; nil when the
    /// middleware has none, and for reducers and works.
    public let middleware: MiddlewareName?
    /// The kind of the action: the name of its case, or its type.
    public let actionKind: String
    /// The action's place in the store's order, from 1.
    public let actionNumber: UInt64
    /// Where the action was dispatched.
    public let source: ActionSource

    /// One line for a log.
    public var description: String {
        let name = middleware.map { "\"\($0)\" " } ?? ""
        return "\(name)\(stage.rawValue) \(actionKind), number \(actionNumber), from \(source.file):\(source.line)"
    }
}
