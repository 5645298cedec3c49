// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Work with the outside world, described by a value: what an ``EffectMiddleware`` answers to an action.
///
/// ```swift
/// let middleware = EffectMiddleware<SearchAction, SearchAction, SearchState, Void>.onAction { action, _, state in
///     switch action {
///     case .typed(let text): .task(token: "search") { _ in .found(await search(text)) }
///     case .left: .toCancel("search")
///     default: .doNothing
///     }
/// }
/// ```
///
/// Nothing happens until a middleware starts it, and each start is a run of its own. Tasks, sequences, callbacks and
/// (with `MillraceCombine`) publishers are faces of one thing, a closure that is given an ``EffectSink``.
///
/// **Token.** An effect with a token can be cancelled by it, with ``toCancel(_:)``. Tokens are compared by equality,
/// within the middleware that started the effect, and within the element where it was lifted to a collection. When an
/// effect is started whose token is in use, the new one is started first, then the old one is cancelled;
/// ``EffectPolicy`` has other ways.
///
/// **Cancelling.** When it returns, the effect sends nothing more, and those of its actions that still wait in the
/// store's queue are dropped and counted as cancelled; so are those of its parts, also of parts that have ended.
/// Actions of an effect that has completed as a whole stay. What the pipeline or a task has taken up is not taken back:
/// see ``EffectMiddleware/cancel(_:)``.
///
/// **Threads.** It is started on the pipeline's thread, after the reducers; one that waited for its turn, or for a
/// time, on another. It may send and end on any thread. One that works synchronously has done so when the next action
/// begins: no task is made for it. One that blocks its thread blocks the pipeline: put such work into a thread of your
/// own.
///
/// **Priority and task-locals.** They are the effect's, and never those of who dispatched the action, runs the pipeline
/// or ended the effect that was waited for: so they are the same with each engine. A task of an effect is detached. It
/// has the priority that the effect names, or else ``EffectOptions/priority``, and no task-locals; what it starts in a
/// group, or with `async let`, has its. A body that is called synchronously, on whatever thread, sees no task-locals
/// and no cancelled task either, so that a `Task` it makes has none. (On Apple's systems before version 26, and where a
/// thread that runs no task dispatches inside of `withValue`, a synchronous body sees what is set there.) To hand a trace
/// or an id on put it into the action.
///
/// **Cost.** `doNothing` is free. A run costs one allocation, the effect itself one more, and a token a third; a task
/// has its own.
public struct Effect<Dependencies, OutputAction>: Sendable {
    /// Cancels the effect of a token, when it is started.
    public typealias ToCancel = @Sendable (AnyHashable) -> FireAndForget<DispatchedAction<OutputAction>>
    /// What an effect is given: the world it may use, and a way to cancel others.
    public typealias Context = (dependencies: Dependencies, toCancel: ToCancel)
    /// What it reports to.
    public typealias Sink = EffectSink<DispatchedAction<OutputAction>>

    /// By what it can be cancelled and replaced; nil: only together with its middleware.
    public var token: AnyHashable? { traits.tag?.token }
    /// What happens when its token is in use.
    public var policy: EffectPolicy { traits.policy }
    @usableFromInline let traits: EffectTraits
    /// Nil: it does nothing.
    @usableFromInline let start: (@Sendable (Context, Sink) -> Void)?

    @inlinable
    init(_ traits: EffectTraits, start: (@Sendable (Context, Sink) -> Void)?) {
        self.traits = traits
        self.start = start
    }

    /// An effect made of what is to happen when it is started. It must complete its sink in the end.
    @preconcurrency
    @inlinable
    public init(start: @escaping @Sendable (Context, Sink) -> Void) {
        self.init(EffectTraits(callsUser: true), start: start)
    }

    /// The same, which can be cancelled and replaced.
    @preconcurrency
    @inlinable
    public init<Token: Hashable & Sendable>(
        token: Token,
        policy: EffectPolicy = .replace,
        start: @escaping @Sendable (Context, Sink) -> Void
    ) {
        self.init(EffectTraits(EffectTag(token, policy: policy), callsUser: true), start: start)
    }

    /// An effect that is over when it was started.
    @inlinable
    static func immediate(
        isCounted: Bool = true,
        callsUser: Bool = false,
        _ start: @escaping @Sendable (Context, Sink) -> Void
    ) -> Effect {
        Effect(EffectTraits(isImmediate: true, isCounted: isCounted, callsUser: callsUser), start: start)
    }

    /// No effect. It is not even started, unlike `sequence([])`, and costs nothing.
    @inlinable
    public static var doNothing: Effect { Effect(EffectTraits(), start: nil) }

    /// Whether there is anything to start.
    @inlinable
    public var doesSomething: Bool { start != nil }

    /// Starts it on behalf of a bridge; what does nothing completes.
    package func begin(_ context: Context, _ sink: Sink) {
        guard let start else { return sink.complete() }
        start(context, sink)
    }

    /// The same effect under a token; nil takes none. `doNothing` stays what it is. A part of an effect does not
    /// replace the whole, though it has the same token.
    @preconcurrency
    @inlinable
    public func withToken<Token: Hashable & Sendable>(_ token: Token, policy: EffectPolicy = .replace) -> Effect {
        guard start != nil else { return self }
        let tag = EffectTag(token, policy: policy, name: traits.tag?.name)
        return Effect(traits.with(tag), start: start)
    }

    /// The same effect with a name, by which an `EffectObserver` and ``EffectLabel`` know it. It changes nothing
    /// else.
    public func named(_ name: String) -> Effect {
        Effect(traits.with(EffectTag(name: name, of: traits.tag)), start: start)
    }
}
