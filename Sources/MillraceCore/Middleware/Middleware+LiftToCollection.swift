// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol where StateType: Identifiable {
    /// This middleware at work on the elements of a collection, each addressed by its id.
    ///
    /// See ``LiftToElementMiddleware`` for what happens when an element is not there. In a plain collection the element
    /// is searched from the first on; a ``KeyedCollection`` is asked.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements
    ) -> LiftToCollectionMiddleware<GlobalInput, GlobalOutput, GlobalState, Elements, Self>
    where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID> { $0.id }
        return LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ($0.id, $0.action) } },
                output: { outputAction(ElementIDAction(id: $1, action: $2)) },
                element: { search.element(of: $1, in: state($0)) }
            )
        )
    }
}

extension MiddlewareProtocol where StateType: Identifiable, InputActionType == OutputActionType {
    /// This middleware at work on the elements of a collection, each addressed by its id, by key paths.
    ///
    /// What it dispatches is written into a copy of the action it handled. Where the key path does not take it, as it
    /// happens with a setter that does nothing, the copy is thrown away: it would be the handled action once more. To
    /// make sure, the action is read back, and compared by `==` if it has one, else by its bytes.
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<StateType.ID, InputActionType>?>,
        stateCollection: KeyPath<GlobalState, Elements>
    ) -> LiftToCollectionMiddleware<GlobalAction, GlobalAction, GlobalState, Elements, Self>
    where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID> { $0.id }
        let input = PathReader(action)
        let output = CheckedWriter(action)
        let state = PathReader(stateCollection)
        return LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { input.read($0).map { ($0.id, $0.action) } },
                output: { output.writing(ElementIDAction(id: $1, action: $2), into: $0) },
                element: { search.element(of: $1, in: state.read($0)) }
            )
        )
    }
}

extension MiddlewareProtocol {
    /// This middleware at work on the elements of a collection, each addressed by what a key path finds in it.
    ///
    /// Otherwise as with ids. It always searches from the first element on.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection, ID: Hashable>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements,
        identifier: KeyPath<StateType, ID>
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, ID, Self>
    where Elements.Element == StateType {
        let identifier = PathReader(identifier)
        let search = ElementSearch<Elements, ID>.comparing { identifier.read($0) }
        return LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ($0.id, $0.action) } },
                output: { outputAction(ElementIDAction(id: $1, action: $2)) },
                element: { search.element(of: $1, in: state($0)) }
            )
        )
    }

    /// This middleware at work on the elements of a collection, each addressed by its index.
    ///
    /// An element is not there when the collection has no such index. When elements come and go an index soon stands
    /// for another element: the getter reads the one that is there at the moment of the call.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIndexAction<Elements.Index, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIndexAction<Elements.Index, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements
    ) -> LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Elements.Index, Self>
    where Elements.Element == StateType {
        LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ($0.index, $0.action) } },
                output: { outputAction(ElementIndexAction(index: $1, action: $2)) },
                element: { globalState, index in
                    let elements = state(globalState)
                    return elements.indices.contains(index) ? elements[index] : nil
                }
            )
        )
    }
}
