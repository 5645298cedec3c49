// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// The drain loop.
extension Pipeline {
    /// Consumes up to `most` slots, and returns how many. Returns fewer only if nothing waits or the pipeline is to
    /// stop. A message ends the batch with the result `most`, because it may change how the pipeline goes on.
    // Inlined into the closure of the entry: else each batch takes 30 instructions more.
    @inlinable @inline(__always)
    func drain(_ core: Core, _ most: Int) -> Int {
        if let probe = core.consumer.borrowedProbeOfAll {
            return drainProbed(core, most, probe)
        }
        var none = NoWatcher()
        return drain(core, most, &none)
    }

    @inlinable @inline(never)
    func drainProbed(_ core: Core, _ most: Int, _ probe: Unmanaged<ProbeBox>) -> Int {
        var watcher = ProbeWatcher(probe, untoldLimit: most)
        return drain(core, most, &watcher)
    }

    /// The loop. The compiler makes one for each type of watcher.
    @inlinable @inline(__always)
    func drain<Watcher: PipelineWatcher>(_ core: Core, _ most: Int, _ watcher: inout Watcher) -> Int {
        let queue = core.queue.raw
        let pass = DrainPass(core)
        let middleware = middleware
        let hasAfterReduce = middleware.hasAfterReduce
        // Not nil: the loop looks for internal actions after each action.
        let hasOwnQueue = core.internalQueue != nil
        var taken = 0
        var flags: UInt64 = 0
        // The batch limit; nil once a probe that measures a sample knows it.
        var untoldLimit: Int? = most
        if core.hasBesides {
            taken = drainBeside(core, most, &watcher)
            if core.consumer.isAbandoned { return taken }
        }
        while taken < most, let slot = queue.front(&flags) {
            var isSampled = false
            if _slowPath(flags & Slot.special != 0) {
                if flags & Slot.handled != 0 {
                    queue.popHandled()
                    continue
                }
                if flags & Slot.message != 0 {
                    // An urgent action that was dispatched before the message comes first.
                    if core.hasBesides {
                        taken += drainBeside(core, most - taken, &watcher)
                        if core.consumer.isAbandoned { return taken }
                        continue
                    }
                    core.consumer.takeMessage(slot)
                    return most
                }
                isSampled = Watcher.isNone
            }
            // One call of `handle`: with a second copy of its code, the compiler would not inline the middlewares.
            let isAsked: Bool
            if isSampled, let probe = core.consumer.borrowedProbe {
                isAsked = handleSampled(core, slot, probe, &untoldLimit)
            } else {
                isAsked = handle(slot, pass, middleware, hasAfterReduce, &watcher)
            }
            taken += 1
            if _fastPath(!isAsked && !hasOwnQueue) {
                discard(slot)
                queue.pop()
                continue
            }
            let bits = isAsked ? core.consumer.attend() : 0
            discard(slot)
            queue.pop()
            if bits != 0 || core.hasInternal {
                taken += drainBeside(core, most - taken, &watcher)
                if core.consumer.isAbandoned { return taken }
            }
        }
        return taken
    }

    /// Destroys the content of a slot that was handled or is dropped.
    @inlinable @inline(__always)
    func discard(_ slot: UnsafeMutablePointer<UInt8>) {
        let header = UnsafeMutableRawPointer(slot)
        (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self).deinitialize(count: 1)
        Slot.empty(header)
    }

    /// Handles the action in a slot: what happens to every action, in this order. Returns true if somebody asks for
    /// attention.
    @inlinable @inline(__always)
    func handle<Watcher: PipelineWatcher>(
        _ slot: UnsafeMutablePointer<UInt8>,
        _ pass: DrainPass<Action, State>,
        _ middleware: Middleware,
        _ hasAfterReduce: Bool,
        _ watcher: inout Watcher
    ) -> Bool {
        let header = UnsafeMutableRawPointer(slot)
        let counters = pass.counters
        if Slot.isRevoked(header) || (Watcher.checksNumbers && !watcher.admits(header)) {
            pass.core._withUnsafeGuaranteedRef { $0.consumer.noteCancelled() }
            return false
        }
        let payload = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
        let action = Borrowed.at(payload)
        let number = counters.pointee.reduced &+ 1
        let kept = watcher.takeUp(
            payload,
            TakenAction(number: number, slot: header, counters: counters),
            depth: { pass.core._withUnsafeGuaranteedRef { $0.depth } }
        )
        pass.stage.begin(slot, number, Stage.handling)
        let io = watcher.handle(middleware, action.pointee, Borrowed.at(Slot.source(header)).pointee, getState)
        watcher.stageBegan(.reducers)
        pass.stage.enter(slot, Stage.reducing)
        reduce(action.pointee, &pass.live.pointee)
        pass.stage.enter(slot, Stage.effects)
        counters.pointee.isDirty = true
        counters.pointee.reduced = number
        watcher.stageEnded(.reducers)
        if pass.everyAction {
            watcher.stageBegan(.publication)
            pass.core._withUnsafeGuaranteedRef { publish($0) }
            watcher.stageEnded(.publication)
        }
        if hasAfterReduce || !io.isPure {
            watcher.stageBegan(.effects)
            pass.core._withUnsafeGuaranteedRef { core in
                let source = Borrowed.at(Slot.source(header))
                let cause = core.cause(of: number, Slot.cause(header))
                if let router = core.router {
                    let output = Borrowed(AnyActionHandler(sink: router, cause: cause))
                    answer(action.pointee, source.pointee, io, middleware, hasAfterReduce, output, &watcher)
                } else {
                    let output = output.ofWhole(cause)
                    answer(action.pointee, source.pointee, io, middleware, hasAfterReduce, output.pointee, &watcher)
                }
            }
            watcher.stageEnded(.effects)
        }
        watcher.actionEnded(kept)
        return pass.stage.leave()
    }

