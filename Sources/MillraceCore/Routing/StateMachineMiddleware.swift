// SPDX-License-Identifier: Apache-2.0

/// Dispatches actions when a part of the state changes from one value to another.
///
/// ```swift
/// let machine = StateMachineMiddleware<AppAction, AppAction, AppState>()
///     .when(\.phase, from: .connecting, to: .connected, dispatch: .list(.load))
///     .when(\.phase, to: .value(.failed), dispatch: .reportFailure)
///     .when(\.auth.user, dispatch: .list(.clear))
/// ```
///
/// A state machine is a value: each rule returns a new middleware and leaves the old one unchanged.
///
/// **Semantics.** The middleware compares the state before the reducers of an action with the state after them. A rule
/// applies if the value changed, fulfilled `from` before and fulfils `to` after. An unchanged value dispatches nothing,
/// and neither does a rule whose two ends are equal. Intermediate values within one action are not seen. A value that
/// changes from a to b and then from b to c, in two actions, makes these two transitions.
///
/// **Order.** The rules run after the reducers, in written order; each rule that applies dispatches.
///
/// **Sources.** The same as for a ``BridgeMiddleware``, but the `info` ends with "transition at" and the place of the
/// rule.
///
/// **Cost.** Two reads of the state, and two closure calls per rule. Nothing is allocated for an action without a
/// transition. Outside of a store, each call of `handle` allocates.
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
    /// One watch per rule, for this store only; nil outside of a store.
    @usableFromInline var watches: [Watch]?
    @usableFromInline var place: LivePlace<StateType>?

    /// Creates a state machine without rules; it does nothing.
    @inlinable
    public init() {}

    /// Stores the state before the reducers.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        guard !rules.isEmpty else { return .pure() }
        guard let watches, let place else { return handleUnbound(dispatcher, state) }
        place.withState(orFrom: state) { Self.remember($0, in: watches) }
        return .pure()
    }

    /// Whether the state machine has rules.
    @inlinable
    public var hasAfterReduce: Bool { !rules.isEmpty }

    /// Dispatches the actions of the rules that apply.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        guard let watches, let place else { return }
        place.withState(orFrom: state) { compare($0, with: watches, dispatcher, output) }
    }

    /// Gives the rules a memory for this store only.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        place = LivePlace(binding.state)
        watches = rules.map { $0.makeWatch() }
    }

    /// Compares the states in the IO: outside of a store, and in a wrapper that passes on only `handle`.
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
