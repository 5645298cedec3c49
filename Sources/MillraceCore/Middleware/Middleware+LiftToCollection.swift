// SPDX-License-Identifier: Apache-2.0

extension MiddlewareProtocol where StateType: Identifiable {
    /// Adapts this middleware to the elements of a collection, each addressed by its id.
    ///
    /// See ``LiftToElementMiddleware`` for the behaviour if an element does not exist. A plain collection is searched
    /// from its first element; a ``KeyedCollection`` finds the element itself.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements,
        vanished: VanishedElement = .skip
    ) -> LiftToCollectionMiddleware<GlobalInput, GlobalOutput, GlobalState, Elements, Self>
    where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID>()
        return LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { inputAction($0).map { ($0.id, $0.action) } },
                output: { outputAction(ElementIDAction(id: $1, action: $2)) },
                element: { search.element(of: $1, in: state($0)) }
            ),
            vanished: vanished
        )
    }
}

extension MiddlewareProtocol where StateType: Identifiable, InputActionType == OutputActionType {
    /// Adapts this middleware to the elements of a collection, each addressed by its id, with key paths.
    ///
    /// A dispatched action is written into a copy of the handled action. If the key path ignores the action, for
    /// example because its setter does nothing, the copy is not dispatched: it would be the handled action once more.
    /// To detect this, the action is read back. It is compared with `==` if its type is Equatable, otherwise by its
    /// bytes.
    @inlinable
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<StateType.ID, InputActionType>?>,
        stateCollection: KeyPath<GlobalState, Elements>,
        vanished: VanishedElement = .skip
    ) -> LiftToCollectionMiddleware<GlobalAction, GlobalAction, GlobalState, Elements, Self>
    where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID>()
        let input = PathReader(action)
        let output = CheckedWriter(action)
        let state = PathReader(stateCollection)
        return LiftToElementMiddleware(
            self,
            ElementAxes(
                input: { input.read($0).map { ($0.id, $0.action) } },
                output: { output.writing(ElementIDAction(id: $1, action: $2), into: $0) },
                element: { search.element(of: $1, in: state.read($0)) }
            ),
            vanished: vanished
        )
    }
}

extension MiddlewareProtocol {
    /// Adapts this middleware to the elements of a collection, each addressed by the value of a key path.
    ///
    /// Otherwise the same as with ids, but it always searches from the first element.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection, ID: Hashable>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements,
        identifier: KeyPath<StateType, ID>,
        vanished: VanishedElement = .skip
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
            ),
            vanished: vanished
        )
    }

    /// Adapts this middleware to the elements of a collection, each addressed by its index.
    ///
    /// An element does not exist if the collection does not have its index. If elements are inserted or removed, the
    /// index may refer to another element. The getter reads the element that is at the index at the moment of the call.
    @preconcurrency
    @inlinable
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIndexAction<Elements.Index, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIndexAction<Elements.Index, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements,
        vanished: VanishedElement = .skip
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
            ),
            vanished: vanished
        )
    }
}
