// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension SupervisingMiddleware {
    /// Creates a middleware that keeps an effect for each element of a collection in the state. It suits many
    /// elements, as it makes the effects of new elements only.
    ///
    /// ```swift
    /// let rooms: MiddlewareReader<World, SupervisingMiddleware<AppAction, AppAction, AppState, World>> =
    ///     EffectMiddleware.supervise(each: \.rooms, key: \.id, definition: \.server) { room in
    ///         .stream { $0.dependencies.messages(room) }
    ///     }
    /// let middleware = rooms.inject(World())
    /// ```
    ///
    /// With `Void` as dependencies the result is the middleware itself. The collection may be a dictionary, with an
    /// effect for each entry; its elements have a `key` and a `value`:
    ///
    /// ```swift
    /// let watchdogs: SupervisingMiddleware<AppAction, AppAction, AppState, Void> =
    ///     EffectMiddleware.supervise(each: \.limits, key: \.key, definition: \.value) { entry in
    ///         .just(.expired(entry.key)).delay(for: entry.value)
    ///     }
    /// ```
    ///
    /// **Cost.** An action that does not change the collection costs the same as with `by:`: constant time for an
    /// array that was not changed. After a change, elements are compared from both ends. Each unchanged element there
    /// costs a call of `key` and of `definition` and a comparison of the results, without allocation. So adding one
    /// element to n costs n comparisons and one effect. Each element between the first and the last change costs a
    /// table lookup, and some memory during the comparison. If a key occurs twice, all elements are compared by table.
    /// So keep data that most actions change, such as a message counter, out of this collection: each change of it
    /// costs n comparisons. A collection that is not an array is copied into one after a change. A dictionary that has
    /// grown has another order, so that each of its entries costs a table lookup.
    ///
    /// - Parameters:
    ///   - dependencies: What the effects get as `context.dependencies`.
    ///   - options: The capacity, clock and priority of the effects.
    ///   - elements: The collection in the state: an array, a dictionary, a set, or any other sequence with `==`.
    ///   - key: The key of an element, which is also the token of its effect. Nil: no effect. If two elements have the
    ///     same key, only the first counts.
    ///   - definition: All values that the effect is made from. When they change, the effect is started again.
    ///   - effect: The function that makes the effect of an element. It is called for an element that is new or whose
    ///     definition has changed. The effect's own token and policy are ignored.
    @preconcurrency
    @inlinable
    public init<
        Elements: Sequence & Equatable,
        Key: Hashable & Sendable,
        Definition: Equatable
    >(
        dependencies: Dependencies,
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Elements,
        key: @escaping @Sendable (Elements.Element) -> Key,
        definition: @escaping @Sendable (Elements.Element) -> Definition,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Dependencies, OutputActionType>
    ) {
        let owner = EffectOwner(options)
        let start = EffectStart<Dependencies, OutputActionType>(owner, dependencies)
        // Unchecked: it captures Sendable values and types. To the compiler their conformances might be isolated to an
        // actor.
        let makeLook = Unchecked<(EffectBinding?, SeenInterruptions) -> Look> { binding, interruptions in
            let seen = Seen<Elements, Key, Definition, Dependencies, OutputActionType>(
                Supervisor(start, binding, interruptions)
            )
            let look = Unchecked<(StateType, AnyActionHandler<OutputActionType>) -> Void> { state, output in
                let now = elements(state)
                guard seen.isNew(now) else { return }
                let list = Array(now)  // the same memory if it is an array
                seen.supervisor.keep(
                    list.count,
                    { .init(key: key(list[$0]), definition: definition(list[$0])) },
                    tag: { EffectTag.of($0) },
                    effectAt: { effect(list[$0]) },
                    output
                )
            }
            return { look.value($0, $1) }
        }
        self.init(owner, makeLook)
    }
}

extension EffectMiddleware {
    /// Creates a middleware that keeps an effect for each element of a collection in the state, once its dependencies
    /// are injected: see ``SupervisingMiddleware/init(dependencies:options:each:key:definition:_:)``.
    @preconcurrency
    @inlinable
    public static func supervise<
        Elements: Sequence & Equatable,
        Key: Hashable & Sendable,
        Definition: Equatable
    >(
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Elements,
        key: @escaping @Sendable (Elements.Element) -> Key,
        definition: @escaping @Sendable (Elements.Element) -> Definition,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Dependencies, OutputActionType>
    ) -> MiddlewareReader<
        Dependencies, SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>
    > {
        // Unchecked: it captures Sendable values and types. To the compiler their conformances might be isolated to an
        // actor.
        let make = Unchecked { dependencies in
            SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>(
                dependencies: dependencies,
                options: options,
                each: elements,
                key: key,
                definition: definition,
                effect
            )
        }
        return MiddlewareReader { make.value($0) }
    }
}

extension EffectMiddleware where Dependencies == Void {
    /// Creates a middleware that keeps an effect for each element of a collection in the state: see
    /// ``SupervisingMiddleware/init(dependencies:options:each:key:definition:_:)``.
    @preconcurrency
    @inlinable
    public static func supervise<
        Elements: Sequence & Equatable,
        Key: Hashable & Sendable,
        Definition: Equatable
    >(
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Elements,
        key: @escaping @Sendable (Elements.Element) -> Key,
        definition: @escaping @Sendable (Elements.Element) -> Definition,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Void, OutputActionType>
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(
            dependencies: (),
            options: options,
            each: elements,
            key: key,
            definition: definition,
            effect
        )
    }
}
