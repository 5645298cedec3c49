// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Deprecated and not unavailable: the compiler passes over an unavailable function where that of `MiddlewareProtocol`
// fits, too. scripts/errors-test.sh compares the messages.
extension SupervisingMiddleware {
    /// Lifts to one element at a time, so that each action stops the effects of all other elements: it compiles with a
    /// warning, which names what to write.
    @available(
        *,
        deprecated,
        message: "it sees one element at a time: supervise the collection, with supervise(each:key:definition:_:)"
    )
    @preconcurrency
    @inlinable
    public func liftToDictionary<GlobalInput, GlobalOutput, GlobalState, Key>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<Key, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<Key, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> [Key: StateType],
        vanished: VanishedElement = .skip
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Key, Self> {
        liftedToDictionary(self, inputAction, outputAction, state, vanished)
    }

    /// Lifts to one element at a time, so that each action stops the effects of all other elements: it compiles with a
    /// warning, which names what to write.
    @available(
        *,
        deprecated,
        message: "it sees one element at a time: supervise the collection, with supervise(each:key:definition:_:)"
    )
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements,
        vanished: VanishedElement = .skip
    ) -> LiftToCollectionMiddleware<GlobalInput, GlobalOutput, GlobalState, Elements, Self>
    where Elements.Element == StateType, StateType: Identifiable {
        liftedToCollection(self, inputAction, outputAction, state, vanished)
    }
}

/// The lift of any middleware.
@inlinable
func liftedToDictionary<M: MiddlewareProtocol, GlobalInput, GlobalOutput, GlobalState, Key>(
    _ middleware: M,
    _ inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<Key, M.InputActionType>?,
    _ outputAction: @escaping @Sendable (ElementIDAction<Key, M.OutputActionType>) -> GlobalOutput,
    _ state: @escaping @Sendable (GlobalState) -> [Key: M.StateType],
    _ vanished: VanishedElement
) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Key, M> {
    middleware.liftToDictionary(
        inputAction: inputAction,
        outputAction: outputAction,
        state: state,
        vanished: vanished
    )
}

/// The lift of any middleware.
@inlinable
func liftedToCollection<
    M: MiddlewareProtocol,
    GlobalInput,
    GlobalOutput,
    GlobalState,
    Elements: MutableCollection
>(
    _ middleware: M,
    _ inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<M.StateType.ID, M.InputActionType>?,
    _ outputAction: @escaping @Sendable (ElementIDAction<M.StateType.ID, M.OutputActionType>) -> GlobalOutput,
    _ state: @escaping @Sendable (GlobalState) -> Elements,
    _ vanished: VanishedElement
) -> LiftToCollectionMiddleware<GlobalInput, GlobalOutput, GlobalState, Elements, M>
where Elements.Element == M.StateType, M.StateType: Identifiable {
    middleware.liftToCollection(
        inputAction: inputAction,
        outputAction: outputAction,
        state: state,
        vanished: vanished
    )
}
