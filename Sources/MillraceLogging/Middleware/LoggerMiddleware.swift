// SPDX-License-Identifier: Apache-2.0

public import Logging
public import MillraceCore

/// Logs actions and the changes of the state that they make.
///
/// ```swift
/// let middleware = app.logger()                                          // in front of any middleware
/// let logger = LoggerMiddleware<AppAction, AppState>.default()            // or by itself
///     .lift(inputAction: identity, outputAction: absurd, state: identity)
/// ```
///
/// The parameters of `default` and `logger` choose the text of a line and the printer. By default a line is the text of
/// the action and the place in the source that dispatched it. It goes to a logger of swift-log at level trace. So a
/// program with the default log level of swift-log logs no action, and captures none.
///
/// **Order.** Actions are logged in the order of the store, so each action comes before the actions that it causes. The
/// action comes first, then its change of the state. The state before is the state in `handle`; the state after is the
/// state right after the reducers.
///
/// **Threads.** The pipeline only passes actions and states, unchanged, through a ring of fixed size. Transforms,
/// redaction and printers run on a queue, one block at a time for each store.
///
/// The pipeline never waits. If the ring is full, the action is not logged but counted (``LogMetrics/skipped``), and
/// the log gets a line with the number of missing actions. The bytes of the waiting entries are limited, too
/// (``LogMemoryLimit``).
///
/// Actions and states need not be Sendable. *If they contain objects,* the objects are read when the line is made,
/// maybe after they have changed. So do not log objects that change, unless any thread may read them safely. A diff
/// cannot see a change within such an object either.
///
/// **End.** When the store, or another owner of the logger, is released, the waiting entries are still written. When
/// the program ends, they are not: call `await log.flush()` before (``ActionLog``).
///
/// **Cost.** An action that the filter leaves out costs the call of the filter. An action that is logged costs a copy
/// of it, of its source and, if a diff is wanted, of two states; nothing is allocated. While a state is kept, the next
/// reducers copy what they change of it.
///
/// For the memory limit, the pipeline measures the first action and the first change, which takes microseconds. While
/// the queue is late, it measures again after each pause (0.1 to 2 ms), and at least one in 63: see ``LogMemoryLimit``.
/// After a rest of the queue, one action pays for waking it.
///
/// **Outside of a store,** only one thread at a time may call the logger. Until it is bound, the IO that `handle`
/// returns does the work of `afterReduce`, and lines have no numbers.
public struct LoggerMiddleware<Action, State>: MiddlewareProtocol, Sendable {
    /// The actions that the logger sees.
    public typealias InputActionType = Action
    /// The logger dispatches no actions.
    public typealias OutputActionType = Never
    /// The state that the logger reads.
    public typealias StateType = State

    @usableFromInline let options: LogOptions<Action, State>
    // Stored here and not in an object, because a closure in an object is retained at each call.
    @usableFromInline let filter: (@Sendable (Action) -> Bool)?
    @usableFromInline let level: (@Sendable (Action) -> Logger.Level)?
    /// The channel. Once the middleware is bound, one store alone uses it.
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

    /// Hands the action over to the queue. If its change of the state is to be logged, only keeps the state before.
    @preconcurrency
    @inlinable
    public func handle(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>
    ) -> IO<Never> {
        record(action, dispatcher, state)
    }

    /// Whether changes of the state are to be logged.
    @inlinable
    public var hasAfterReduce: Bool { isBound && options.wantsStates }

    /// Hands the action over to the queue, with the state before, which `handle` kept, and the state after.
    @inlinable
    public func afterReduce(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        output: AnyActionHandler<Never>
    ) {
        complete(action, dispatcher, state)
    }

    /// Makes a ring for this store alone. Copies of the middleware in other stores have other pipelines, and only one
    /// pipeline may fill a ring.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<Never, State>) {
        bind(isFixed: binding.state.source.isFixed, position: binding.position, world: binding.services.world)
    }

    /// - Parameter isFixed: False in a lift to an element: then an IO takes the place of `afterReduce`.
    @usableFromInline
    mutating func bind(isFixed: Bool, position: (@Sendable () -> ActionPosition)?, world: (any StoreWorld)?) {
        channel = LogChannel(options, position: position, world: world)
        isBound = isFixed
    }

    @inlinable
    func record<Output>(
        _ action: Action,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<State>
    ) -> IO<Output> {
        // If the afterReduce of an earlier action was never called, that action must not be mistaken for this one.
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

    /// Returns an IO that replaces `afterReduce`, outside of a store and in a wrapper that forwards only `handle`.
    @usableFromInline
    func completion<Output>(
        _ action: Action,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<State>
    ) -> IO<Output> {
        // Unchecked because the IO runs on the same thread as `handle`.
        let action = Unchecked(action)
        return IO { _ in channel.after(action.value, dispatcher, state) }
    }
}
