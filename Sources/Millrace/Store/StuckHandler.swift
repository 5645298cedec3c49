// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A handler that was running at the deadline of a shutdown and did not return.
public struct StuckHandler: Sendable, Hashable, CustomStringConvertible {
    /// The part of an action that the pipeline is in.
    public enum Stage: String, Sendable, Hashable, Codable {
        /// A middleware's `handle` is running.
        case handling
        /// The reducers are running.
        case reducing
        /// An IO that a middleware returned is running, or a middleware's `afterReduce`. Or a subscriber is running
        /// within an action: with ``Publication/everyAction``, or in a store made with a subject.
        case effects
        /// A subscriber is running, between two actions.
        case notifying
    }

    /// The stage that the handler was in.
    public let stage: Stage
    /// The name of the middleware (`named(_:)`), the innermost if names nest. Nil if the
    /// middleware has no name, for reducers, and for IOs other than those of plugins.
    public let middleware: MiddlewareName?
    /// The kind of the action: the name of its case, or its type; `subscribers` in the stage ``Stage/notifying``.
    public let actionKind: String
    /// The number of the action: 1 is the first that the store handled. In the stage ``Stage/notifying``, the number of the
    /// action before.
    public let actionNumber: UInt64
    /// The place in the source where the action was dispatched; empty in the stage ``Stage/notifying``.
    public let source: ActionSource

    /// One line for a log.
    public var description: String {
        if stage == .notifying { return "notifying subscribers (after number \(actionNumber))" }
        let name = middleware.map { "middleware \"\($0)\", " } ?? ""
        let doing =
            switch stage {
            case .handling: "handling"
            case .reducing: "reducing"
            case .effects, .notifying: "running the effects of"
            }
        return "\(name)\(doing) action '\(actionKind)' (number \(actionNumber)) from \(source.file):\(source.line)"
    }
}
