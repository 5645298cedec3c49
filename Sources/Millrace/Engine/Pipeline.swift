// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore
public import MillraceRuntime

/// Middlewares and reducers of a store, with all their types known: this is what is specialised in the client's module.
///
/// The store keeps two closures over it (drain up to n, publish), so that erasure is paid once a batch.
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
    /// To the core, which is there while it calls this.
    @usableFromInline let output: UnretainedOutput<Action>

    @inlinable
    init(middleware: Middleware, reducer: Reducer<Action, State>, core: Core) {
        let cell = core.cell
        if core.isReadOnDemand {
            // Weak: a middleware may keep the getter, and the core keeps the middleware. Made only here, as an object
            // that ever had a weak reference takes longer to be retained.
            getState = { [weak core] in
                core?.freshen()
                return cell.read()
            }
        } else {
            getState = { cell.read() }
        }
        output = UnretainedOutput(to: core)
        let getState = getState
        (self.middleware, running) = core.collecting { middleware.bound(to: getState, live: core.live) }
        reduce = reducer.reduce
    }

    deinit {
        output.deallocate()
    }

    /// Makes room for so many actions, oldest first: throws them away, and delivers messages, which make no room.
    ///
    /// Of exempt actions it handles the first so many, and stops at the next; none: they are thrown away, too. Returns
    /// how many slots it went past.
    @inlinable
    func discard(_ core: Core, _ most: Int, handling exempt: Int) -> Int {
        let queue = core.queue.raw
        var passed = 0
        var freed = 0
        var handled = 0
        while freed < most, let slot = millrace_queue_front(queue) {
            passed += 1
            let flags = millrace_slot_flags(slot)
            if flags & Slot.message != 0 {
                core.consumer.takeMessage(slot)
            } else if flags & Slot.exempt != 0, exempt > 0 {
                _ = drain(core, 1)
                freed += 1
                handled += 1
                if handled == exempt || core.consumer.isAbandoned { break }
            } else {
                let header = UnsafeMutableRawPointer(slot)
                (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self).deinitialize(count: 1)
                Slot.empty(header)
                millrace_queue_pop(queue)
                core.consumer.noteDiscarded()
                freed += 1
            }
        }
        return passed
    }

    /// As `publish(_:)`, between two actions: a stage of none.
    @inlinable
    func publishBetween(_ core: Core) {
        guard let probe = core.consumer.probe else { return publish(core) }
        probe.stageBegan(.publication)
        publish(core)
        probe.stageEnded(.publication)
    }

    /// Makes the live state the latest snapshot, and tells the subscribers.
    @inlinable
    func publish(_ core: Core) {
        let live = core.cell.live
        let snapshot = core.cell.snapshot
        let tells =
            !core.subscribers.isEmpty
            && core.emitsValue.shouldEmit(previous: snapshot.latest.pointee, new: live.pointee)
        // Without memory the state stays dirty, and is published another time.
        guard snapshot.publish(live.pointee, version: core.consumer.counters.pointee.reduced) else { return }
        core.consumer.counters.pointee.isDirty = false
        core.consumer.counters.pointee.published = millrace_clock_ticks()
        if tells { core.tellSubscribers(snapshot.latest.pointee) }
    }
}
