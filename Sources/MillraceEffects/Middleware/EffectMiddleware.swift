// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that answers actions with ``Effect``s, starts them, and keeps track of those that run.
///
/// ```swift
/// let middleware = EffectMiddleware<AppAction, AppAction, AppState, Void>.onAction { action, dispatcher, state in
///     guard case .search(let text) = action, !text.isEmpty else { return .doNothing }
///     return .task(token: "search") { _ in .found(await search(text, in: state().place)) }
/// }
/// ```
///
/// **Order.** The closure runs after the reducers of its action: `state` never reads the state before them. In a store
/// the closure runs before any `IO` of the same action. `a <> b` of two effect middlewares of one type starts a's
/// effect, then b's. In any other composition, for instance with another middleware between them, the last effect is
/// started first, as with all middlewares. Actions that effects dispatch go to the tail of the queue. In a store with
/// the order `.internalFirst`, those of an effect that ends at once come before the actions that wait.
///
/// **Tokens** belong to the middleware that was made, also inside a composition or a lift of it; they cancel no
/// effects of other middlewares. Under `liftToCollection` by id and `liftToDictionary` they belong to the element. That
/// holds for a lift of the effect middleware itself. Elements share the tokens if a composition of it, an erased or a
/// named one is lifted, and in lifts by index. In these cases lift first and compose then, or put the id into the
/// token. `==` and `hash(into:)` of a token must not use the middleware.
///
/// **Life.** It is a value, whose copies share the running effects. The effects that a store has started are cancelled
/// when the store ends, by shutdown or release, or when it removes the plugin. A store ends only after every thread has
/// left `withState` of any store; until then its effects run. Effects of other stores go on. When the last copy is
/// released, all effects are cancelled. An effect that has ended is removed at once.
///
/// **Threads.** The closure runs on the pipeline's thread. Any thread may use ``figures`` and the functions that
/// cancel.
///
/// **Failures.** An effect that never ends, or whose error is not mapped to an action, stops no other effect.
/// ``EffectOptions/capacity`` limits how many may be under way.
///
/// **Cost.** In a store an action without an effect costs two calls of closures, and no allocation. In two cases
/// `handle` returns an `IO` that does everything, with some allocations for an action that reaches it:
///
/// - outside of a store, as in a test;
/// - inside of an element lift other than its own by id or to a dictionary: that of a composition of it, an erased or a
///   named one, or a lift by index or to an optional.
public struct EffectMiddleware<InputActionType, OutputActionType, StateType, Dependencies>: MiddlewareProtocol,
    Semigroup, Sendable
{
    @usableFromInline typealias Pass = EffectHooks<InputActionType, OutputActionType>

    /// One of the middlewares that this one consists of.
    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let owner: EffectOwner
        @usableFromInline let makePass: @Sendable (StateReader<StateType>, BindingServices) -> Pass

        @inlinable
        init(owner: EffectOwner, makePass: @escaping @Sendable (StateReader<StateType>, BindingServices) -> Pass) {
            self.owner = owner
            self.makePass = makePass
        }
    }

    /// The parts, in the order in which they start their effects.
    @usableFromInline let parts: [Part]
    /// What a store has bound, without a reference count for each call; nil outside of a store. The copy's own
    /// ``keptLive`` keeps the object. Each use extends the life of `keptLive`: the compiler would release a copy of the
    /// middleware early, and the effect's closure may replace the original.
    @usableFromInline var live: Unmanaged<BoundEffects<InputActionType, OutputActionType>>?
    @usableFromInline var keptLive: BoundEffects<InputActionType, OutputActionType>?

    @inlinable
    init(parts: [Part]) {
        self.parts = parts
    }

    /// Creates a middleware whose effects are given these dependencies.
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
        let part = Part(owner: owner) { state, _ in
            let getter = state.source.read
            return EffectHooks(after: { action, dispatcher, output in
                let effect = onAction(action, dispatcher, getter)
                // The usual case on its own: there is nothing to release either.
                if effect.isNothing { return }
                if effect.doesSomething { start(effect, output()) }
            })
        }
        self.init(parts: [part])
    }

    /// The number of effects that run now. Parts of an effect count if they have a token of their own.
    public var runningEffects: Int { figures.running }

    /// The number of its effects in each state.
    public var figures: EffectFigures {
        // One middleware may be in a composition several times, by several lifts.
        let registries = Dictionary(parts.map { (ObjectIdentifier($0.owner), $0.owner.registry) }) { first, _ in first }
        return registries.values.reduce(EffectFigures()) { $0 + $1.figures }
    }

    /// Cancels the effects of a token, the waiting ones included; in a lift to elements those of every element.
    ///
    /// When this returns, no waiting effect of the token begins any more, and none of its waiting actions is handled.
    /// This also holds if another thread cancels the same effects at the same time. What had already begun goes on: a
    /// body, a task, and the one action that the pipeline is handling. On the pipeline's thread there is no such
    /// action except the current one.
    ///
    /// **Cost.** The call looks at every effect that is under way, on the calling thread: about a microsecond each.
    /// While it lists them no effect can begin or end. ``Effect/toCancel(_:)`` finds its effects in constant time.
    @preconcurrency
    public func cancel<Token: Hashable & Sendable>(_ token: Token) {
        guard let token = EffectTag.unwrapped(token) else { return }
        cancel { $0.token == token }
    }

    /// Cancels the effects that a predicate chooses, the waiting ones included. Guarantees and cost are those of
    /// ``cancel(_:)``.
    ///
    /// ```swift
    /// middleware.cancel { $0.elements.contains(closedTab.id) }
    /// ```
    public func cancel(where isChosen: (EffectLabel) -> Bool) {
        for part in parts { part.owner.registry.cancel(where: isChosen) }
    }

    /// Cancels every effect that is under way, the waiting ones included, as ``cancel(_:)`` does.
    public func cancelAll() {
        for part in parts { part.owner.registry.cancelAll() }
    }

    /// Cancels every effect that is under way, as long as the middleware exists.
    public var effectCanceller: EffectCanceller {
        parts.reduce(.identity) { canceller, part in
            canceller <> EffectCanceller { [registry = part.owner.registry] in registry.cancelAll() }
        }
    }

    /// Keeps what is needed before the reducers, and returns an empty `IO`: `afterReduce` does the rest. If the
    /// middleware is not bound to a state, returns an `IO` that does everything.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        defer { withExtendedLifetime(keptLive) {} }
        let isBound = live?._withUnsafeGuaranteedRef { bound in
            guard bound.hasHooks else { return false }
            if let before = bound.before { before(action) }
            return true
        }
        return isBound == true ? .pure() : makeIO(action, dispatcher, state)
    }

    /// Returns an `IO` that does everything, for use outside of a store and where each action has another state. The
    /// `IO` may be run any number of times.
    @usableFromInline
    func makeIO(
        _ action: InputActionType,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        let state = StateReader(state)
        let binding = keptLive?.binding
        let services = binding?.services ?? BindingServices()
        guard let pass = Pass.joined(parts.map { $0.makePass(state, services) }) else { return .pure() }
        pass.before?(action)
        let action = Unchecked(action)  // used by the thread that runs the IO
        return IO { output in
            // A journal has held the IO, and a gate that cancels effects was closed meanwhile.
            if let areOpen = services.areGatesOpen, !areOpen() { return }
            pass.after(action.value, dispatcher) { EffectOutput(output, binding) }
        }
    }

    /// Whether a store has bound the middleware to a state.
    @inlinable
    public var hasAfterReduce: Bool {
        live?._withUnsafeGuaranteedRef { $0.hasHooks } == true
    }

    /// Asks for the effect, and starts it if there is one.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        defer { withExtendedLifetime(keptLive) {} }
        live?._withUnsafeGuaranteedRef { bound in
            bound.after(action, dispatcher) { EffectOutput(output, bound.binding) }
            if let end = bound.end { end() }
        }
    }

    /// Makes the hooks for this store. In a lift to an element, where each action has its own getter, `handle` makes
    /// them for each action.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        let isFixed = binding.state.source.isFixed
        let bound = BoundEffects(
            isFixed ? Pass.joined(parts.map { $0.makePass(binding.state, binding.services) }) : nil,
            EffectBinding(parts.map(\.owner.registry), binding.services, isTracked: true)
        )
        keptLive = bound
        live = .passUnretained(bound)
    }
}

/// An effect middleware whose input and output actions have the same type.
public typealias SymmetricalEffectMiddleware<Action, State, Dependencies> = EffectMiddleware<
    Action, Action, State, Dependencies
>

/// An effect middleware without dependencies whose input and output actions have the same type.
public typealias SimpleEffectMiddleware<Action, State> = EffectMiddleware<Action, Action, State, Void>
