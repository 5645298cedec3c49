// SPDX-License-Identifier: Apache-2.0

/// The actions of the store in which ``MiddlewareRules`` checks a wrapper.
public enum RuleAction: Sendable, Hashable {
    /// The middleware inside starts an effect with this token. The effect dispatches `ended` at once or after one or
    /// two milliseconds, and ends two milliseconds later.
    case start(Int)
    /// The middleware inside cancels the effect with this token.
    case cancel(Int)
    /// Dispatched by the effect with this token.
    case ended(Int)
    /// The middleware inside dispatches `said(1)`, `said(2)`, … up to this number.
    case say(Int)
    /// Dispatched in answer to `say`.
    case said(Int)
    /// The middleware inside ignores this action. Use it for a wrapper that needs an action of its own, for example to
    /// close a gate.
    case note(Int)
}
