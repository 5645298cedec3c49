// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that answers actions with ``Effect``s, starts them, and knows those that run.
///
/// ```swift
/// let middleware = EffectMiddleware<AppAction, AppAction, AppState, Void>.onAction { action, dispatcher, state in
///     guard case .search(let text) = action, !text.isEmpty else { return .doNothing }
///     return .task(token: "search") { _ in .found(await search(text, in: state().place)) }
/// }
/// ```
///
/// **Order.** The closure runs after the reducers of its action: `state` never reads the state before. In a store that
/// is before the work of any ``IO`` of the same action. `a <> b` of two effect middlewares of one type starts a's
/// effect, then b's; in any other composition, with another middleware between them say, the last comes first, as with
/// all middlewares. What effects dispatch goes to the tail of the queue.
///
/// **Tokens** belong to the middleware that was made, also in a composition or a lift of it, and under
/// `liftToCollection` by id to the element: no other middleware's effects are cancelled by them. That is so for a lift
/// of the effect middleware itself. Where a composition of it, an erased or a named one is lifted, or the lift goes by
/// index or to a dictionary, the elements share the tokens: lift first and compose then, or put the id into the token.
/// `==` and `hash(into:)` of a token must not use the middleware.
///
/// **Life.** It is a value, whose copies share what runs. The effects that a store has started are cancelled when the
/// store ends, by shutdown or release, or when it removes the plugin; those of other stores go on. When the last copy is
/// released, everything is cancelled. What ended is forgotten at once.
///
/// **Threads.** The closure runs on the pipeline's thread. What cancels and ``figures`` are for any thread.
///
/// **Failures.** An effect that never ends, or whose error nobody maps to an action, stops nobody else. How many may be
/// under way is up to ``EffectOptions/capacity``.
///
/// **Cost.** In a store an action without an effect costs two calls of closures, and no allocation. Outside of one, as
/// in a test, and inside of a lift of something else to elements (a composition of it, an erased or a named one; by
/// index, to a dictionary, to an optional) `handle` answers with an ``IO`` that does everything: some allocations for an
/// action that reaches it.
public struct EffectMiddleware<InputActionType, OutputActionType, StateType, Dependencies>: MiddlewareProtocol,
    Semigroup, Sendable
{
    @usableFromInline typealias Pass = EffectHooks<InputActionType, OutputActionType>

    /// One of the middlewares that this one is made of.
    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let owner: EffectOwner
        @usableFromInline let makePass: @Sendable (@escaping GetState<StateType>) -> Pass

        @inlinable
        init(owner: EffectOwner, makePass: @escaping @Sendable (@escaping GetState<StateType>) -> Pass) {
            self.owner = owner
            self.makePass = makePass
        }
    }

    /// In the order in which they start their effects.
    @usableFromInline let parts: [Part]
    // All parts in one pass, made once when a store took the middleware. Apart, as a copy of the whole is three
    // retains.
    @usableFromInline var before: Pass.Before?
    /// Nil without parts, too.
    @usableFromInline var after: Pass.After?
    @usableFromInline var end: Pass.End?
    @usableFromInline var binding: EffectBinding?

    @inlinable
    init(parts: [Part]) {
        self.parts = parts
    }

    /// A middleware whose effects are given these dependencies.
    @preconcurrency
    @inlinable
    public init(
        dependencies: Dependencies,
        options: EffectOptions = EffectOptions(),
        onAction:
            @escaping @Sendable (
                InputActionType, ActionSource, @escaping GetState<StateType>
            ) -> Effect<Dependencies, OutputActionType>
    ) {
        let owner = EffectOwner(options)
        let start = EffectStart<Dependencies, OutputActionType>(owner, dependencies)
        let part = Part(owner: owner) { state in
            EffectHooks(after: { action, dispatcher, output in
                let effect = onAction(action, dispatcher, state)
                if effect.doesSomething { start(effect, output()) }
            })
        }
        self.init(parts: [part])
    }

    /// How many effects are at work. Parts of an effect count if they have a token of their own.
    public var runningEffects: Int { figures.running }

    /// What has become of its effects.
    public var figures: EffectFigures {
        // One base may be in a composition twice, by several lifts.
        let registries = Dictionary(parts.map { (ObjectIdentifier($0.owner), $0.owner.registry) }) { first, _ in first }
        return registries.values.reduce(EffectFigures()) { $0 + $1.figures }
    }

    /// Cancels the effects of a token, those that wait included; under `liftToCollection` those of every element.
    ///
    /// What waits when it returns is not done any more: no effect of the token begins, and none of its actions is
    /// handled, also when another thread cancels the same. What was taken up before goes on: a body or a task that had
    /// been begun, and the one action at which the pipeline is. Called on the pipeline's thread, there is no such
    /// action but the one that is being handled.
    ///
    /// **Cost.** It looks at every effect that is under way, about a microsecond each, on the thread that calls it; while
    /// it lists them nobody can begin or end one. ``Effect/toCancel(_:)`` finds its effects in constant time.
    @preconcurrency
    public func cancel<Token: Hashable & Sendable>(_ token: Token) {
        guard let token = EffectTag.unwrapped(token) else { return }
        cancel { $0.token == token }
    }

    /// Cancels the effects that a predicate chooses, those that wait included, as ``cancel(_:)`` does, and at its cost.
    ///
    /// ```swift
    /// middleware.cancel { $0.elements.contains(closedTab.id) }
    /// ```
    public func cancel(where isChosen: (EffectLabel) -> Bool) {
        for part in parts { part.owner.registry.cancel(where: isChosen) }
    }

    /// Cancels every effect it has under way, those that wait included, as ``cancel(_:)`` does.
    public func cancelAll() {
        for part in parts { part.owner.registry.cancelAll() }
    }

    /// Cancels every effect it has under way, as long as the middleware is there.
    public var effectCanceller: EffectCanceller {
        parts.reduce(.identity) { canceller, part in
            canceller <> EffectCanceller { [registry = part.owner.registry] in registry.cancelAll() }
        }
    }

    /// In a store nothing as a rule, as everything is done in `afterReduce`; otherwise that as work.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        if after == nil { return work(action, dispatcher, state) }
        if let before { before(action) }
        return .pure()
    }

    /// Outside of a store, and where no state is the same at each action: everything as work, which may be run any
    /// number of times.
    @usableFromInline
    func work(
        _ action: InputActionType,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        guard let pass = Pass.joined(parts.map { $0.makePass(state) }) else { return .pure() }
        pass.before?(action)
        let action = Unchecked(action)  // used by the one who runs the work
        return IO { [binding] output in pass.after(action.value, dispatcher) { EffectOutput(output, binding) } }
    }

    /// Whether a store took it, and gave it a state.
    @inlinable
    public var hasAfterReduce: Bool { after != nil }

    /// Asks for the effect, and starts it.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        if let after { after(action, dispatcher) { EffectOutput(output, binding) } }
        if let end { end() }
    }

    /// Gives the closures the getter, once.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        binding = EffectBinding(parts.map(\.owner.registry))
        let pass = Pass.joined(parts.map { $0.makePass(state) })
        before = pass?.before
        after = pass?.after
        end = pass?.end
    }

    /// Takes what the store has for effects (room, and who measures them); the getter comes with each action.
    @inlinable
    public mutating func bindWithoutState() {
        binding = EffectBinding(parts.map(\.owner.registry))
        before = nil
        after = nil
        end = nil
    }
}

/// An effect middleware that dispatches the actions it sees.
public typealias SymmetricalEffectMiddleware<Action, State, Dependencies> = EffectMiddleware<
    Action, Action, State, Dependencies
>

/// An effect middleware that dispatches the actions it sees, without dependencies.
public typealias SimpleEffectMiddleware<Action, State> = EffectMiddleware<Action, Action, State, Void>
