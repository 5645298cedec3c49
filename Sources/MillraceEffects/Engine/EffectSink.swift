// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What an effect that was started reports to: the one thing behind tasks, sequences, publishers and callbacks.
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
    @usableFromInline typealias Emit = @Sendable (Element, EffectLife, EffectRun?) -> Void

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
    /// A bounded store that is full treats it as any other: on a thread of yours this may wait, or the action may be
    /// thrown away. Not so on the pipeline's own thread, and not with the actions of `task`, `stream`, `promise`,
    /// `just` and `sequence`.
    @inlinable
    public func send(_ element: Element) {
        guard life.isActive else { return }
        emit(element, life, life.run)
    }

    /// The same for an action which a full store takes, too: one of few.
    @inlinable
    func sendInAnyCase(_ element: Element) {
        guard life.isActive else { return }
        emit(element, life, life.exemptRun)
    }

    /// The same for one of many: the task waits for room, and blocks no thread.
    @usableFromInline
    func sendWhenRoom(_ element: Element) async {
        guard life.isActive else { return }
        if let room = life.home.room, await !room.hasRoom() { return }
        // Also of an effect that was cancelled meanwhile, and is revoked: the room was for it.
        emit(element, life, life.exemptRun)
    }

    /// Ends the effect well. What it sent stays sent.
    @inlinable
    public func complete() {
        life.complete()
    }

    /// Whether the effect was cancelled: what it still does is for nothing.
    @inlinable
    public var isCancelled: Bool { life.isCancelled }

    /// Calls `handler` once when the effect is cancelled, on the thread that cancels; at once if it was. It is let go
    /// uncalled when the effect completes. There may be several, and none can be taken back: in an effect that lives
    /// long add one that looks at what there is to stop, and not one for each piece of work.
    @preconcurrency
    @inlinable
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        life.onCancel(handler)
    }

    /// Cancels a task with the effect.
    @inlinable
    func cancels(_ task: Task<Void, Never>) {
        life.onCancel { task.cancel() }
    }

    /// The clock of the middleware: ``EffectOptions/clock``.
    public var clock: any Clock<Duration> { life.home.registry?.options.clock ?? ContinuousClock() }

    /// The same sink for other elements, each of which is turned into one of these.
    @inlinable
    func contramap<NewElement>(_ transform: @escaping @Sendable (NewElement) -> Element) -> EffectSink<NewElement> {
        EffectSink<NewElement>(life: life) { [emit] element, life, run in emit(transform(element), life, run) }
    }

    /// The same sink for elements that go nowhere.
    func ignoring<NewElement>(_: NewElement.Type = NewElement.self) -> EffectSink<NewElement> {
        EffectSink<NewElement>(life: life) { _, _, _ in }
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
        let sink = EffectSink(life: life) { element, _, _ in onElement(element) }
        return (sink, { life.cancel() })
    }
}
