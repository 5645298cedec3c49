// SPDX-License-Identifier: Apache-2.0

/// A middleware made of a closure, which clients see as an ``AnyMiddleware``.
@usableFromInline
struct ClosureMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Sendable {
    @usableFromInline typealias Body =
        @Sendable (
            InputActionType, ActionSource, @escaping GetState<StateType>
        ) -> IO<OutputActionType>

    @usableFromInline typealias Context =
        @Sendable (@escaping GetState<StateType>, AnyActionHandler<OutputActionType>) -> Void

    @usableFromInline let body: Body
    /// Called once, when a store binds the middleware.
    @usableFromInline let receiveContext: Context?

    @inlinable
    init(receiveContext: Context? = nil, _ body: @escaping Body) {
        self.body = body
        self.receiveContext = receiveContext
    }

    @inlinable
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        body(action, dispatcher, state)
    }

    @inlinable
    mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        guard let receiveContext, let output = binding.makeOutput, let getter = binding.state.getter else { return }
        receiveContext(getter, output())
    }
}
