// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware where InputActionType == OutputActionType {
    /// Adapts this middleware to larger actions and a larger state, by key paths.
    ///
    /// An action that the middleware dispatches is written into a copy of the action that it answers. If the key path
    /// does not store it, as with a setter that does nothing, the action is dropped: otherwise the answered action
    /// would be dispatched again, for ever.
    @inlinable
    public func lift<GlobalAction, GlobalState>(
        action: WritableKeyPath<GlobalAction, InputActionType?>,
        state: KeyPath<GlobalState, StateType>
    ) -> EffectMiddleware<GlobalAction, GlobalAction, GlobalState, Dependencies> {
        let reader = PathReader(action)
        let writer = CheckedWriter(action)
        return lifted(
            input: { reader.read($0) },
            output: { writer.writing($1, into: $0) },
            state: reading(PathReader(state).closure)
        )
    }
}
