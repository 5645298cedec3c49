// SPDX-License-Identifier: Apache-2.0

/// Answers actions with actions: what happens in one part of an app and concerns another.
///
/// ```swift
/// let bridge = BridgeMiddleware<AppAction, AppAction, AppState>()
///     .bridge(on: \.auth?.loggedIn, dispatch: { user in .list(.load(user)) })
///     .bridge(on: \.auth?.loggedOut, dispatch: .list(.clear), when: { !$0.list.isEmpty })
/// ```
///
/// The two parts need not know each other. A value: each rule returns a new bridge, and nothing is changed.
///
/// **Order.** After the reducers; the rules in written order, each that applies dispatches. The state that a rule sees is
/// the one after the reducers.
///
/// **Sources.** What is dispatched keeps file, line and function of the action that it answers; its `info` ends with
/// "bridged at" and the place of the rule. No place is noted twice.
///
/// **Cost.** A call of a closure for each rule. Nothing is allocated for an action that no rule answers.
public struct BridgeMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Sendable {
    @usableFromInline
    struct Rule: Sendable {
        @usableFromInline typealias Answer = @Sendable (InputActionType) -> OutputActionType?

        /// Made from the getter once: a getter that is passed on at each call is an allocation each.
        @usableFromInline let makeAnswer: @Sendable (@escaping GetState<StateType>) -> Answer
        /// nil outside of a store.
        @usableFromInline var answer: Answer?
        @usableFromInline let note: String

        @inlinable
        init(note: String, makeAnswer: @escaping @Sendable (@escaping GetState<StateType>) -> Answer) {
            self.note = note
            self.makeAnswer = makeAnswer
        }
    }

    @usableFromInline var rules: [Rule] = []

    /// A bridge without rules; it does nothing.
    @inlinable
    public init() {}

    /// Answers with nothing to do: rules are looked at after the reducers.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        .pure()
    }

    /// Whether there are rules.
    @inlinable
    public var hasAfterReduce: Bool { !rules.isEmpty }

    /// Dispatches what the rules answer.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        for index in rules.indices {
            let answer = rules[index].answer ?? rules[index].makeAnswer(state)
            if let action = answer(action) {
                output.dispatch(action, from: dispatcher.noting(rules[index].note))
            }
        }
    }

    /// Gives the rules the state.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        for index in rules.indices {
            rules[index].answer = rules[index].makeAnswer(state)
        }
    }
}
