// SPDX-License-Identifier: Apache-2.0

public import Logging
public import MillraceCore

/// Logs actions and what they change.
///
/// ```swift
/// let middleware = app.logger()                                          // in front of any middleware
/// let logger = LoggerMiddleware<AppAction, AppState>.default()            // or by itself
///     .lift(inputAction: identity, outputAction: absurd, state: identity)
/// ```
///
/// What is a line, and where lines go, `default` and `logger` are told. By default a line is the text of the action and
/// who dispatched it, given to a logger of swift-log at level trace: so a program at its usual level logs no action,
/// and captures none.
///
/// **Order.** Actions are logged in the store's order, an action before those that it brought about; of each first the
/// action, then its change of the state. The state before is the one in `handle`, the state after the one right after
/// the reducers.
///
/// **Threads.** The pipeline only hands actions and states over, as they are, through a ring of fixed size; transforms,
/// redaction and printers run on a queue, one at a time for each store. The pipeline never waits: when the ring is full
/// the action is not logged, and counted (``LogMetrics/skipped``), and the log gets a line that says how many are
/// missing. What waits is bounded by bytes, too (``LogMemoryLimit``). Actions and states need not be Sendable. *If there are objects in them,* they are read when the line is
/// made, maybe after they changed: what changes must not be logged so, unless it is safe to read from any thread; a
/// diff cannot see a change within an object either.
///
/// **End.** When the store, or whatever holds this, is released, what waits is still written. When the program ends, it
/// is not: `await log.flush()` before (``ActionLog``).
///
/// **Cost.** An action that the filter refuses: the call of the filter. One that is logged: a copy of it, of its source
/// and, if a diff is wanted, of two states; nothing is allocated. A state that is kept makes the next reducers copy what
/// they change of it. The first action, the first change and, while the queue stands still, one change in 64 are
/// measured on the pipeline, which takes microseconds. After a rest of the log one action pays for waking
/// the queue.
///
/// **Outside of a store** one thread at a time may call it; the work that `handle` answers with takes the place of
/// `afterReduce` until it is bound, and lines have no numbers.
public struct LoggerMiddleware<Action, State>: MiddlewareProtocol, Sendable {
    /// The actions it sees.
    public typealias InputActionType = Action
    /// It dispatches nothing.
    public typealias OutputActionType = Never
    /// The state it can read.
    public typealias StateType = State

    @usableFromInline let options: LogOptions<Action, State>
    // Here and not in an object, from where a closure is retained whenever it is called.
    @usableFromInline let filter: (@Sendable (Action) -> Bool)?
    @usableFromInline let level: (@Sendable (Action) -> Logger.Level)?
    /// Of this store alone, once it is bound.
    @usableFromInline var channel: LogChannel<Action, State>
    @usableFromInline var isBound = false

    init(
        _ options: LogOptions<Action, State>,
        filter: (@Sendable (Action) -> Bool)?,
        level: (@Sendable (Action) -> Logger.Level)?
    ) {
        self.options = options
        self.filter = filter
        self.level = level
        channel = LogChannel(options, position: nil)
    }

    /// Hands the action over, or, if a change of the state is to be told, remembers the state.
    @inlinable
    public func handle(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>
    ) -> IO<Never> {
        record(action, dispatcher, state)
    }

    /// Whether a change of the state is to be told.
    @inlinable
    public var hasAfterReduce: Bool { isBound && options.wantsStates }

    /// Hands over what `handle` remembered.
    @inlinable
    public func afterReduce(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        output: AnyActionHandler<Never>
    ) {
        complete(action, dispatcher, state)
    }

    /// Makes a ring for this store alone.
    @inlinable
    public mutating func bind(to state: @escaping GetState<State>) {
        channel = LogChannel(options, position: MiddlewareRegistry.position)
        isBound = true
    }

    /// Makes a ring for this store alone: copies in other stores have one pipeline each, and a ring takes from one.
    @inlinable
    public mutating func bindWithoutState() {
        channel = LogChannel(options, position: nil)
    }

    @inlinable
    func record<Output>(
        _ action: Action,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<State>
    ) -> IO<Output> {
        // Of an action whose afterReduce was kept back: it must not be taken for this one.
        if channel.pending != nil { channel.dropPending() }
        if let filter, !filter(action) { return .pure() }
        let level = if let level { level(action) } else { Logger.Level.trace }
        channel.before(action, dispatcher, level, state)
        return isBound || !options.wantsStates ? .pure() : completion(action, dispatcher, state)
    }

    @inlinable
    func complete(_ action: Action, _ dispatcher: ActionSource, _ state: @escaping GetState<State>) {
        if isBound, channel.pending != nil { channel.after(action, dispatcher, state) }
    }

    /// Outside of a store, and in a wrapper that passes on nothing but `handle`.
    @usableFromInline
    func completion<Output>(
        _ action: Action,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<State>
    ) -> IO<Output> {
        // Unchecked: the work runs where `handle` does.
        let action = Unchecked(action)
        return IO { _ in channel.after(action.value, dispatcher, state) }
    }
}
