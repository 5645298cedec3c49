// SPDX-License-Identifier: Apache-2.0

/// The actions of the store in which ``MiddlewareRules`` checks a wrapper.
public enum RuleAction: Sendable, Hashable {
    /// The middleware inside starts an effect with this token. It dispatches `ended` at once or after some milliseconds, and
    /// goes on for two more.
    case start(Int)
    /// The middleware inside cancels the effect with this token.
    case cancel(Int)
    /// Dispatched by the effect with this token.
    case ended(Int)
    /// The middleware inside dispatches `said(1)`, `said(2)`, … up to this number.
    case say(Int)
    /// Dispatched in answer to `say`.
    case said(Int)
    /// Nobody answers it; for wrappers that need an action of their own, such as one that closes a gate.
    case note(Int)
}
