// SPDX-License-Identifier: Apache-2.0

/// Dispatches actions when a part of the state goes over from one value to another.
///
/// ```swift
/// let machine = StateMachineMiddleware<AppAction, AppAction, AppState>()
///     .when(\.phase, from: .connecting, to: .connected, dispatch: .list(.load))
///     .when(\.phase, to: .value(.failed), dispatch: .reportFailure)
///     .when(\.auth.user, dispatch: .list(.clear))
/// ```
///
/// A value: each rule returns a new middleware, and nothing is changed.
///
/// **Semantics.** The state before the reducers of an action is compared with the one after them. A rule applies on the
/// edge only: when the value changed, was what `from` says and is what `to` says. A value that stays dispatches nothing,
/// nor does a rule whose ends are equal; what a value passes through within one action is not seen; one that goes from a
/// to c by way of b, in two actions, is a transition from a to b and one from b to c.
///
/// **Order.** After the reducers, the rules in written order; each that applies dispatches.
///
/// **Sources.** As of a ``BridgeMiddleware``; the `info` ends with "transition at" and the place of the rule.
///
/// **Cost.** Two reads of the state, and two calls of closures for each rule. Nothing is allocated for an action that is
/// no transition. Outside of a store each call of `handle` allocates.
public struct StateMachineMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Sendable {
    @usableFromInline typealias Watch = TransitionWatch<OutputActionType, StateType>

    @usableFromInline
    struct Rule: Sendable {
        @usableFromInline let note: String
        @usableFromInline let makeWatch: @Sendable () -> Watch

        @inlinable
        init(note: String, makeWatch: @escaping @Sendable () -> Watch) {
            self.note = note
            self.makeWatch = makeWatch
        }
    }

    @usableFromInline var rules: [Rule] = []
    /// One a rule, this store's own; nil outside of a store.
    @usableFromInline var watches: [Watch]?

    /// A state machine without rules; it does nothing.
    @inlinable
    public init() {}

    /// Remembers the state before the reducers.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        guard !rules.isEmpty else { return .pure() }
        guard let watches else { return handleUnbound(dispatcher, state) }
        Self.remember(state(), in: watches)
        return .pure()
    }

    /// Whether there are rules.
    @inlinable
    public var hasAfterReduce: Bool { !rules.isEmpty }

    /// Dispatches what the rules say.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        guard let watches else { return }
        compare(state(), with: watches, dispatcher, output)
    }

    /// Gives the rules a memory of this store's own.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        watches = rules.map { $0.makeWatch() }
    }

    /// Outside of a store, and in a wrapper that passes on nothing but `handle`: the work remembers.
    @usableFromInline
    func handleUnbound(_ dispatcher: ActionSource, _ state: @escaping GetState<StateType>) -> IO<OutputActionType> {
        let watches = rules.map { $0.makeWatch() }
        Self.remember(state(), in: watches)
        return IO { output in compare(state(), with: watches, dispatcher, output) }
    }

    @inlinable
    static func remember(_ state: StateType, in watches: [Watch]) {
        for index in watches.indices { watches[index].before(state) }
    }

    @inlinable
    func compare(
        _ state: StateType,
        with watches: [Watch],
        _ dispatcher: ActionSource,
        _ output: AnyActionHandler<OutputActionType>
    ) {
        for index in watches.indices {
            if let action = watches[index].after(state) {
                output.dispatch(action, from: dispatcher.noting(rules[index].note))
            }
        }
    }
}
