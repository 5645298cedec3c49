// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// The sink behind the output that a `receiveContext` gets. It holds actions back until the store's engine has started:
/// before that, the other middlewares are not bound, and a shard does not know the others.
///
/// It has a strong reference to the core, which the release of the store removes (`close`). A weak reference would not
/// do: a thread could retain the core by it after the release has checked that nobody else holds the core.
final class ContextSink<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked: one thread at a time touches an action.
    private typealias Held = (
        number: UInt64, action: DispatchedAction<Action>, cause: ActionCause, run: EffectRun?, isUrgent: Bool
    )

    private struct Target {
        /// Nil once the store is released: then no action is accepted.
        var core: StoreCore<Action, State>?
        /// Finds the shard of an action, if the core is one of several.
        var router: ShardRouter<Action, State>?
    }

    private let target: Locked<Target>
    /// The actions that wait for the engine; nil once the sink is open. Guarded by `heldNumbers`.
    @exclusivity(unchecked) private var held: [Held]?
    /// Whether `open` has set `held` to nil. Read without the lock.
    private let isOpen: Atomic<Bool>

    init(_ core: StoreCore<Action, State>, isOpen: Bool) {
        target = Locked(Target(core: core))
        held = isOpen ? nil : []
        self.isOpen = Atomic(isOpen)
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
        // Acquiring: it pairs with the static `pass`, so that actions that were held come first, and the router is
        // seen. Read before the target for the same reason.
        let wasOpen = isOpen.load(ordering: .acquiring)
        var (next, isRecorded) = look()
        // The journal already has this action, and the recovery handles it from there.
        if isRecorded { return .accepted }
        if !wasOpen {
            // It is accepted later. The store is not shared yet: only its journal can close it, when it fails.
            if hold(action, cause, run, isUrgent: isUrgent) { return .accepted }
            (next, _) = look()
        }
        // Released: the store is closed.
        guard let next else { return .closed }
        if isUrgent { return next.acceptUrgently(action, cause: cause, run: run) }
        next.accept(action, cause: cause, run: run)
        return .accepted
    }

    /// Returns where actions go at present, and whether this thread is handling recorded actions: the journal already
    /// has what it dispatches.
    private func look() -> (next: ActionSink<Action>?, isRecorded: Bool) {
        target.withLock { ($0.router ?? $0.core, $0.core?.consumer.isReplayingHere == true) }
    }

    /// Holds an action back. Returns false if the sink is open.
    private func hold(
        _ action: DispatchedAction<Action>,
        _ cause: ActionCause,
        _ run: EffectRun?,
        isUrgent: Bool
    ) -> Bool {
        heldNumbers.withLock { next in
            guard held != nil else { return false }
            held?.append((next, action, cause, run, isUrgent))
            next += 1
            return true
        }
    }

    /// Opens these sinks. What they hold goes into the queues in the order in which it was dispatched to all of them.
    /// It may exceed the capacity, so this never waits for room. With `.caller` the pipelines run here.
    ///
    /// - Parameter begin: Called at the moment of opening, under the lock: lets the effects of recorded actions begin.
    static func open(_ sinks: [ContextSink], begin: () -> Void = {}) {
        // Without sinks there is no order to keep, so stores without them share no lock.
        if sinks.isEmpty { return begin() }
        var taken: [Taken] = []
        while true {
            taken += take(sinks)
            guard let pushed = pass(taken, of: sinks, begin) else { continue }
            for (core, last) in pushed.values { core.wakeForHeld(upTo: last) }
            return
        }
    }

    private typealias Taken = (core: StoreCore<Action, State>, held: Held)

    /// Takes the actions that are held, and finds their shards. Not under the lock, because the key of an action is
    /// foreign code. Further actions are still held.
    private static func take(_ sinks: [ContextSink]) -> [Taken] {
        let actions = heldNumbers.withLock { _ in
            sinks.flatMap { sink in
                defer { if sink.held != nil { sink.held = [] } }
                return (sink.held ?? []).map { (sink: sink, held: $0) }
            }
        }
        // The shard of a sink that was closed meanwhile is not found.
        return actions.sorted { $0.held.number < $1.held.number }.compactMap { sink, held in
            sink.core(of: held.action.action).map { ($0, held) }
        }
    }

    /// Puts actions into the queues and opens the sinks, at one moment for all other threads: an action that any thread
    /// dispatches later comes later. Returns the shards with the position of the last action; nil, and does nothing, if
    /// the sinks hold further actions.
    private static func pass(
        _ taken: [Taken],
        of sinks: [ContextSink],
        _ begin: () -> Void
    ) -> [ObjectIdentifier: (core: StoreCore<Action, State>, last: UInt64)]? {
        heldNumbers.withLock { _ in
            guard sinks.allSatisfy({ $0.held?.isEmpty != false }) else { return nil }
            var pushed: [ObjectIdentifier: (core: StoreCore<Action, State>, last: UInt64)] = [:]
            for (core, held) in taken {
                let name = ObjectIdentifier(core)
                // A pipeline that ran now could dispatch between two of these actions.
                if pushed[name] == nil { pushed[name] = (core, core.stopAtMessage { heldNumbers.withLock { _ in } }) }
                nonisolated(unsafe) let action = held.action
                if let position = core.pushHeld(action, held.cause, held.run, isUrgent: held.isUrgent) {
                    pushed[name]?.last = position
                }
            }
            for sink in sinks {
                sink.held = nil
                // Releasing: pairs with `pass` of an action.
                sink.isOpen.store(true, ordering: .releasing)
            }
            begin()
            return pushed
        }
    }

    private func core(of action: Action) -> StoreCore<Action, State>? {
        let (core, router) = target.withLock { ($0.core, $0.router) }
        guard core != nil, let router else { return core }
        return router.cores[router.index(action)]
    }

    /// Whether actions are held.
    var hasHeld: Bool { heldNumbers.withLock { _ in held?.isEmpty == false } }

    /// Passes all further actions to the shards.
    func pass(to router: ShardRouter<Action, State>) {
        target.withLock { target in if target.core != nil { target.router = router } }
    }

    /// Releases the core and the held actions. A thread that is dispatching at present retains the core itself.
    func close() {
        let dropped = heldNumbers.withLock { _ in held.take() }
        let released = target.withLock { target in
            defer { target = Target() }
            return target
        }
        withExtendedLifetime((dropped, released)) {}
    }
}

/// The number of the next action that a sink holds back, and the lock of what all sinks of the program hold: the sinks
/// of one store open together. It is taken only while stores with such sinks are made and released.
///
/// The only lock under which another one is taken: that of the messages of a store.
private let heldNumbers = Locked<UInt64>(0)
