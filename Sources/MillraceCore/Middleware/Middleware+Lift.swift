// SPDX-License-Identifier: Apache-2.0

// A call site names the axes that change, and omits the others: seven functions. Swift (6.3) cannot make one function
// of them. The type of an omitted axis would have to be inferred from a default value, and the compiler ignores a
// default value whose type has a generic parameter of the enclosing type (SE-0347). Nor has Swift a name for
// "AnyMiddleware of any types", so each type whose lift has its own type repeats the seven: AnyMiddleware,
// ComposedMiddleware, IdentityMiddleware and EffectMiddleware.
//
// Here they are disfavoured, so that the compiler ends its search with the lift of the receiver's own type. And there
// is one function for each set of labels. A second one, for a KeyPath in place of the closure, gave a composition of
// eight lifts 2^8 meanings, for which the compiler took seconds. A key path literal becomes a closure, and an optimised
// build replaces it by the access that it stands for. scripts/lift-check.sh checks both.
extension MiddlewareProtocol {
    /// Adapts this middleware to larger input action, output action and state types.
    ///
    /// A `state` that computes its part, and does not only read it, computes it each time the middleware reads the
    /// state.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction).state(state))
    }

    /// Adapts this middleware to larger input action and output action types.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> LiftMiddleware<GlobalInput, GlobalOutput, StateType, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).output(outputAction))
    }

    /// Adapts this middleware to larger input action and state types.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<GlobalInput, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction).state(state))
    }

    /// Adapts this middleware to larger output action and state types.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<InputActionType, GlobalOutput, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction).state(state))
    }

    /// Adapts this middleware to a larger input action type.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> LiftMiddleware<GlobalInput, OutputActionType, StateType, Self> {
        LiftMiddleware(self, LiftAxes().input(inputAction))
    }

    /// Adapts this middleware to a larger output action type.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> LiftMiddleware<InputActionType, GlobalOutput, StateType, Self> {
        LiftMiddleware(self, LiftAxes().output(outputAction))
    }

    /// Adapts this middleware to a larger state type.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> LiftMiddleware<InputActionType, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().state(state))
    }

    /// Adapts this middleware to a larger state type, with a key path that is a value, or that should be read by its
    /// place in the state.
    ///
    /// ```swift
    /// let audit = Audit().gated(state: \.isAuditing).lift(statePath: \AppState.settings)
    /// ```
    ///
    /// The key path literal of a stored property is as fast in `lift(state:)`, but only here the middleware is told
    /// where the value is in the store. A middleware that is gated by state then reads it there, without a copy of the
    /// larger state.
    @inlinable
    public func lift<GlobalState>(
        statePath: KeyPath<GlobalState, StateType>
    ) -> LiftMiddleware<InputActionType, OutputActionType, GlobalState, Self> {
        LiftMiddleware(self, LiftAxes().state(path: statePath))
    }
}
