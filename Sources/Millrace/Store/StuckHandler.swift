// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A handler that has run for too long. It was still running after the deadline of a shutdown (``ShutdownReport``), or
/// the `SlowHandlerWatchdog` of `MillraceInstrumentation` has found it.
public struct StuckHandler: Sendable, Hashable, CustomStringConvertible {
    /// What the pipeline is doing: a part of an action, or a call of subscribers between two actions.
    public enum Stage: String, Sendable, Hashable, Codable {
        /// A middleware's `handle` is running.
        case handling
        /// The reducers are running.
        case reducing
        /// An IO or the `afterReduce` of a middleware is running. Or a subscriber is running as a part of the action:
        /// with ``Publication/everyAction``, or in a store made with a subject.
        case effects
        /// A subscriber is running between two actions.
        case notifying
    }

    /// What the pipeline was doing.
    public let stage: Stage
    /// The name of the middleware (`named(_:)`), the innermost one if a named middleware contains another. Nil if the
    /// middleware has no name, for reducers and subscribers, and for IOs other than those of plugins.
    public let middleware: MiddlewareName?
    /// The kind of the action: the name of its case, or its type. In the stage ``Stage/notifying``: `subscribers`.
    public let actionKind: String
    /// The number of the action, from 1. In the stage ``Stage/notifying``, the number of the action that the store
    /// handled last; 0 if it has handled none.
    public let actionNumber: UInt64
    /// The place in the code that dispatched the action. In the stage ``Stage/notifying`` its texts are empty.
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
