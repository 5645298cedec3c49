// SPDX-License-Identifier: Apache-2.0

/// A rule that every middleware must obey. ``MiddlewareRules`` checks these rules.
public enum MiddlewareRule: Sendable, Hashable, CaseIterable {
    /// Two worlds with the same seed give the same run: the middleware takes time, tasks and random numbers from its
    /// world only. Other rules compare runs, so this rule is checked first.
    case repeatable
    /// The middleware does the same alone, lifted by functions that change nothing, and erased to `AnyMiddleware`.
    case liftAndErasure
    /// Actions that the middleware dispatches while it handles an action are handled in the order of their dispatch.
    case order
    /// After the end of the store, the effects are cancelled and the middleware dispatches nothing. A plugin must obey
    /// this rule after its removal.
    case silentAfterRelease
    /// These are released with the store: the middleware if it is an object, its outputs, and the objects that the test
    /// names.
    case released
    /// `effectCanceller` cancels all effects. Through a wrapper, a token cancels an effect with everything that it has
    /// dispatched and that is not handled yet.
    case cancellation
    /// A probe does not change what the middleware does. Through a wrapper, the name of the middleware inside reaches
    /// the store and the probe.
    case probes
    /// Through a wrapper, `handle` of the middleware inside reads the state before the action, and `afterReduce` the
    /// state after it.
    case state
}

extension MiddlewareRule: CustomStringConvertible {
    /// The rule as a sentence.
    public var description: String {
        switch self {
        case .repeatable: "the same world gives the same run"
        case .liftAndErasure: "alone, lifted by identity functions and erased, it does the same"
        case .order: "what it dispatches while it handles actions keeps its order"
        case .silentAfterRelease: "after the end of the store its effects are cancelled, and it dispatches nothing"
        case .released: "what belongs to it is released with the store"
        case .cancellation: "its effects can be cancelled"
        case .probes: "names and probes reach everything inside, and change nothing"
        case .state: "handle reads the state before the action, afterReduce the state after it"
        }
    }
}
