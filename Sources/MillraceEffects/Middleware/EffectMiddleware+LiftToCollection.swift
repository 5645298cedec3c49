// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware where StateType: Identifiable {
    /// Adapts this middleware to the elements of a collection, each addressed by its id. Each element has its own
    /// tokens.
    ///
    /// If the element does not exist before the reducers, nothing happens. If the reducers remove it, nothing happens
    /// either: see `VanishedElement`. The getter returns the element as it is when the getter is called; if the
    /// element is gone by then, as it was when the effect began. Actions that an effect dispatches carry the same id,
    /// even if the element is gone: if that makes no sense, cancel the effect. Removing an element does not cancel its
    /// effects.
    ///
    /// **Cost.** Some allocations for an action that addresses an element; none for others.
    @preconcurrency
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        stateCollection: @escaping @Sendable (GlobalState) -> Elements,
        vanished: VanishedElement = .skip
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID> { $0.id }
        return liftedToElement(
            input: { inputAction($0).map { ($0.id, $0.action) } },
            output: { outputAction(ElementIDAction(id: $1, action: $2)) },
            element: { search.element(of: $1, in: stateCollection($0)) },
            id: { AnyHashable($0) },
            vanished: vanished
        )
    }

    /// Adapts this middleware to the elements of a collection, with the argument label that other middlewares have.
    @preconcurrency
    public func liftToCollection<GlobalInput, GlobalOutput, GlobalState, Elements: MutableCollection>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<StateType.ID, InputActionType>?,
        outputAction: @escaping @Sendable (ElementIDAction<StateType.ID, OutputActionType>) -> GlobalOutput,
        state: @escaping @Sendable (GlobalState) -> Elements,
        vanished: VanishedElement = .skip
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> where Elements.Element == StateType {
        liftToCollection(
            inputAction: inputAction,
            outputAction: outputAction,
            stateCollection: state,
            vanished: vanished
        )
    }
}

extension EffectMiddleware where StateType: Identifiable, InputActionType == OutputActionType {
    /// Adapts this middleware to the elements of a collection, each addressed by its id, by key paths.
    ///
    /// An action that the middleware dispatches is written into a copy of the action that it answers. If the key path
    /// does not store it, the action is dropped.
    public func liftToCollection<GlobalAction, GlobalState, Elements: MutableCollection>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<StateType.ID, InputActionType>?>,
        stateCollection: KeyPath<GlobalState, Elements>,
        vanished: VanishedElement = .skip
    ) -> EffectMiddleware<GlobalAction, GlobalAction, GlobalState, Dependencies> where Elements.Element == StateType {
        let search = ElementSearch<Elements, StateType.ID> { $0.id }
        let input = PathReader(action)
        let output = CheckedWriter(action)
        let state = PathReader(stateCollection)
        return liftedToElement(
            input: { input.read($0).map { ($0.id, $0.action) } },
            output: { output.writing(ElementIDAction(id: $1, action: $2), into: $0) },
            element: { search.element(of: $1, in: state.read($0)) },
            id: { AnyHashable($0) },
            vanished: vanished
        )
    }
}

extension EffectMiddleware {
    /// Adapts this middleware to one of many states, which a key selects.
    func liftedToElement<GlobalInput, GlobalOutput, GlobalState, Key>(
        input: @escaping (GlobalInput) -> (key: Key, action: InputActionType)?,
        output: @escaping (GlobalInput, Key, OutputActionType) -> GlobalOutput?,
        element: @escaping (GlobalState, Key) -> StateType?,
        id: @escaping (Key) -> AnyHashable,
        vanished: VanishedElement
    ) -> EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies> {
        // Unchecked: they capture Sendable values and types. To the compiler the conformances might be isolated to an
        // actor.
        let input = Unchecked(input)
        let output = Unchecked(output)
        let element = Unchecked(element)
        let id = Unchecked(id)
        return EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, Dependencies>(
            parts: parts.map { part in
                let makePass = part.makePass
                return .init(owner: part.owner) { global, services in
                    let current = CurrentElement<Key, StateType, InputActionType, OutputActionType>()
                    let find = Unchecked { (key: Key) in global.withState { element.value($0, key) } }
                    return EffectHooks(
                        before: { action in
                            current.value = nil
                            guard let own = input.value(action), let found = find.value(own.key) else { return }
                            let getter = ElementGetter(find: find.value, key: own.key, element: found)
                            if vanished == .snapshot { getter.keep() }
                            let pass = makePass(StateReader { getter.read() }, services)
                            pass.before?(own.action)
                            // The reducers change the element in place only if there is no copy of it.
                            getter.endCall()
                            current.value = (getter, own.action, pass)
                        },
                        after: { action, dispatcher, target in
                            guard let (getter, own, pass) = current.value else { return }
                            guard getter.refresh() || vanished == .snapshot else {
                                services.countVanished?()
                                return
                            }
                            let key = Unchecked(getter.key)  // as above
                            pass.after(own, dispatcher) {
                                target().lifted(action, to: id.value(key.value)) { output.value($0, key.value, $1) }
                            }
                            getter.endCall()
                        },
                        end: { current.value = nil }
                    )
                }
            }
        )
    }
}

/// The element that the current action addresses, from before the reducers until after them.
private final class CurrentElement<Key, Element, InputAction, OutputAction>: @unchecked Sendable {
    // Unchecked: in a store only the pipeline's thread touches it; outside of a store nothing writes after `handle`.
    var value: (getter: ElementGetter<Key, Element>, action: InputAction, pass: EffectHooks<InputAction, OutputAction>)?
}
