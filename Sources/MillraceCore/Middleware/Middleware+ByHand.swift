// SPDX-License-Identifier: Apache-2.0

// For tests, which call `handle` with a closure that reads a variable of the test. `GetState` is Sendable, since an IO
// or an effect may read the state on any thread, so in Swift 6 mode a middleware's own `handle` refuses such a closure.
extension MiddlewareProtocol {
    /// Calls `handle` as a test does, with any state closure.
    ///
    /// ```swift
    /// var state = CartState()
    /// middleware.handle(action: .add(tea), from: .here(), state: { state }).run { outputs.append($0.action) }
    /// ```
    ///
    /// The compiler does not check that the closure is Sendable. If the middleware reads the state on another thread,
    /// see to it that the closure may be called there.
    @inlinable
    public func handle(
        action: InputActionType,
        from callSite: CallSite,
        state: @escaping () -> StateType
    ) -> IO<OutputActionType> {
        // Unchecked: the caller is told.
        let state = Unchecked(state)
        return handle(action: action, from: callSite.source, state: { state.value() })
    }

    /// Calls `handle` with a state function that is not Sendable, such as `store.getState` of a class of the test's
    /// own. In Swift 6 mode the compiler warns.
    ///
    /// - Parameters:
    ///   - action: The action to handle.
    ///   - dispatcher: The place that dispatched the action.
    ///   - state: The state function.
    ///   - byHand: Leave it out. It makes this function differ from the one that a middleware implements.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        byHand: Void = ()
    ) -> IO<OutputActionType> {
        handle(action: action, from: dispatcher, state: state)
    }
}
