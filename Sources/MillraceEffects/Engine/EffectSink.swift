// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The object that a started effect sends its actions to. Tasks, sequences, publishers and callbacks all use it.
///
/// ```swift
/// Effect<World, AppAction>(token: "location") { context, sink in
///     let watch = context.dependencies.locations.watch { place in
///         sink.send(DispatchedAction(.moved(place)))
///     }
///     sink.onCancel { watch.stop() }
/// }
/// ```
///
/// Any thread may call anything, at any time. An effect ends once: when it completes, or when it is cancelled. What it
/// sends afterwards is ignored. An effect that never completes is kept until it is cancelled or its middleware is
/// released.
public struct EffectSink<Element>: Sendable {
    @usableFromInline typealias Emit = @Sendable (Element, EffectTask, EffectEmission) -> (any Backpressure)?

    @usableFromInline let effectTask: EffectTask
    /// Sends the actions of the effect and of its parts.
    @usableFromInline let emit: Emit

    @inlinable
    init(effectTask: EffectTask, emit: @escaping Emit) {
        self.effectTask = effectTask
        self.emit = emit
    }

    /// Sends an action, if the effect has not ended. The action goes to the tail of the store's queue.
    ///
    /// A full bounded store applies its overflow policy: the calling thread may block, or an action may be dropped.
    /// Exceptions: calls on the pipeline's thread, and the actions of `task`, `stream`, `promise`, `just` and
    /// `sequence`.
    @inlinable
    public func send(_ element: Element) {
        guard effectTask.isActive else { return }
        _ = emit(element, effectTask, .send)
    }

    /// Sends an action to which the capacity does not apply. Only for effects that send few actions.
    @inlinable
    func sendInAnyCase(_ element: Element) {
        guard effectTask.isActive else { return }
        _ = emit(element, effectTask, .sendInAnyCase)
    }

    /// Reserves a place, which may suspend the task, then sends. For effects that may send many actions.
    ///
    /// An action that a closed gate or a lift would drop needs no room, and does not wait for any. A place that was
    /// reserved and not used is given back: the gate may close, or the effect may be cancelled, while the task waits.
    @usableFromInline
    func sendWhenRoom(_ element: Element) async {
        guard effectTask.isActive else { return }
        guard effectTask.origin.isBounded else { return send(element) }
        guard let store = emit(element, effectTask, .findRoom) else {
            // Without this, an endless sequence behind a closed gate would occupy a thread of the pool.
            return await Task.yield()
        }
        switch await store.reserveRoom() {
        case .cancelled: return
        case .unbounded, .closed:
            // A closed store rejects the action, and counts that.
            sendInAnyCase(element)
            await Task.yield()
        case .reserved:
            #if MILLRACE_PLANTED
                if Planted.has(.roomKept), !effectTask.isActive { return }
            #endif
            // Before the push: the push may run the pipeline on this thread, and the place would stay reserved
            // meanwhile.
            store.endReservation()
            sendInAnyCase(element)
        }
    }

    /// Completes the effect. Actions that were already sent are kept.
    @inlinable
    public func complete() {
        effectTask.complete()
    }

    /// Whether the effect was cancelled. What it sends from now on is ignored.
    @inlinable
    public var isCancelled: Bool { effectTask.isCancelled }

    /// Calls `handler` once when the effect is cancelled, on the thread that cancels it and with the task-local values
    /// there; at once if it was cancelled before. When the effect completes, the handler is released without a call. A
    /// handler cannot be removed. So an effect that runs for a long time should add one handler that stops everything
    /// the effect has started, not one handler for each part.
    @preconcurrency
    @inlinable
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        effectTask.onCancel(handler)
    }

    /// Runs `body` in a task, which is cancelled with the effect. The task is detached: it does not inherit priority
    /// and task-locals from the task that starts the effect.
    @usableFromInline
    @discardableResult
    func inTask(_ priority: TaskPriority? = nil, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let priority = priority ?? self.priority
        let task = effectTask.origin.task(priority, EffectKey.passing(effectTask.key, to: body))
        effectTask.onCancel { task.cancel() }
        return task
    }

    /// The clock of the middleware: ``EffectOptions/clock``.
    public var clock: any Clock<Duration> { effectTask.origin.clock }

    /// The priority of tasks of the middleware.
    @usableFromInline var priority: TaskPriority { effectTask.origin.registry?.options.priority ?? .medium }

    /// Returns this sink for other elements, each of which `transform` turns into an element of this sink. In a
    /// bounded store `transform` is called twice for an element that waits for room: first to find the store, then to
    /// send the element.
    @inlinable
    func contramap<NewElement>(_ transform: @escaping @Sendable (NewElement) -> Element) -> EffectSink<NewElement> {
        EffectSink<NewElement>(effectTask: effectTask) { [emit] element, effectTask, emission in
            emit(transform(element), effectTask, emission)
        }
    }

    /// Returns a sink of this effect that drops every element.
    func ignoring<NewElement>(_: NewElement.Type = NewElement.self) -> EffectSink<NewElement> {
        EffectSink<NewElement>(effectTask: effectTask) { _, _, _ in nil }
    }

    /// Starts a part of the effect, which is cancelled with the effect. Returns nil if the part cannot be started.
    ///
    /// - Parameter isEndedByOwner: Whether the caller cancels the part with the effect: for an effect that starts many
    ///   parts, one after the other. It gets the part in `willStart`.
    @discardableResult
    func start<Dependencies, OutputAction>(
        part: Effect<Dependencies, OutputAction>,
        _ context: Effect<Dependencies, OutputAction>.Context,
        isRevokedAlone: Bool = false,
        isEndedByOwner: Bool = false,
        willStart: (EffectTask) -> Void = { _ in },
        ended: @escaping @Sendable () -> Void
    ) -> EffectTask? where Element == DispatchedAction<OutputAction> {
        let effectTask = EffectTask.make(
            part.tag,
            part.flags,
            origin: effectTask.origin,
            whole: effectTask,
            isRevokedAlone: isRevokedAlone,
            isEndedByOwner: isEndedByOwner
        ) { _ in ended() }
        willStart(effectTask)
        return MillraceEffects.start(part, context, EffectSink(effectTask: effectTask, emit: emit)) ? effectTask : nil
    }
}

extension EffectSink {
    /// Returns a sink without a middleware, for a bridge that runs an effect itself, and a closure that cancels the
    /// effect.
    ///
    /// - Parameter completed: Called once if the effect completes.
    package static func standalone(
        onElement: @escaping @Sendable (Element) -> Void,
        completed: @escaping @Sendable () -> Void
    ) -> (sink: EffectSink, cancel: @Sendable () -> Void) {
        let effectTask = EffectTask.make(nil, EffectFlags(), origin: EffectOrigin()) { wasCancelled in
            if !wasCancelled { completed() }
        }
        let sink = EffectSink(effectTask: effectTask) { element, _, emission in
            if emission != .findRoom { onElement(element) }
            return nil
        }
        return (sink, { effectTask.cancel() })
    }
}
