// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware where StateType: Identifiable {
    /// This middleware at work on the elements of a collection, each addressed by its id. Tokens are the element's own.
    ///
    /// When the element is not there before the reducers, nothing happens. The getter reads the element as it is at the
    /// moment of the call; once it is gone, as it was before the reducers. What an effect dispatches goes out under the
    /// same id, also when the element is gone: cancel the effect if that makes no sense. An element that goes does not
    /// cancel its effects.
    ///
    /// **Cost.** Some allocations for an action that addresses an element; none for others.
    @preconcurrency
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        stateCollection: @escaping @Sendable (GlobalState) -> Elements
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID> { $0.id }
        return liftedToElement(
            input: { inputAction($0).map { ($0.id, $0.action) } },
            output: { outputAction(ElementIDAction(id: $1, action: $2)) },
            element: { search.element(of: $1, in: stateCollection($0)) },
            id: { AnyHashable($0) }
        )
    }

    /// The same, with the label that other middlewares have.
    @preconcurrency
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> where Elements.Element == StateType {
        liftToCollection(inputAction: inputAction, outputAction: outputAction, stateCollection: state)
    }
}

extension EffectMiddleware where StateType: Identifiable, InputActionType == OutputActionType {
    /// This middleware at work on the elements of a collection, each addressed by its id, by key paths.
    ///
    /// What it dispatches is written into a copy of the action it answers, and thrown away where the key path does not
    /// take it.
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<StateType.ID, InputActionType>?>,
        stateCollection: KeyPath<GlobalState, Elements>
    ) -> EffectMiddleware<GlobalAction, GlobalAction, GlobalState, Dependencies> where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID> { $0.id }
        let input = PathReader(action)
        let output = CheckedWriter(action)
        let state = PathReader(stateCollection)
        return liftedToElement(
            input: { input.read($0).map { ($0.id, $0.action) } },
            output: { output.writing(ElementIDAction(id: $1, action: $2), into: $0) },
            element: { search.element(of: $1, in: state.read($0)) },
            id: { AnyHashable($0) }
        )
    }
}

extension EffectMiddleware {
    /// This middleware at work on one of many states, which a key names.
    func liftedToElement<GlobalInput, GlobalOutput, GlobalState, Key>(
        input: @escaping (GlobalInput) -> (key: Key, action: InputActionType)?,
        output: @escaping (GlobalInput, Key, OutputActionType) -> GlobalOutput?,
        element: @escaping (GlobalState, Key) -> StateType?,
        id: @escaping (Key) -> AnyHashable
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        // Unchecked: they capture what is Sendable, and types whose conformances might be isolated to an actor.
        let input = Unchecked(input)
        let output = Unchecked(output)
        let element = Unchecked(element)
        let id = Unchecked(id)
        return EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies>(
            parts: parts.map { part in
                let makePass = part.makePass
                return .init(owner: part.owner) { global in
                    let visit = ElementGetter<Key, InputActionType, OutputActionType>()
                    return EffectHooks(
                        before: { action in
                            visit.current = nil
                            guard let own = input.value(action),
                                let snapshot = element.value(global(), own.key)
                            else { return }
                            // Unchecked: SwiftRex's states and ids need not be Sendable; whoever reads gets copies.
                            let found = Unchecked((key: own.key, snapshot: snapshot))
                            let pass = makePass({ element.value(global(), found.value.key) ?? found.value.snapshot })
                            pass.before?(own.action)
                            visit.current = (own.key, own.action, pass)
                        },
                        after: { action, dispatcher, target in
                            guard let (key, own, pass) = visit.current else { return }
                            let kept = Unchecked(key)  // as above
                            pass.after(own, dispatcher) {
                                target().scoped(to: id.value(kept.value))
                                    .lifted(action) { output.value($0, kept.value, $1) }
                            }
                        },
                        end: { visit.current = nil }
                    )
                }
            }
        )
    }
}

/// The element that an action addresses, from before the reducers until after them.
private final class ElementGetter<Key, InputAction, OutputAction>: @unchecked Sendable {
    // Unchecked: in a store only the pipeline's thread comes here, outside of one nobody writes after `handle`.
    var current: (key: Key, action: InputAction, pass: EffectHooks<InputAction, OutputAction>)?
}
