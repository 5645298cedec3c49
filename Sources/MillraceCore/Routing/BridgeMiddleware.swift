// SPDX-License-Identifier: Apache-2.0

/// Dispatches actions in answer to other actions, so that one part of an app can react to another.
///
/// ```swift
/// let bridge = BridgeMiddleware<AppAction, AppAction, AppState>()
///     .bridge(on: \.auth?.loggedIn, dispatch: { user in .list(.load(user)) })
///     .bridge(on: \.auth?.loggedOut, dispatch: .list(.clear), when: { !$0.list.isEmpty })
/// ```
///
/// The two parts need not know each other. A bridge is a value: each rule returns a new bridge and leaves the old one
/// unchanged.
///
/// **Order.** The rules run after the reducers, in written order; each rule that applies dispatches. A rule sees the
/// state after the reducers.
///
/// **Sources.** A dispatched action keeps the file, line and function of the action that it answers. Its `info` ends
/// with "bridged at" and the place of the rule. No place is noted twice.
///
/// **Cost.** One closure call per rule. Nothing is allocated for an action that no rule answers.
public struct BridgeMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Sendable {
    @usableFromInline
    struct Rule: Sendable {
        @usableFromInline typealias Answer = @Sendable (InputActionType) -> OutputActionType?

        /// Makes the answer from the getter, once: passing on the getter at each call would allocate each time.
        @usableFromInline let makeAnswer: @Sendable (StateReader<StateType>) -> Answer
        /// Nil outside of a store.
        @usableFromInline var answer: Answer?
        @usableFromInline let note: String

        @inlinable
        init(note: String, makeAnswer: @escaping @Sendable (StateReader<StateType>) -> Answer) {
            self.note = note
            self.makeAnswer = makeAnswer
        }
    }

    @usableFromInline var rules: [Rule] = []

    /// A bridge without rules; it does nothing.
    @inlinable
    public init() {}

    /// Returns a pure IO: the rules run after the reducers.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        .pure()
    }

    /// Whether the bridge has rules.
    @inlinable
    public var hasAfterReduce: Bool { !rules.isEmpty }

    /// Dispatches the answers of the rules.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        for index in rules.indices {
            let answer = rules[index].answer ?? rules[index].makeAnswer(StateReader(state))
            if let action = answer(action) {
                output.dispatch(action, from: dispatcher.noting(rules[index].note))
            }
        }
    }

    /// Gives the state to the rules.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        for index in rules.indices {
            rules[index].answer = rules[index].makeAnswer(binding.state)
        }
    }
}
