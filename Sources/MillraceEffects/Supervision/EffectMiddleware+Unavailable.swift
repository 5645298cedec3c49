// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Declarations that never compile: the compiler chooses one only where nothing else fits, and its message says how to
// correct the mistake. scripts/errors-test.sh compares the messages.
extension EffectMiddleware {
    /// Supervises with key paths from variables: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "a key path in a variable is no function: write \\.id itself, or a closure, { $0.id }"
    )
    @_disfavoredOverload
    public static func supervise<
        Elements: Sequence & Equatable,
        Key: Hashable & Sendable,
        Definition: Equatable
    >(
        options: EffectOptions = EffectOptions(),
        each elements: KeyPath<StateType, Elements>,
        key: KeyPath<Elements.Element, Key>,
        definition: KeyPath<Elements.Element, Definition>,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Dependencies, OutputActionType>
    ) -> MiddlewareReader<
        Dependencies, SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>
    > {
        supervise(options: options, by: { _ in true }, { _ in [] })
    }

    /// Supervises without a definition: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "add definition, after key: the values that the effect is made from; a change starts it again"
    )
    public static func supervise<Elements: Sequence & Equatable, Key: Hashable & Sendable>(
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Elements,
        key: @escaping @Sendable (Elements.Element) -> Key,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Dependencies, OutputActionType>
    ) -> MiddlewareReader<
        Dependencies, SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>
    > {
        supervise(options: options, by: { _ in true }, { _ in [] })
    }

    /// Supervises the values of a dictionary: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "the values of a dictionary have no ==: pass the dictionary, whose elements have a key and a value"
    )
    public static func supervise<ID: Hashable, Value, Key, Definition>(
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Dictionary<ID, Value>.Values,
        key: @escaping @Sendable (Value) -> Key,
        definition: @escaping @Sendable (Value) -> Definition,
        _ effect: @escaping @Sendable (Value) -> Effect<Dependencies, OutputActionType>
    ) -> MiddlewareReader<
        Dependencies, SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>
    > {
        supervise(options: options, by: { _ in true }, { _ in [] })
    }
}

extension EffectMiddleware where Dependencies == Void {
    /// Supervises with key paths from variables: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "a key path in a variable is no function: write \\.id itself, or a closure, { $0.id }"
    )
    @_disfavoredOverload
    public static func supervise<
        Elements: Sequence & Equatable,
        Key: Hashable & Sendable,
        Definition: Equatable
    >(
        options: EffectOptions = EffectOptions(),
        each elements: KeyPath<StateType, Elements>,
        key: KeyPath<Elements.Element, Key>,
        definition: KeyPath<Elements.Element, Definition>,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Void, OutputActionType>
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: { _ in true }, { _ in [] })
    }

    /// Supervises without a definition: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "add definition, after key: the values that the effect is made from; a change starts it again"
    )
    public static func supervise<Elements: Sequence & Equatable, Key: Hashable & Sendable>(
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Elements,
        key: @escaping @Sendable (Elements.Element) -> Key,
        _ effect: @escaping @Sendable (Elements.Element) -> Effect<Void, OutputActionType>
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: { _ in true }, { _ in [] })
    }

    /// Supervises the values of a dictionary: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "the values of a dictionary have no ==: pass the dictionary, whose elements have a key and a value"
    )
    public static func supervise<ID: Hashable, Value, Key, Definition>(
        options: EffectOptions = EffectOptions(),
        each elements: @escaping @Sendable (StateType) -> Dictionary<ID, Value>.Values,
        key: @escaping @Sendable (Value) -> Key,
        definition: @escaping @Sendable (Value) -> Definition,
        _ effect: @escaping @Sendable (Value) -> Effect<Void, OutputActionType>
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: { _ in true }, { _ in [] })
    }
}
