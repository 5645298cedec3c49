// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    @inlinable
    func lifted<GlobalInput, GlobalOutput, GlobalState>(
        input: @escaping @Sendable (GlobalInput) -> InputActionType?,
        output: @escaping @Sendable (GlobalInput, OutputActionType) -> GlobalOutput?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies>(
            parts: parts.map { part in
                let makePass = part.makePass
                return .init(owner: part.owner) { global in
                    makePass({ state(global()) }).lifted(input: input, output: output)
                }
            }
        )
    }
}

@inlinable
func reading<Root, Value>(_ path: KeyPath<Root, Value>) -> @Sendable (Root) -> Value {
    PathReader(path).closure
}

// The lifts of every middleware, which here give an effect middleware again.
extension EffectMiddleware {
    /// This middleware at work in larger input actions, larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        lifted(input: inputAction, output: { outputAction($1) }, state: state)
    }

    /// This middleware at work in larger input actions, larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        lifted(input: inputAction, output: { outputAction($1) }, state: reading(state))
    }

    /// This middleware at work in larger input actions and larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalOutput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, StateType, Dependencies> {
        lifted(input: inputAction, output: { outputAction($1) }, state: { $0 })
    }

    /// This middleware at work in larger input actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<GlobalInput, OutputActionType, GlobalState, Dependencies> {
        lifted(input: inputAction, output: { $1 }, state: state)
    }

    /// This middleware at work in larger input actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput, GlobalState>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?,
        state: KeyPath<GlobalState, StateType>
    ) -> EffectMiddleware<GlobalInput, OutputActionType, GlobalState, Dependencies> {
        lifted(input: inputAction, output: { $1 }, state: reading(state))
    }

    /// This middleware at work in larger output actions and a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<InputActionType, GlobalOutput, GlobalState, Dependencies> {
        lifted(input: { $0 }, output: { outputAction($1) }, state: state)
    }

    /// This middleware at work in larger output actions and a larger state by a key path.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput, GlobalState>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput,
        state: KeyPath<GlobalState, StateType>
    ) -> EffectMiddleware<InputActionType, GlobalOutput, GlobalState, Dependencies> {
        lifted(input: { $0 }, output: { outputAction($1) }, state: reading(state))
    }

    /// This middleware at work in larger input actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalInput>(
        inputAction: @escaping @Sendable (GlobalInput) -> InputActionType?
    ) -> EffectMiddleware<GlobalInput, OutputActionType, StateType, Dependencies> {
        lifted(input: inputAction, output: { $1 }, state: { $0 })
    }

    /// This middleware at work in larger output actions.
    @preconcurrency
    @inlinable
    public func lift<GlobalOutput>(
        outputAction: @escaping @Sendable (OutputActionType) -> GlobalOutput
    ) -> EffectMiddleware<InputActionType, GlobalOutput, StateType, Dependencies> {
        lifted(input: { $0 }, output: { outputAction($1) }, state: { $0 })
    }

    /// This middleware at work in a larger state.
    @preconcurrency
    @inlinable
    public func lift<GlobalState>(
        state: @escaping @Sendable (GlobalState) -> StateType
    ) -> EffectMiddleware<InputActionType, OutputActionType, GlobalState, Dependencies> {
        lifted(input: { $0 }, output: { $1 }, state: state)
    }

    /// This middleware at work in a larger state by a key path.
    @inlinable
    public func lift<GlobalState>(
        state: KeyPath<GlobalState, StateType>
    ) -> EffectMiddleware<InputActionType, OutputActionType, GlobalState, Dependencies> {
        lifted(input: { $0 }, output: { $1 }, state: reading(state))
    }
}
