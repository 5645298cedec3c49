// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// A middleware whose effects are still to be given what they need.
    ///
    /// ```swift
    /// let search = EffectMiddleware<AppAction, AppAction, AppState, World>.onAction { action, _, _ in
    ///     .task(token: "search") { context in .found(await context.dependencies.search()) }
    /// }
    /// let middleware = search.inject(World())
    /// ```
    ///
    /// Each `inject` makes a middleware of its own, with its own tokens.
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
    /// The effect middleware at work on the elements of a collection: see `EffectMiddleware.liftToCollection`.
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

    /// The effect middleware at work on the elements of a collection, by key paths.
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

/// One function, then the other, which captures only what is Sendable, and types.
///
/// Here no conformance is in sight that the closure might capture: it could be isolated to an actor, for the compiler.
private func following<Input, Middle, Output>(
    _ first: @escaping @Sendable (Input) -> Middle,
    _ second: @escaping (Middle) -> Output
) -> @Sendable (Input) -> Output {
    let second = Unchecked(second)
    return { second.value(first($0)) }
}
