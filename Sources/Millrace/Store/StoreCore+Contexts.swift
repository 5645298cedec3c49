// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreCore {
    /// Makes an output for a `receiveContext`, while a middleware is being bound.
    @usableFromInline
    func contextOutput() -> AnyActionHandler<Action> {
        let sink = ContextSink(self, isOpen: host != nil)
        // Known only if a plugin is bound, on the pipeline's thread.
        if let router { sink.pass(to: router) }
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
    /// the store is shared. Of several shards, the last one lets the actions of all shards pass.
    @usableFromInline
    func openContexts() {
        guard !holdsContexts else { return }
        let sinks = contexts.withLock { $0 }
        if let contextGroup { contextGroup.open(sinks) } else { ContextSink.open(sinks) }
    }

    /// Whether `openContexts` would let actions pass that are held.
    var hasHeldContexts: Bool {
        contextGroup?.hasHeld == true || contexts.withLock { $0 }.contains(where: \.hasHeld)
    }

    /// Lets `openContexts` pass what `receiveContext`s dispatch to the shards of the actions.
    func holdContexts(for router: ActionSink<Action>, _ group: ContextGroup<Action, State>) {
        holdsContexts = false
        contextGroup = group
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
