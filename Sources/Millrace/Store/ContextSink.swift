// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The sink behind the output that a `receiveContext` gets. It holds actions back until the store's engine has started:
/// before that, the other middlewares are not bound, and a shard does not know the others. It refers to the core until
/// the store is released.
///
/// Not by a weak reference: a thread could then get hold of the core after the release has found that nobody else holds
/// it.
final class ContextSink<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked: one thread at a time touches an action.
    private typealias Waiting = (action: DispatchedAction<Action>, cause: ActionCause, run: EffectRun?, isUrgent: Bool)

    private struct Target {
        /// Nil once the store is released: then actions vanish.
        var core: StoreCore<Action, State>?
        /// Finds the shard of an action, if the core is one of several.
        var router: ActionSink<Action>?
        /// The actions that wait for the engine, in their order; nil: it has started.
        var waiting: [Waiting]?
    }

    private let target: Locked<Target>

    init(_ core: StoreCore<Action, State>, isOpen: Bool) {
        target = Locked(Target(core: core, waiting: isOpen ? nil : []))
    }

    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        _ = pass(dispatchedAction, cause, run, isUrgent: false)
    }

    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        pass(dispatchedAction, cause, run, isUrgent: true)
    }

    private func pass(
        _ dispatchedAction: sending DispatchedAction<Action>,
        _ cause: ActionCause,
        _ run: EffectRun?,
        isUrgent: Bool
    ) -> OfferResult {
        // Unsafe as in every output: an action may have parts that were passed to `handle`.
        nonisolated(unsafe) let action = dispatchedAction
        let (next, waits) = target.withLock { target -> (ActionSink<Action>?, Bool) in
            // The journal has it already.
            if target.core?.consumer.isReplayingHere == true { return (nil, true) }
            guard target.waiting != nil else { return (target.router ?? target.core, false) }
            target.waiting?.append((action, cause, run, isUrgent))
            return (nil, true)
        }
        // Held back, it is accepted later: the store is not shared yet, so nobody can close it. In the journal, it is
        // handled from there.
        if waits { return .accepted }
        // Released: the store is closed.
        guard let next else { return .closed }
        if isUrgent { return next.acceptUrgently(action, cause: cause, run: run) }
        next.accept(action, cause: cause, run: run)
        return .accepted
    }

    /// Lets the actions pass, those that have waited first.
    func open() {
        while let (next, actions) = takeWaiting() {
            for (action, cause, run, isUrgent) in actions {
                nonisolated(unsafe) let action = action
                if isUrgent {
                    _ = next.acceptUrgently(action, cause: cause, run: run)
                } else {
                    next.accept(action, cause: cause, run: run)
                }
            }
        }
    }

    /// Whether actions wait for ``open()``.
    var hasWaiting: Bool { target.withLock { $0.waiting?.isEmpty == false } }

    /// Takes the actions that wait. Nil: none did, so the sink is open.
    private func takeWaiting() -> (next: ActionSink<Action>, actions: [Waiting])? {
        target.withLock { target in
            guard let core = target.core, let actions = target.waiting, !actions.isEmpty else {
                target.waiting = nil
                return nil
            }
            target.waiting = []
            return (target.router ?? core, actions)
        }
    }

    /// Passes all further actions to the shards.
    func pass(to router: ActionSink<Action>) {
        target.withLock { target in if target.core != nil { target.router = router } }
    }

    /// Lets go of the core. A thread that is dispatching at present holds the core itself.
    func close() {
        let released = target.withLock { target in
            defer { target = Target(core: nil, waiting: nil) }
            return target
        }
        withExtendedLifetime(released) {}
    }
}

extension StoreCore {
    /// Makes an output for a `receiveContext`, while a middleware is being bound.
    @usableFromInline
    func contextOutput() -> AnyActionHandler<Action> {
        let sink = ContextSink(self, isOpen: host != nil)
        contexts.withLock { $0.append(sink) }
        return AnyActionHandler(sink: sink)
    }

    /// Makes the output for middlewares that handle recorded actions again.
    @usableFromInline
    func replayOutput() -> ActionSink<Action> {
        let sink = ContextSink(self, isOpen: true)
        sink.findRoom = findRoom
        if let router { sink.pass(to: router) }
        contexts.withLock { $0.append(sink) }
        return sink
    }

    /// Lets the actions pass that `receiveContext`s have dispatched. Called once, when the engine has started and before
    /// the store is shared.
    @usableFromInline
    func openContexts() {
        guard !holdsContexts else { return }
        for sink in contexts.withLock({ $0 }) { sink.open() }
    }

    /// Whether `receiveContext`s have dispatched actions that wait.
    var hasWaitingContexts: Bool { contexts.withLock { $0 }.contains(where: \.hasWaiting) }

    /// Lets `openContexts` pass what `receiveContext`s dispatch to the shards of the actions.
    @usableFromInline
    func holdContexts(for router: ActionSink<Action>) {
        holdsContexts = false
        for sink in contexts.withLock({ $0 }) { sink.pass(to: router) }
    }

    /// Lets go of the outputs of `receiveContext`s, and so of this core, when the store is released.
    func closeContexts() {
        let sinks = contexts.withLock { sinks in
            defer { sinks = [] }
            return sinks
        }
        for sink in sinks { sink.close() }
    }
}
