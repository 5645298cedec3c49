// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// Creates a middleware whose effects still need their dependencies.
    ///
    /// ```swift
    /// let search = EffectMiddleware<AppAction, AppAction, AppState, World>.onAction { action, _, _ in
    ///     .task(token: "search") { context in .found(await context.dependencies.search()) }
    /// }
    /// let middleware = search.inject(World())
    /// ```
    ///
    /// Each `inject` makes a separate middleware, with its own tokens.
    @preconcurrency
    @inlinable
    public static func onAction(
        options: EffectOptions = EffectOptions(),
        do onAction:
            @escaping @Sendable (
                InputActionType, ActionSource, @escaping GetState<StateType>
            ) -> Effect<Dependencies, OutputActionType>
    ) -> MiddlewareReader<Dependencies, EffectMiddleware> {
        MiddlewareReader { EffectMiddleware(dependencies: $0, options: options, onAction: onAction) }
    }
}

extension MiddlewareReader {
    /// Adapts the effect middleware to the elements of a collection: see `EffectMiddleware.liftToCollection`.
    @preconcurrency
    public func liftToCollection<Input, Output, Element, World, GlobalInput, GlobalOutput, GlobalState, Elements>(
        inputAction: @escaping @Sendable (GlobalInput) -> ElementIDAction<Element.ID, Input>?,
        outputAction: @escaping @Sendable (ElementIDAction<Element.ID, Output>) -> GlobalOutput,
        stateCollection: @escaping @Sendable (GlobalState) -> Elements
    ) -> MiddlewareReader<Dependencies, EffectMiddleware<GlobalInput, GlobalOutput, GlobalState, World>>
    where
        MiddlewareType == EffectMiddleware<Input, Output, Element, World>, Element: Identifiable,
        Elements: MutableCollection, Elements.Element == Element
    {
        let lift = { (middleware: MiddlewareType) in
            middleware.liftToCollection(
                inputAction: inputAction,
                outputAction: outputAction,
                stateCollection: stateCollection
            )
        }
        return .init(inject: following(inject, lift))
    }

    /// Adapts the effect middleware to the elements of a collection, by key paths.
    public func liftToCollection<Action, Element, World, GlobalAction, GlobalState, Elements>(
        action: WritableKeyPath<GlobalAction, ElementIDAction<Element.ID, Action>?>,
        stateCollection: KeyPath<GlobalState, Elements>
    ) -> MiddlewareReader<Dependencies, EffectMiddleware<GlobalAction, GlobalAction, GlobalState, World>>
    where
        MiddlewareType == EffectMiddleware<Action, Action, Element, World>, Element: Identifiable,
        Elements: MutableCollection, Elements.Element == Element
    {
        let lift = { (middleware: MiddlewareType) in
            middleware.liftToCollection(action: action, stateCollection: stateCollection)
        }
        return .init(inject: following(inject, lift))
    }
}

/// Returns a function that calls `first`, then `second`, which must capture only Sendable values and types.
///
/// It is generic so that its closure captures no conformance: to the compiler that might be isolated to an actor.
private func following<Input, Middle, Output>(
    _ first: @escaping @Sendable (Input) -> Middle,
    _ second: @escaping (Middle) -> Output
) -> @Sendable (Input) -> Output {
    let second = Unchecked(second)
    return { second.value(first($0)) }
}
