// SPDX-License-Identifier: Apache-2.0

/// What happens besides a change of state: it sees every action, and answers with work to be done after the reducers.
///
/// ```swift
/// struct Audit: MiddlewareProtocol {
///     func handle(
///         action: AppAction, from dispatcher: ActionSource, state: @escaping GetState<AppState>
///     ) -> IO<AppAction> {
///         let before = state()
///         return IO { output in
///             if before.user != state().user { output.dispatch(.audited) }
///         }
///     }
/// }
/// ```
///
/// Only `handle(action:from:state:)` has to be written. A structure or a class may conform, and need not be Sendable: a
/// store calls it on the pipeline's thread only, one action at a time.
///
/// **Order.** In `a <> b <> c`, `handle` is called on a, b, c. Then the reducers run. Then c, b, a: first each
/// `afterReduce`, then each work.
///
/// **Cost.** `handle` is on the path of every action. A concrete middleware is specialised into the store's loop; an
/// answer of ``IO/pure()`` is free, one with a closure is an allocation.
public protocol MiddlewareProtocol<InputActionType, OutputActionType, StateType> {
    /// The actions it sees.
    associatedtype InputActionType
    /// The actions it dispatches.
    associatedtype OutputActionType
    /// The state it can read.
    associatedtype StateType
    /// What `afterReduce` returns: `Void`, or ``NoAfterReduce`` where it is not written. The compiler finds it.
    associatedtype AfterReduce = NoAfterReduce

    /// Sees an action before the reducers do, and answers with work to be done after them.
    ///
    /// `state` reads the state as it is at the moment of the call: here it is the one before the reducers.
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType>

    /// Sees the same action once more, after the reducers and before any work of it, without an allocation an action.
    ///
    /// For a middleware that always looks at the state afterwards; write it without a result. Default: does nothing,
    /// and is known to, so that nothing is spent on the way to it.
    @discardableResult
    func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) -> AfterReduce

    /// Whether `afterReduce` does anything. Default: whether it is written; a middleware that holds others asks them.
    var hasAfterReduce: Bool { get }

    /// Cancels the effects that it has under way, from any thread; it does not keep the middleware.
    ///
    /// A gate asks when it is made, and again when it is bound to a store; a plugin once, when it is bound. A middleware
    /// that holds others composes theirs. Default: there is nothing to cancel.
    var effectCanceller: EffectCanceller { get }

    /// Called once by a store, before the first action.
    ///
    /// A middleware that holds others passes it on; one that derives a getter from `state` does so here once, instead
    /// of at every action. Afterwards `handle` and `afterReduce` are given the same `state`. Default: does nothing.
    mutating func bind(to state: @escaping GetState<StateType>)

    /// What the store calls instead of `bind(to:)`: it also tells where the live state lies, if it knows.
    ///
    /// A middleware that gives others the `state` that it was given passes both on; then a gate by state in them need
    /// not copy the state, and `bind(to:)` calls this with nil. One that gives them another getter calls their `bind(to:)`.
    /// Default: calls `bind(to:)`.
    mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?)

    /// Called instead of `bind(to:)` inside `liftToCollection`, `liftToDictionary` and `liftToOptional`, where no state
    /// is the same at each action: once by a store, before the first action.
    ///
    /// A middleware that holds others passes it on; one that remembers something between `handle` and `afterReduce`
    /// begins anew, as another store may have a copy of it. Default: does nothing.
    mutating func bindWithoutState()

    /// What the store calls instead of `handle(action:from:state:)` while a probe is on.
    ///
    /// A middleware that holds others passes the probe on to them. Default: calls `handle(action:from:state:)`, and
    /// tells the probe that it did.
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType>
}

extension MiddlewareProtocol {
    /// Whether `afterReduce` is written.
    @inlinable
    public var hasAfterReduce: Bool { AfterReduce.self != NoAfterReduce.self }

    /// Cancels nothing.
    @inlinable
    public var effectCanceller: EffectCanceller { .identity }

    /// Does nothing.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {}

    /// Calls `bind(to:)`.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        bind(to: state)
    }

    /// Does nothing.
    @inlinable
    public mutating func bindWithoutState() {}

    /// A copy that is bound; a class is bound itself.
    @inlinable
    public func bound(to state: @escaping GetState<StateType>, live: LiveState<StateType>? = nil) -> Self {
        var middleware = self
        middleware.bind(to: state, live: live)
        return middleware
    }

    /// A copy that is bound to no state; a class is bound itself.
    @inlinable
    func boundWithoutState() -> Self {
        var middleware = self
        middleware.bindWithoutState()
        return middleware
    }

    /// Calls `handle(action:from:state:)`, and tells the probe that it did.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        defer { probe.unnamedHandled() }
        return handle(action: action, from: dispatcher, state: state)
    }
}

extension MiddlewareProtocol where AfterReduce == NoAfterReduce {
    /// Does nothing.
    @discardableResult
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) -> NoAfterReduce {
        NoAfterReduce()
    }
}
