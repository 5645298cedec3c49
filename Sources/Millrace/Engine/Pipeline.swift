// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceRuntime

/// The middlewares and the reducer of a store, with all their types known. This code is specialised in the client's
/// module.
///
/// The consumer calls it through the closures of ``PipelineEntry``, so type erasure costs one call a batch.
@usableFromInline
final class Pipeline<Middleware: MiddlewareProtocol>
where Middleware.InputActionType == Middleware.OutputActionType {
    @usableFromInline typealias Action = Middleware.InputActionType
    @usableFromInline typealias State = Middleware.StateType
    @usableFromInline typealias Core = StoreCore<Action, State>

    @usableFromInline let middleware: Middleware
    @usableFromInline let reduce: MutableReduceFunction<Action, State>
    @usableFromInline let getState: GetState<State>
    /// The middlewares that have a name, outer before inner.
    @usableFromInline let running: [RunningMiddleware]
    /// The output to the core. It does not retain the core, which is alive while it calls the pipeline.
    @usableFromInline let output: UnretainedOutput<Action>

    @inlinable
    init(middleware: Middleware, reducer: Reducer<Action, State>, core: Core) {
        let cell = core.cell
        let source: StateSource<State>
        if core.isReadOnDemand {
            // Weak: a middleware may keep the getter, and the core keeps the middleware. Only stores that publish on
            // demand pay for it: an object that ever had a weak reference takes longer to retain. The pipeline's thread
            // does not use it, as it reads the live state.
            getState = { [weak core] in
                if !cell.isRunningHere { core?.freshen() }
                return cell.read()
            }
            source = StateSource(
                read: getState,
                visit: { [weak core] body in
                    if !cell.isRunningHere { core?.freshen() }
                    cell.visit(body)
                },
                live: core.live,
                isLive: { cell.isReadableHere },
                owner: cell
            )
        } else {
            getState = { cell.read() }
            // The cell keeps no middleware, so there is no cycle.
            source = StateSource(
                read: getState,
                visit: { cell.visit($0) },
                live: core.live,
                isLive: { cell.isReadableHere },
                owner: cell
            )
        }
        output = UnretainedOutput(to: core)
        let names = BoundNames()
        self.middleware = middleware.bound(core.binding(to: source, collecting: names))
        running = names.all
        reduce = reducer.reduce
    }

    deinit {
        output.deallocate()
    }

    /// Makes room for `most` actions, oldest first: see ``PipelineEntry/dropOldest``.
    @inlinable
    func dropOldest(_ core: Core, _ most: Int, handling limit: Int) -> Int {
        let queue = core.queue.raw
        var passed = 0
        var freed = 0
        var handled = 0
        while freed < most, let slot = queue.front() {
            let flags = Slot.flags(slot)
            if flags & Slot.message != 0, limit > 0, core.consumer.hasBesides {
                // They come before the message, as in `drain`.
                handled += core.consumer.entry?.drainBeside(limit - handled) ?? 0
                if handled >= limit || core.consumer.isAbandoned { break }
                continue
            }
            passed += 1
            if flags & Slot.handled != 0 {
                queue.popHandled()
            } else if flags & Slot.message != 0 {
                core.consumer.takeMessage(slot)
            } else if flags & Slot.beyondCapacity != 0, limit > 0 {
                let before = queue.passed
                _ = core.consumer.entry?.drain(1)
                // An urgent action may have come first.
                freed += Int(queue.popped(since: before))
                handled += 1
                if handled == limit || core.consumer.isAbandoned { break }
            } else {
                discard(slot)
                queue.pop()
                core.consumer.noteDropped()
                freed += 1
            }
        }
        return passed
    }

    /// Publishes between two actions, so the probe is told of a stage that belongs to no action.
    @inlinable
    func publishBetween(_ core: Core) {
        guard let probe = core.consumer.probe else { return publish(core) }
        probe.stageBegan(.publication)
        publish(core)
        probe.stageEnded(.publication)
    }

    /// Publishes the live state, and calls the subscribers if `emitsValue` allows it.
    @inlinable
    func publish(_ core: Core) {
        let live = core.cell.live
        let snapshot = core.cell.snapshot
        let tells =
            !core.subscribers.isEmpty
            && core.emitsValue.shouldEmit(previous: snapshot.latest.pointee, new: live.pointee)
        // Without memory the state stays dirty, and a later publication tries again.
        guard snapshot.publish(live.pointee, version: core.consumer.counters.pointee.reduced) else { return }
        core.consumer.counters.pointee.isDirty = false
        core.consumer.counters.pointee.published = core.consumer.now
        #if MILLRACE_PLANTED
            if Planted.has(.lastStateUntold), core.consumer.isClosed { return }
        #endif
        if tells { core.tellSubscribers(snapshot.latest.pointee) }
    }
}
