// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What an ``EffectMiddleware`` starts in answer to an action.
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
/// Nothing happens until a middleware starts the effect, and each start is a run of its own. Tasks, sequences,
/// callbacks and (with `MillraceCombine`) publishers are all built on one closure, which receives an ``EffectSink``.
///
/// **Token.** An effect with a token can be cancelled by the token, with ``toCancel(_:)``. Tokens are compared by
/// equality, within the middleware that started the effect. Under `liftToCollection` they are compared within one
/// element. If the token of a new effect is in use, the new effect is started first, then the old one is cancelled;
/// ``EffectPolicy`` has other rules.
///
/// **Cancelling.** When a cancel has returned, the effect sends nothing more. Its actions that still wait in the
/// store's queue are removed from it and counted as cancelled. So are the actions of its parts, also of parts that have
/// ended. Actions of an effect that has completed as a whole stay. A cancel does not stop what the pipeline or a task
/// has already begun: see ``EffectMiddleware/cancel(_:)``.
///
/// **Threads.** The pipeline's thread starts the effect, after the reducers. An effect that had to wait for another
/// effect or for a time is started on another thread. An effect may send and end on any thread. A synchronous effect
/// is finished before the pipeline handles the next action: no task is made for it. An effect that blocks its thread
/// blocks the pipeline: run blocking code on a thread of your own.
///
/// **Priority and task-locals.** An effect inherits nothing from the dispatcher of the action, from the code that
/// runs the pipeline, or from the effect that it waited for. So they are the same with each engine. A task of an
/// effect is detached. Its priority is the one that the effect names, or else ``EffectOptions/priority``, and it has
/// no task-locals. Child tasks (in a group, or by `async let`) inherit from that task. A body that is called
/// synchronously sees no task-locals and no cancelled task, on any thread; so a `Task` that it makes has no
/// task-locals. There are two exceptions, where a synchronous body sees the task-locals that are set: Apple's systems
/// before version 26, and a thread without a task that dispatches inside of `withValue`. To pass on a trace or an id,
/// put it into the action.
///
/// **Cost.** `doNothing` allocates nothing. A run costs one allocation, the effect itself another, and a token a third.
/// `just` of a value has no run, unless an observer, a probe or a journal has to know of it, or its token is in use or
/// has another policy than ``EffectPolicy/replace``. Its token takes no allocation if it is an `Int` or a `String`. The
/// same holds for other tokens of at most 16 bytes without references, while the program does not alternate between
/// several such types. A task has its own cost.
public struct Effect<Dependencies, OutputAction>: Sendable {
    /// A function that returns a ``FireAndForget``. When that is started, it cancels the effects of a token.
    public typealias ToCancel = @Sendable (AnyHashable) -> FireAndForget<DispatchedAction<OutputAction>>
    /// The dependencies of an effect, and a function that returns a ``FireAndForget`` that cancels other effects.
    public typealias Context = (dependencies: Dependencies, toCancel: ToCancel)
    /// The type of the sink that an effect sends its actions to.
    public typealias Sink = EffectSink<DispatchedAction<OutputAction>>
    @usableFromInline typealias Body = @Sendable (Context, Sink) -> Void

    /// The token by which the effect can be cancelled and replaced. Nil: no token cancels it, but a predicate or
    /// `cancelAll` does.
    public var token: AnyHashable? { tag?.token }
    /// The rule for the case that the token is in use.
    public var policy: EffectPolicy { tag?.policy ?? .replace }
    // Four words in all: a closure returns an effect of this size in registers.
    @usableFromInline var head: EffectHead<OutputAction>
    @usableFromInline let flags: EffectFlags
    /// Starts the effect. Nil: the effect does nothing, or it is the answer in `head`.
    @usableFromInline let body: (@Sendable (Context, Sink) -> Void)?

    @inlinable
    init(_ head: EffectHead<OutputAction>, _ flags: EffectFlags, _ body: (@Sendable (Context, Sink) -> Void)?) {
        self.head = head
        self.flags = flags
        self.body = body
    }

