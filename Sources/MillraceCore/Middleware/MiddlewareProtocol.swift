// SPDX-License-Identifier: Apache-2.0

/// Handles side effects: receives every action, and returns an IO that the pipeline runs after the reducers.
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
/// Only `handle(action:from:state:)` is required. A structure or a class may conform. It need not be Sendable: a store
/// calls it only on the pipeline's thread, one action at a time.
///
/// **Order.** In `a <> b <> c`, the pipeline calls `handle` of a, b and c. Then the reducers run. Then the order is c,
/// b, a: first each `afterReduce`, then each IO.
///
/// **With a journal** an IO runs when its action is on the disk. Meanwhile the pipeline handles the next actions, so
/// `state()` in the IO may be a later state. A check of the state right after the action, as the one above, then belongs
/// in `afterReduce`. The article "A store that survives" of `MillraceJournal` has an example.
///
/// **Cost.** `handle` is on the path of every action. A concrete middleware is specialised into the store's loop. If it
/// is `public` and in another module than the store's creation, this needs `@inlinable` before `handle` and
/// `afterReduce`. ``IO/pure()`` is free; an IO with a closure costs an allocation.
///
/// If an IO captures the parameter `state`, Swift makes a second allocation, before `handle` looks at the action. So
/// every action costs this allocation, even if `handle` returns `.pure()`. If such IOs are rare, keep a reader, and
/// capture it:
///
/// ```swift
/// private var reader: StateReader<AppState>?
///
/// mutating func bind(_ binding: MiddlewareBinding<AppAction, AppState>) { reader = binding.state }
/// ```
public protocol MiddlewareProtocol<InputActionType, OutputActionType, StateType> {
    /// The actions it sees.
    associatedtype InputActionType
    /// The actions it dispatches.
    associatedtype OutputActionType
    /// The state it can read.
    associatedtype StateType
    /// The result type of `afterReduce`: `Void`, or ``NoAfterReduce`` if it is not implemented. The compiler infers it.
    associatedtype AfterReduce = NoAfterReduce

    /// Receives an action before the reducers, and returns an IO that the pipeline runs after them.
    ///
    /// `state` returns the state at the moment of the call. When `handle` itself calls it, this is the state before the
    /// reducers. When the IO calls it, this is the state after them; with a journal it may be a later state.
    @preconcurrency
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType>

    /// Receives the same action after the reducers and before the IOs of the action, without an allocation per action.
    ///
    /// Use it in a middleware that always reads the state after the reducers. Implement it without a result type, and
    /// copy the other parts of the signature exactly: a method with other parameters is never called, and the compiler
    /// does not complain. Default: does nothing; the compiler knows this, so the call costs nothing.
    @discardableResult
    func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) -> AfterReduce

    /// Whether `afterReduce` does anything. Default: whether it is implemented. A middleware that holds others returns
    /// whether one of them has it.
    var hasAfterReduce: Bool { get }

    /// The canceller of the effects that this middleware runs. Any thread may use it; it does not keep the middleware
    /// alive.
    ///
    /// A gate reads it when the gate is created, and again when it is bound to a store. A plugin reads it once, when it
    /// is bound. A middleware that holds others composes their cancellers. Default: cancels nothing.
    var effectCanceller: EffectCanceller { get }

    /// Binds this middleware to a store. The store calls it once, before the first action, on a copy of its own.
    ///
    /// A middleware stores here the parts of the binding that it needs, such as ``MiddlewareBinding/state``. If it
    /// holds other middlewares, it binds them; see ``MiddlewareWrapper``. If it keeps data in an object between
    /// `handle` and `afterReduce`, it makes a new object here, because another store may have a copy of the middleware.
    /// Default: does nothing.
    mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>)

    /// Handles an action while a probe is set. The store calls this instead of `handle(action:from:state:)`.
    ///
    /// A middleware that holds others passes the probe on to them. Default: calls `handle(action:from:state:)`, then
    /// `unnamedHandled()` of the probe.
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType>
}

extension MiddlewareProtocol {
    /// Whether `afterReduce` is implemented.
    @inlinable
    public var hasAfterReduce: Bool { AfterReduce.self != NoAfterReduce.self }

    /// A canceller that cancels nothing.
    @inlinable
    public var effectCanceller: EffectCanceller { .identity }

    /// Does nothing.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {}

    /// Returns a bound copy; a class instance is bound itself.
    @inlinable
    public func bound(_ binding: MiddlewareBinding<OutputActionType, StateType>) -> Self {
        var middleware = self
        middleware.bind(binding)
        return middleware
    }

    /// Returns a copy that is bound to a getter without a store, for a test; a class instance is bound itself.
    @inlinable
    public func bound(to state: @escaping GetState<StateType>) -> Self {
        bound(MiddlewareBinding(state: state))
    }

    /// Calls `handle(action:from:state:)`, then `unnamedHandled()` of the probe.
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
