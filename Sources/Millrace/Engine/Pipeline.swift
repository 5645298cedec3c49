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

    /// Takes up to so many slots; returns how many, less only if the queue is empty or the pipeline is to stop. A
    /// message to the pipeline ends the batch, as it may change how to go on.
    @inlinable
    func drain(_ core: Core, _ most: Int) -> Int {
        if let probe = core.consumer.probe, probe.seesEveryAction {
            var untold: Int? = most
            return drain(core, most, probe, &untold)
        }
        let queue = core.queue.raw
        let live = core.cell.live
        let stage = core.cell.stage
        let counters = core.consumer.counters
        let middleware = middleware
        let hasAfterReduce = middleware.hasAfterReduce
        let everyAction = core.consumer.pacing == .everyAction
        var limit = most
        var taken = 0
        // The limit that a probe has yet to be told.
        var untold: Int? = most
        while taken < limit, let slot = millrace_queue_front(queue) {
            taken += 1
            if millrace_slot_is_special(slot) {
                if millrace_slot_is_message(slot) {
                    core.consumer.takeMessage(slot)
                    return most
                }
                // An action of the sample.
                if let probe = core.consumer.probe {
                    _ = drain(core, 1, probe, &untold)
                    if core.consumer.isAbandoned { limit = taken }
                    continue
                }
            }
            let header = UnsafeMutableRawPointer(slot)
            let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
            let source = Slot.source(header)
            if !Slot.hasRun(header) || !isRevoked(header) {
                millrace_stage_enter(stage, slot, Stage.handling)
                let io = ask(middleware, action.pointee, Borrowed.at(source).pointee)
                millrace_stage_enter(stage, slot, Stage.reducing)
                reduce(action.pointee, &live.pointee)
                millrace_stage_enter(stage, slot, Stage.effects)
                counters.pointee.isDirty = true
                counters.pointee.reduced &+= 1
                if everyAction { publish(core) }
                if hasAfterReduce || !io.isPure {
                    let cause = cause(of: queue.pointee.position &+ 1, Slot.cause(header))
                    if let router = core.router {
                        let output = Borrowed(AnyActionHandler(sink: router, cause: cause))
                        answer(action, Borrowed.at(source).pointee, io, hasAfterReduce, output)
                    } else {
                        answer(action, Borrowed.at(source).pointee, io, hasAfterReduce, output.of(cause).pointee)
                    }
                }
                if millrace_stage_leave(stage), core.consumer.attend() { limit = taken }
            } else {
                core.consumer.noteCancelled()
            }
            action.deinitialize(count: 1)
            Slot.empty(header)
            millrace_queue_pop(queue)
        }
        return taken
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

    @inlinable
    func isRevoked(_ header: UnsafeMutableRawPointer) -> Bool {
        Slot.run(header).pointee?.isRevoked ?? false
    }

    @inlinable @inline(__always)
    func ask(_ middleware: Middleware, _ action: Action, _ source: borrowing Borrowed<ActionSource>) -> IO<Action> {
        middleware.handle(action: action, from: source.value, state: getState)
    }

    /// What follows the reducers of an action.
    @inlinable @inline(__always)
    func answer(
        _ action: UnsafeMutablePointer<Action>,
        _ source: borrowing Borrowed<ActionSource>,
        _ io: IO<Action>,
        _ hasAfterReduce: Bool,
        _ output: borrowing Borrowed<AnyActionHandler<Action>>
    ) {
        if hasAfterReduce {
            middleware.afterReduce(
                action: action.pointee,
                from: source.value,
                state: getState,
                output: output.value
            )
        }
        if !io.isPure { io.run(output.value) }
    }

    /// What the IOs of an action dispatch to: it carries the action as their cause.
    @inlinable
    func output(of core: Core, _ number: UInt64, _ cause: ActionCause) -> AnyActionHandler<Action> {
        AnyActionHandler(sink: core.router ?? core, cause: self.cause(of: number, cause))
    }

    /// The cause of what an action brings about.
    @inlinable
    func cause(of number: UInt64, _ cause: ActionCause) -> ActionCause {
        ActionCause(parent: number, root: cause.root == 0 ? number : cause.root)
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
