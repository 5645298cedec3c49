// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What an effect that was started sends to. Tasks, sequences, publishers and callbacks all use it.
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
/// Any thread may call anything, at any time. An effect ends once: when it completes, or when it is cancelled; what it
/// sends afterwards goes nowhere. One that never completes is kept until it is cancelled or its middleware is released.
public struct EffectSink<Element>: Sendable {
    /// What is to be done with an element: one closure does both, as two would be two allocations.
    @usableFromInline
    enum Emission {
        /// Sends it, as part of this run. The answer is nil.
        case send(EffectRun?)
        /// Answers which bounded store it would go to; nil if it would be dropped on the way.
        case findRoom
    }

    @usableFromInline typealias Emit = @Sendable (Element, EffectLife, Emission) -> (any RoomKeeper)?

    @usableFromInline let life: EffectLife
    /// Where its actions go, also those of its parts.
    @usableFromInline let emit: Emit

    @inlinable
    init(life: EffectLife, emit: @escaping Emit) {
        self.life = life
        self.emit = emit
    }

    /// Sends an action, if the effect has not ended. It goes to the tail of the store's queue.
    ///
    /// A full bounded store applies its overflow policy: the calling thread may block, or the action may be dropped.
    /// Exceptions: calls on the pipeline's thread, and the actions of `task`, `stream`, `promise`, `just` and `sequence`.
    @inlinable
    public func send(_ element: Element) {
        guard life.isActive else { return }
        _ = emit(element, life, .send(life.run))
    }

    /// Sends an action that is exempt from the capacity. Only for effects that send few actions.
    @inlinable
    func sendInAnyCase(_ element: Element) {
        guard life.isActive else { return }
        _ = emit(element, life, .send(life.exemptRun))
    }

    /// Reserves a place first, which may suspend the task, then sends. For effects that may send many actions.
    ///
    /// An action that a closed gate or a lift would drop needs no room, so it does not wait for any. Room that was
    /// reserved and not used is given back: a gate may close, and the effect may be cancelled, while the task waits.
    @usableFromInline
    func sendWhenRoom(_ element: Element) async {
        guard life.isActive else { return }
        guard life.home.isBounded else { return send(element) }
        guard let store = emit(element, life, .findRoom) else {
            // Without this, an endless sequence behind a closed gate would occupy a thread of the pool.
            return await Task.yield()
        }
        switch await store.reserveRoom() {
        case .cancelled: return
        case .unbounded, .closed:
            // A closed store refuses it, and counts that.
            sendInAnyCase(element)
            await Task.yield()
        case .reserved:
            // Before the push: it may run the pipeline on this thread, and the place would stay reserved meanwhile.
            store.endReservation()
            sendInAnyCase(element)
        }
    }

    /// Completes the effect. Actions already sent are kept.
    @inlinable
    public func complete() {
        life.complete()
    }

    /// Whether the effect was cancelled: what it sends now is ignored.
    @inlinable
    public var isCancelled: Bool { life.isCancelled }

    /// Calls `handler` once when the effect is cancelled, on the thread that cancels; at once if it was. When the effect
    /// completes, the handler is released without a call. A handler cannot be removed: an effect that lives long should
    /// add one handler that stops all current work, not one for each piece of work.
    @preconcurrency
    @inlinable
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        life.onCancel(handler)
    }

    /// Does work in a task, which is cancelled with the effect. Detached, so that priority and task-locals of the task
    /// that starts the effect are not inherited.
    @usableFromInline
    @discardableResult
    func inTask(_ priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let task = Task.detached(priority: priority ?? self.priority, operation: work)
        life.onCancel { task.cancel() }
        return task
    }

    /// The clock of the middleware: ``EffectOptions/clock``.
    public var clock: any Clock<Duration> { life.home.registry?.options.clock ?? ContinuousClock() }

    /// The priority of tasks of the middleware.
    @usableFromInline var priority: TaskPriority { life.home.registry?.options.priority ?? .medium }

    /// The same sink for other elements, each of which is turned into one of these. In a bounded store `transform` is
    /// called twice for an element that waits for room: first to find the store, then to send it.
    @inlinable
    func contramap<NewElement>(_ transform: @escaping @Sendable (NewElement) -> Element) -> EffectSink<NewElement> {
        EffectSink<NewElement>(life: life) { [emit] element, life, emission in
            switch emission {
            case .send(let run): emit(transform(element), life, .send(run))
            case .findRoom: emit(transform(element), life, .findRoom)
            }
        }
    }

    /// A sink of this effect that drops every element.
    func ignoring<NewElement>(_: NewElement.Type = NewElement.self) -> EffectSink<NewElement> {
        EffectSink<NewElement>(life: life) { _, _, _ in nil }
    }

    /// Starts a part of the effect, which is cancelled with it; returns nil if it cannot be started.
    @discardableResult
    func start<Dependencies, OutputAction>(
        part: Effect<Dependencies, OutputAction>,
        _ context: Effect<Dependencies, OutputAction>.Context,
        isRevokedAlone: Bool = false,
        ended: @escaping @Sendable () -> Void
    ) -> EffectLife? where Element == DispatchedAction<OutputAction> {
        let life = EffectLife(
            part.traits.inside(life.home.scope),
            home: life.home,
            parent: life,
            isRevokedAlone: isRevokedAlone
        ) { _ in ended() }
        return MillraceEffects.start(part, context, life, emit: emit) ? life : nil
    }
}

extension EffectSink {
    /// A sink without a middleware, for a bridge that runs an effect itself; and what cancels it.
    ///
    /// - Parameter completed: Called once if it completes.
    package static func standalone(
        onElement: @escaping @Sendable (Element) -> Void,
        completed: @escaping @Sendable () -> Void
    ) -> (sink: EffectSink, cancel: @Sendable () -> Void) {
        let life = EffectLife(EffectTraits(), home: EffectHome()) { wasCancelled in
            if !wasCancelled { completed() }
        }
        let sink = EffectSink(life: life) { element, _, emission in
            if case .send = emission { onElement(element) }
            return nil
        }
        return (sink, { life.cancel() })
    }
}
