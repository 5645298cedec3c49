// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// The drain loop: what happens to every action, in this order.
extension Pipeline {
    /// Consumes up to `most` slots, and returns how many. Returns fewer only if the queue is empty or the pipeline is
    /// to stop. A message ends the batch with the result `most`, because it may change how the pipeline goes on.
    @inlinable
    func drain(_ core: Core, _ most: Int) -> Int {
        if let probe = core.consumer.probe, probe.seesEveryAction {
            var watcher = ProbeWatcher(probe, untoldLimit: most)
            return drain(core, most, &watcher)
        }
        var none = NoWatcher()
        return drain(core, most, &none)
    }

    /// The loop. The compiler makes one for each type of watcher.
    @inlinable
    func drain<Watcher: PipelineWatcher>(_ core: Core, _ most: Int, _ watcher: inout Watcher) -> Int {
        let queue = core.queue.raw
        let live = core.cell.live
        let stage = core.cell.stage
        let counters = core.consumer.counters
        let middleware = middleware
        let hasAfterReduce = middleware.hasAfterReduce
        let everyAction = core.consumer.pacing == .everyAction
        var limit = most
        var taken = 0
        // The batch limit; nil once a probe that measures a sample knows it.
        var untoldLimit: Int? = most
        while taken < limit, let slot = queue.front() {
            taken += 1
            if Slot.isSpecial(slot) {
                if Slot.isMessage(slot) {
                    core.consumer.takeMessage(slot)
                    return most
                }
                // An action of the sample.
                if Watcher.isNone, let probe = core.consumer.probe {
                    var sampling = ProbeWatcher(probe, untoldLimit: untoldLimit)
                    _ = drain(core, 1, &sampling)
                    untoldLimit = sampling.untoldLimit
                    if core.consumer.isAbandoned { limit = taken }
                    continue
                }
            }
            let header = UnsafeMutableRawPointer(slot)
            let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
            let source = Slot.source(header)
            if !Slot.hasRun(header) || !isRevoked(header) {
                let kept = watcher.takeUp(
                    action,
                    TakenAction(number: queue.position &+ 1, slot: header, counters: counters),
                    depth: { core.depth }
                )
                stage.enter(slot, Stage.handling)
                let io = watcher.handle(middleware, action.pointee, Borrowed.at(source).pointee, getState)
                watcher.stageBegan(.reducers)
                stage.enter(slot, Stage.reducing)
                reduce(action.pointee, &live.pointee)
                stage.enter(slot, Stage.effects)
                counters.pointee.isDirty = true
                counters.pointee.reduced &+= 1
                watcher.stageEnded(.reducers)
                if everyAction {
                    watcher.stageBegan(.publication)
                    publish(core)
                    watcher.stageEnded(.publication)
                }
                if hasAfterReduce || !io.isPure {
                    watcher.stageBegan(.effects)
                    let cause = cause(of: queue.position &+ 1, Slot.cause(header))
                    if let router = core.router {
                        let output = Borrowed(AnyActionHandler(sink: router, cause: cause))
                        answer(action, Borrowed.at(source).pointee, io, hasAfterReduce, output, &watcher)
                    } else {
                        let output = output.of(cause)
                        answer(action, Borrowed.at(source).pointee, io, hasAfterReduce, output.pointee, &watcher)
                    }
                    watcher.stageEnded(.effects)
                }
                watcher.actionEnded(kept)
                if stage.leave(), core.consumer.attend() { limit = taken }
            } else {
                core.consumer.noteCancelled()
            }
            action.deinitialize(count: 1)
            Slot.empty(header)
            queue.pop()
        }
        return taken
    }

    @inlinable
    func isRevoked(_ header: UnsafeMutableRawPointer) -> Bool {
        Slot.run(header).pointee?.isRevoked ?? false
    }

    /// Runs the steps that follow the reducers: `afterReduce` and the IO.
    @inlinable @inline(__always)
    func answer<Watcher: PipelineWatcher>(
        _ action: UnsafeMutablePointer<Action>,
        _ source: borrowing Borrowed<ActionSource>,
        _ io: IO<Action>,
        _ hasAfterReduce: Bool,
        _ output: borrowing Borrowed<AnyActionHandler<Action>>,
        _ watcher: inout Watcher
    ) {
        if hasAfterReduce {
            middleware.afterReduce(
                action: action.pointee,
                from: source.value,
                state: getState,
                output: output.value
            )
        }
        if !io.isPure, !watcher.holds(io, output) { io.run(output.value) }
    }

    /// Returns the cause of the actions that action `number` dispatches.
    @inlinable
    func cause(of number: UInt64, _ cause: ActionCause) -> ActionCause {
        ActionCause(parent: number, root: cause.root == 0 ? number : cause.root)
    }
}

extension StoreCore {
    /// The number of slots that wait. Reads a word that the producers write.
    @usableFromInline
    var depth: Int {
        // Positions that a trim has taken out of use never held anything.
        Int(queue.raw.claimed &- queue.raw.position &- queue.raw.unused)
    }
}
