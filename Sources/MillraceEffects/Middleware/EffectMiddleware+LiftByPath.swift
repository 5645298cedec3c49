// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware where InputActionType == OutputActionType {
    /// This middleware at work in larger actions and a larger state, by key paths.
    ///
    /// What it dispatches is written into a copy of the action it answers. Where the key path does not take it, as it
    /// happens with a setter that does nothing, it is thrown away: it would be the answered action once more, for ever.
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
            state: reading(state)
        )
    }
}
