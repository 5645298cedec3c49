// SPDX-License-Identifier: Apache-2.0

extension EffectMiddleware {
    @inlinable
    func lifted<GlobalInput, GlobalOutput, GlobalState>(
        input: @escaping @Sendable (GlobalInput) -> InputActionType?,
        output: @escaping @Sendable (GlobalInput, OutputActionType) -> GlobalOutput?,
        state: @escaping @Sendable (StateReader<GlobalState>) -> StateReader<StateType>
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies>(
            parts: parts.map { part in
                let makePass = part.makePass
                return .init(owner: part.owner) { global, services in
                    makePass(state(global), services).lifted(input: input, output: output)
                }
            }
        )
    }
}

/// Returns a closure that turns a reader of a state into a reader of its part.
@inlinable
func reading<Root, Value>(
    _ part: @escaping @Sendable (Root) -> Value
) -> @Sendable (StateReader<Root>) -> StateReader<Value> {
    { $0.map(part) }
}

// The same lifts as for every middleware. Here the result is an effect middleware again.
extension EffectMiddleware {
    /// Adapts this middleware to larger input actions, larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        lifted(input: inputAction, output: { outputAction($1) }, state: reading(state))
    }

    /// Adapts this middleware to larger input actions and larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, StateType, Dependencies> {
        lifted(input: inputAction, output: { outputAction($1) }, state: { $0 })
    }

    /// Adapts this middleware to larger input actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<GlobalInput, OutputActionType, GlobalState, Dependencies> {
        lifted(input: inputAction, output: { $1 }, state: reading(state))
    }

    /// Adapts this middleware to larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<InputActionType, GlobalOutput, GlobalState, Dependencies> {
        lifted(input: { $0 }, output: { outputAction($1) }, state: reading(state))
    }

    /// Adapts this middleware to larger input actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> EffectMiddleware<GlobalInput, OutputActionType, StateType, Dependencies> {
        lifted(input: inputAction, output: { $1 }, state: { $0 })
    }

    /// Adapts this middleware to larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> EffectMiddleware<InputActionType, GlobalOutput, StateType, Dependencies> {
        lifted(input: { $0 }, output: { outputAction($1) }, state: { $0 })
    }

    /// Adapts this middleware to a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<InputActionType, OutputActionType, GlobalState, Dependencies> {
        lifted(input: { $0 }, output: { $1 }, state: reading(state))
    }
}
