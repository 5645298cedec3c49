// SPDX-License-Identifier: Apache-2.0

/// A middleware made of a closure, which clients see as an ``AnyMiddleware``.
@usableFromInline
struct ClosureMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Sendable {
    @usableFromInline typealias Body =
        @Sendable (
            InputActionType, ActionSource, @escaping GetState<StateType>
        ) -> IO<OutputActionType>

    @usableFromInline let body: Body

    @inlinable
    init(_ body: @escaping Body) {
        self.body = body
    }

    @inlinable
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        body(action, dispatcher, state)
    }
}
