// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// Adapts this middleware to the values of a dictionary, each addressed by its key. Each key has its own tokens.
    ///
    /// ```swift
    /// let sessions: SimpleEffectMiddleware<AppAction, AppState> = session.liftToDictionary(
    ///     inputAction: \.session, outputAction: AppAction.session, state: \.sessions
    /// )
    /// ```
    ///
    /// Behaviour and cost are those of `liftToCollection` by id.
    @preconcurrency
    public func liftToDictionary<GlobalInput, GlobalOutput, GlobalState, Key>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<Key, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<Key, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> [Key: StateType],
        vanished: VanishedElement = .skip
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        liftedToElement(
            input: { inputAction($0).map { ($0.id, $0.action) } },
            output: { outputAction(ElementIDAction(id: $1, action: $2)) },
            element: { state($0)[$1] },
            id: { AnyHashable($0) },
            vanished: vanished
        )
    }
}

extension EffectMiddleware where InputActionType == OutputActionType {
    /// Adapts this middleware to the values of a dictionary, each addressed by its key, by key paths. Each key has its
    /// own tokens.
    ///
    /// An action that the middleware dispatches is written into a copy of the action that it answers. If the key path
    /// does not store it, the action is dropped.
    public func liftToDictionary<GlobalAction, GlobalState, Key>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<Key, InputActionType>?>,
        stateDictionary: KeyPath<GlobalState, [Key: StateType]>,
        vanished: VanishedElement = .skip
    ) -> EffectMiddleware<GlobalAction, GlobalAction, GlobalState, Dependencies> {
        let input = PathReader(action)
        let output = CheckedWriter(action)
        let state = PathReader(stateDictionary)
        return liftedToElement(
            input: { input.read($0).map { ($0.id, $0.action) } },
            output: { output.writing(ElementIDAction(id: $1, action: $2), into: $0) },
            element: { state.read($0)[$1] },
            id: { AnyHashable($0) },
            vanished: vanished
        )
    }
}