    @inlinable
    init(_ traits: EffectTraits, start: @escaping @Sendable (Context, Sink) -> Void) {
        self.init(EffectHead(traits.tag), traits.flags, start)
    }

    /// Creates an effect from a closure that is called when the effect is started. The closure must make sure that the
    /// sink is completed in the end.
    @preconcurrency
    @inlinable
    public init(start: @escaping @Sendable (Context, Sink) -> Void) {
        self.init(EffectTraits(callsUser: true), start: start)
    }

    /// Creates an effect with a token, by which it can be cancelled and replaced. The closure is called when the
    /// effect is started, and must make sure that the sink is completed in the end.
    @preconcurrency
    @inlinable
    public init<Token: Hashable & Sendable>(
        token: Token,
        policy: EffectPolicy = .replace,
        start: @escaping @Sendable (Context, Sink) -> Void
    ) {
        self.init(EffectTraits(EffectTag.of(token, policy: policy), callsUser: true), start: start)
    }

    /// Returns an effect that has completed when its start returns.
    @inlinable
    static func immediate(
        isCounted: Bool = true,
        callsUser: Bool = false,
        _ start: @escaping @Sendable (Context, Sink) -> Void
    ) -> Effect {
        Effect(EffectTraits(isImmediate: true, isCounted: isCounted, callsUser: callsUser), start: start)
    }

    /// The empty effect. It is not even started, unlike `sequence([])`, and costs nothing.
    @inlinable
    public static var doNothing: Effect { Effect(.nothing, EffectFlags(), nil) }

    /// Whether there is anything to start.
    @inlinable
    public var doesSomething: Bool { body != nil || head.answer != nil }

    /// Whether this is ``doNothing`` itself, which holds no object.
    @inlinable @inline(__always)
    var isNothing: Bool {
        if case .nothing = head { body == nil } else { false }
    }

    /// The token, policy and name of the effect; nil if it has none of them.
    @inlinable
    var tag: EffectTag? { head.tag }

    @inlinable
    var traits: EffectTraits { EffectTraits(tag, flags) }

    /// Starts the effect; nil for `doNothing`.
    @inlinable
    var start: (@Sendable (Context, Sink) -> Void)? {
        if let body { return body }  // `??` would wrap the closure in others, by four allocations
        guard let answer = head.answer else { return nil }
        return answer.start()
    }

    /// Returns this effect with another tag.
    @inlinable
    consuming func with(_ tag: EffectTag?) -> Effect {
        head.setTag(tag)
        return self
    }

    /// Starts the effect on behalf of a bridge. An effect that does nothing completes.
    package func begin(_ context: Context, _ sink: Sink) {
        guard let start else { return sink.complete() }
        start(context, sink)
    }

    /// Returns this effect with a token; with nil, it has no token. The result for `doNothing` is `doNothing`. A part
    /// of an effect does not replace the whole, even if both have the same token.
    @preconcurrency
    @inlinable
    public consuming func withToken<Token: Hashable & Sendable>(_ token: Token, policy: EffectPolicy = .replace)
        -> Effect
    {
        guard doesSomething else { return self }
        if policy == .replace, head.setTokenInPlace(token) { return self }
        return with(EffectTag.of(token, policy: policy, name: tag?.name))
    }

    /// Returns this effect with a name, which an `EffectObserver` and ``EffectLabel`` show. The name changes nothing
    /// else.
    public consuming func named(_ name: String) -> Effect {
        with(EffectTag(name: name, of: tag))
    }
}

extension Effect: CustomStringConvertible {
    /// The name, token and policy of the effect, as far as it has them: `Effect("load", token: 7, policy: serial)`.
    public var description: String {
        guard doesSomething else { return "Effect.doNothing" }
        let name = tag?.name.map { "\"\($0)\"" }
        let token = token.map { "token: \($0), policy: \(policy)" }
        return "Effect(\([name, token].compactMap(\.self).joined(separator: ", ")))"
    }
}