    /// Runs the reducers with the action where it is: a copy of a large one would cost its size.
    // The copy of a small one was written byte by byte and read at once by words, which the processor cannot forward.
    @inlinable @inline(__always)
    func reduce(_ action: borrowing Borrowed<Action>, _ state: inout State) {
        reduce(action.value, &state)
    }

    /// Handles an action of the sample, in a store whose probe does not see every action.
    @inlinable @inline(never)
    func handleSampled(
        _ core: Core,
        _ slot: UnsafeMutablePointer<UInt8>,
        _ probe: Unmanaged<ProbeBox>,
        _ untoldLimit: inout Int?
    ) -> Bool {
        var sampling = ProbeWatcher(probe, untoldLimit: untoldLimit)
        defer { untoldLimit = sampling.untoldLimit }
        return handle(slot, DrainPass(core), middleware, middleware.hasAfterReduce, &sampling)
    }

    /// Runs the steps that follow the reducers: `afterReduce` and the IO.
    @inlinable @inline(__always)
    func answer<Watcher: PipelineWatcher>(
        _ action: borrowing Borrowed<Action>,
        _ source: borrowing Borrowed<ActionSource>,
        _ io: IO<Action>,
        _ middleware: Middleware,
        _ hasAfterReduce: Bool,
        _ output: borrowing Borrowed<AnyActionHandler<Action>>,
        _ watcher: inout Watcher
    ) {
        if hasAfterReduce {
            middleware.afterReduce(
                action: action.value,
                from: source.value,
                state: getState,
                output: output.value
            )
        }
        if !io.isPure, !watcher.holds(io, output) { io.run(output.value) }
    }
}

/// What the drain loop reads for every action. Loaded once a batch, as the handlers may do anything.
@usableFromInline
struct DrainPass<Action, State> {
    @usableFromInline let core: Unmanaged<StoreCore<Action, State>>
    @usableFromInline let live: UnsafeMutablePointer<State>
    @usableFromInline let stage: Stage
    @usableFromInline let counters: UnsafeMutablePointer<Counters>
    /// Whether the state is published after every action.
    @usableFromInline let everyAction: Bool

    @inlinable
    init(_ core: StoreCore<Action, State>) {
        self.core = Unmanaged.passUnretained(core)
        live = core.cell.live
        stage = core.cell.stage
        counters = core.consumer.counters
        everyAction = core.consumer.publishesEveryAction
    }
}

extension StoreCore {
    /// Returns the cause of the actions that action `number` dispatches.
    @inlinable
    func cause(of number: UInt64, _ cause: ActionCause) -> ActionCause {
        let isFirst = cause.root == 0
        return ActionCause(
            parent: number,
            root: isFirst ? number : cause.root,
            parentShard: shard,
            rootShard: isFirst ? shard : cause.rootShard
        )
    }

    /// Whether urgent or internal actions wait. ``Consumer/hasBesides`` without a call.
    @inlinable @inline(__always)
    var hasBesides: Bool {
        #if MILLRACE_PLANTED
            return consumer.hasBesides
        #else
            return cell.stage.isUrgent || hasInternal
        #endif
    }

    /// Whether internal actions wait.
    @inlinable
    var hasInternal: Bool { internalQueue?._withUnsafeGuaranteedRef { !$0.isEmpty } ?? false }

    /// The number of slots that wait in the shared queue. Reads a word that the producers write.
    @usableFromInline
    var depth: Int {
        let (claimed, passed) = (queue.raw.claimed, queue.raw.finished)
        return claimed > passed ? Int(claimed - passed) : 0
    }
}
