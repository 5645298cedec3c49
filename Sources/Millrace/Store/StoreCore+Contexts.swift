// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreCore {
    /// Makes an output for a `receiveContext`, while a middleware is being bound.
    @usableFromInline
    func contextOutput() -> AnyActionHandler<Action> {
        let sink = ContextSink(self, isOpen: host != nil)
        // Known only if a plugin is bound, on the pipeline's thread.
        if let router = router as? ShardRouter<Action, State> { sink.pass(to: router) }
        contexts.withLock { $0.append(sink) }
        return AnyActionHandler(sink: sink)
    }

    /// Makes the output for middlewares that handle recorded actions again.
    @usableFromInline
    func replayOutput() -> ActionSink<Action> {
        let sink = ContextSink(self, isOpen: true)
        sink.findRoom = findRoom
        if let router = router as? ShardRouter<Action, State> { sink.pass(to: router) }
        contexts.withLock { $0.append(sink) }
        return sink
    }

    /// Opens the outputs of `receiveContext`s. Called when the engine has started, with a journal after the recovery,
    /// and before the store is shared. In a shard it does nothing before `holdContexts`; afterwards the last shard that
    /// calls it opens the outputs of all shards.
    @usableFromInline
    func openContexts() {
        guard !holdsContexts else { return }
        let sinks = contexts.withLock { $0 }
        if let contextGroup { contextGroup.open(sinks) } else { ContextSink.open(sinks) }
    }

    /// The same after a recovery: at the moment of opening, the effects of recorded actions may begin.
    func openContexts(_ port: JournalPort) {
        let recovered = RecoveredCore(core: self, port: port)
        let sinks = contexts.withLock { $0 }
        if let contextGroup { return contextGroup.open(sinks, recovered) }
        ContextSink.open(sinks) { recovered.begin() }
        recovered.wake()
    }

    /// Whether `openContexts` neither runs a pipeline nor passes on held actions.
    var opensContextsAtOnce: Bool {
        let runsHere = host?.runsOnCallers == true || contextGroup?.runsHere == true
        return !runsHere && contextGroup?.hasHeld != true && !contexts.withLock { $0 }.contains(where: \.hasHeld)
    }

    /// Lets `openContexts` pass what `receiveContext`s dispatch to the shards of the actions.
    func holdContexts(for router: ShardRouter<Action, State>, _ group: ContextGroup<Action, State>) {
        holdsContexts = false
        contextGroup = group
        for sink in contexts.withLock({ $0 }) { sink.pass(to: router) }
    }

    /// Closes the outputs of `receiveContext`s when the store is released: they no longer retain this core.
    func closeContexts() {
        let sinks = contexts.withLock { sinks in
            defer { sinks = [] }
            return sinks
        }
        for sink in sinks { sink.close() }
    }
}

// For `ContextSink.open`.
extension StoreCore {
    /// Has the pipeline call a closure before it handles what is pushed after this call. Returns its position. Wakes
    /// nobody.
    func stopAtMessage(_ body: @escaping () -> Void) -> UInt64 {
        // Without memory for the message there is none for the actions, which are counted as rejected then.
        guard case .accepted(let position) = put(PipelineMessage(body)) else { return 0 }
        return position
    }

    /// Puts an action into the queue, or counts it as rejected. It may exceed the capacity. Wakes nobody. Returns its
    /// position in the shared queue, if it is there.
    func pushHeld(
        _ action: sending DispatchedAction<Action>,
        _ cause: ActionCause,
        _ run: EffectRun?,
        isUrgent: Bool
    ) -> UInt64? {
        guard let target = isUrgent ? urgentQueue() : queue else {
            reject(1)
            return nil
        }
        let result = target.push(
            action.action,
            source: action.dispatcher,
            cause: cause,
            run: run,
            flags: Slot.beyondCapacity,
            intake: isUrgent ? queue.raw : nil,
            admits: { admitsWhileClosed }
        )
        guard case .accepted(let position) = result else {
            reject(1)
            return nil
        }
        guard isUrgent else { return position }
        cell.stage.askUrgent()
        return nil
    }

    /// Makes sure that a consumer handles what was pushed, up to a position of the shared queue.
    func wakeForHeld(upTo position: UInt64) {
        if consumer.urgent.queue != nil { wakeForUrgent() }
        if needsKick { kick(upTo: position) }
    }
}
