// SPDX-License-Identifier: Apache-2.0

public import CMillrace
import Dispatch
import Glibc
public import MillraceCore
public import MillraceRuntime
import Synchronization

/// What a store, its engine and every output share: the intake, the books, the state, and until the end the pipeline.
///
/// It outlives the store. Outputs that middlewares keep hold it, and it holds the pipeline, hence the middlewares;
/// `finish` lets the pipeline go, so that this is no cycle for ever.
@usableFromInline
final class StoreCore<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because its parts have their own rules: `queue` and `cell` are made to be shared; `consumer` and
    // `subscribers` belong to whoever consumes, and pass with that role.
    @usableFromInline let queue: ActionQueue<Action>
    @usableFromInline let cell: StateCell<State>
    @usableFromInline let consumer: Consumer
    @usableFromInline let emitsValue: ShouldEmitValue<State>
    /// Whether a read from outside asks the pipeline for a publication first.
    @usableFromInline let isReadOnDemand: Bool
    /// The consumer's, as everything it touches.
    @usableFromInline @exclusivity(unchecked) var subscribers: [Subscriber] = []
    /// Asked before an action goes in; nil when the queue has no bound.
    @usableFromInline let admission: Admission?
    /// Who consumes. Written before the store is shared, constant afterwards.
    @exclusivity(unchecked) private var host = Host.thread
    @exclusivity(unchecked) private var queueEngine: QueueEngine?
    /// Where outputs lead instead of here, when this is one of several shards. Set before the first action, and let go
    /// by the consumer at the end.
    @usableFromInline @exclusivity(unchecked) var router: ActionSink<Action>?
    /// Whether a producer has more to do after its push than to look at the doorbell.
    @usableFromInline @exclusivity(unchecked) private(set) var needsKick = false
    /// The producers' entry for outputs, whose type hides what this is; specialised where the store was made.
    @usableFromInline @exclusivity(unchecked) var pushErased:
        ((StoreCore<Action, State>, DispatchedAction<Action>, ActionCause, EffectRun?) -> Void)?

    @usableFromInline typealias Subscriber = (subscription: StateSubscription, body: @Sendable (State) -> Void)

    /// What a push is followed by.
    private enum Host {
        /// A thread of the store's own, woken by the doorbell.
        case thread
        /// Whoever pushed.
        case caller
        /// The queue engine.
        case queue
    }

    @inlinable
    init(
        state: consuming State,
        emitsValue: ShouldEmitValue<State>,
        publication: Publication,
        capacity: StoreCapacity
    ) {
        guard let queue = ActionQueue<Action>(), let cell = StateCell(state) else {
            millrace_stop("no memory for a store, or its action or state is aligned to more than 4096 bytes")
        }
        self.queue = queue
        self.cell = cell
        self.emitsValue = emitsValue
        isReadOnDemand = publication == .onDemand
        consumer = Consumer(
            queue: queue.raw,
            publication: publication,
            capacity: capacity,
            identity: cell.identity,
            stage: cell.stage
        )
        admission = consumer.admission
        if admission != nil { _ = millrace_queue_set_mode(queue.raw, UInt32(MILLRACE_MODE_BOUNDED)) }
        super.init()
    }

    deinit {
        // Nobody can dispatch any more, and a finished consumer has left nothing.
        queue.destroy()
    }

    /// Gives the consumer its pipeline. Before the store is shared.
    @inlinable
    func install<M>(_ pipeline: Pipeline<M>) where M.InputActionType == Action, M.StateType == State {
        // Not strong: the core holds the consumer, and whoever consumes holds the core. Not even retained while it
        // runs, as that would cost as much as an action where each dispatch is a batch.
        let unretained = Unmanaged.passUnretained(self)
        unowned(unsafe) let core = self
        consumer.drainBatch = { limit in unretained._withUnsafeGuaranteedRef { pipeline.drain($0, limit) } }
        consumer.discardBatch = { most, sparingExempt in pipeline.discard(core, most, sparingExempt: sparingExempt) }
        consumer.kindOfAction = { slot in
            kindOfAction((slot + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self).pointee)
        }
        consumer.namedMiddlewares = pipeline.running
        consumer.publishState = { pipeline.publish(core) }
        consumer.reclaimStates = { core.cell.snapshot.reclaim() }
        consumer.removeSubscribers = {
            defer { (core.subscribers, core.router) = ([], nil) }
            return (core.subscribers, core.router)
        }
        pushErased = { core, dispatched, cause, run in core.take(dispatched, cause: cause, run: run, flags: 0) }
    }

    /// Starts the engine; before the store is shared. Returns what runs, which is `.caller` when the system
    /// has no thread.
    @usableFromInline
    func start(_ engine: StoreEngine) -> StoreEngine {
        switch engine.kind {
        case .thread(let name, let wait):
            let loop = ThreadEngine(consumer: consumer, wait: wait)
            // The thread holds the core, until the store is closed and all is done.
            let started = StoreThread.start(name: name ?? "millrace") { withExtendedLifetime(self) { loop.run() } }
            if started { return engine }
            host = .caller
        case .caller:
            host = .caller
        case .queue(let queue):
            queueEngine = QueueEngine(consumer: consumer, core: self, queue: queue.value)
            host = .queue
        case .main:
            queueEngine = QueueEngine(consumer: consumer, core: self)
            host = .queue
        }
        needsKick = true
        // The baton's handshake needs the full barrier on the producer's side.
        millrace_queue_bell(queue.raw).pointee.asymmetric = 0
        if case .thread = engine.kind { return .caller }
        return engine
    }

    // MARK: Intake, any thread

    /// Takes an action from outside or from an output, as the store's policy has it.
    @inlinable
    func take(_ dispatched: consuming DispatchedAction<Action>, cause: ActionCause, run: EffectRun?, flags: UInt64) {
        if let admission, flags == 0, admission.room == 0, !admit() { return }
        settle(push(dispatched, cause: cause, run: run, flags: flags))
    }

    @inlinable
    func push(
        _ dispatched: consuming DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?,
        flags: UInt64
    ) -> ActionQueue<Action>.PushResult {
        queue.push(
            dispatched.action,
            source: dispatched.dispatcher,
            cause: cause,
            run: run,
            flags: flags,
            admits: { admitsWhileClosed }
        )
    }

    /// The pipeline's own dispatches go on until the store is abandoned.
    @usableFromInline
    var admitsWhileClosed: Bool { cell.isRunningHere && !consumer.isAbandoned }

    /// Takes a run of actions from memory that nobody changes meanwhile, as the store's policy has it.
    @inlinable
    func take(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) {
        var done = 0
        while done < actions.count {
            var end = min(actions.count, done + ActionQueue<Action>.longestRun)
            if let admission {
                let room = admission.room
                if room == 0, !admit() {
                    done += 1
                    continue
                }
                // One at least: the policy let it in.
                end = min(end, done + Int(clamping: max(1, room)))
            }
            let run = queue.push(
                contentsOf: actions,
                from: done,
                upTo: end,
                source: source,
                admits: { admitsWhileClosed }
            )
            settle(run.last)
            // The one that was refused is settled.
            done += max(1, run.count)
        }
    }

    /// After a push: counts what was refused, sees to it that somebody consumes the rest.
    @inlinable
    func settle(_ result: ActionQueue<Action>.PushResult) {
        if case .accepted(let position) = result {
            if needsKick { kick(upTo: position) }
        } else {
            reject(1)
        }
    }

    /// Sees to it that somebody consumes. Where the pipeline runs on the thread that dispatches, the action at
    /// `position` is finished when this returns.
    @usableFromInline
    func kick(upTo position: UInt64) {
        switch host {
        case .thread: break
        case .caller: drainAsCaller()
        case .queue: queueEngine?.kick(upTo: position)
        }
    }

    private func drainAsCaller() {
        if millrace_read_ongoing() {
            // Inside `withState` nothing may run that takes long, waits for readers, or ends the store: another
            // thread does it. Should there be none to be had, the next dispatch does.
            StoreThread.start(name: "millrace-drain") { self.drainAsCaller() }
        } else {
            CallerEngine.drain(consumer)
        }
    }

    /// Whether waiting here would be waiting for oneself.
    var isOwnThread: Bool { cell.isRunningHere || queueEngine?.isOnQueue == true }

    /// Tells the subscribers of a state; those that go meanwhile are not told any more.
    @inlinable
    func tellSubscribers(_ state: State) {
        for (subscription, body) in subscribers where !subscription.isCancelled {
            body(state)
        }
    }

    @usableFromInline
    func reject(_ count: UInt64) {
        consumer.shared.rejected.add(count, ordering: .relaxed)
    }

    @inlinable
    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        if let pushErased {
            pushErased(self, dispatchedAction, cause, run)
        } else {
            reject(1)
        }
    }

    /// As `accept`, for the pipeline of another shard: it must not wait here.
    func acceptExempt(_ dispatched: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        settle(push(dispatched, cause: cause, run: run, flags: 0))
    }

    /// Puts a message into the order of actions. False when the store is closed.
    ///
    /// Without memory it waits for some: the caller has promised somebody an answer.
    func send(_ body: @escaping () -> Void) -> Bool {
        let message = PipelineMessage(body)
        while true {
            switch queue.push(message: message, admits: { cell.isRunningHere }) {
            case .accepted(let position):
                // After the push: until then `pending` counts it, rather than miss an action.
                consumer.shared.messagesOffered.add(1, ordering: .relaxed)
                if needsKick { kick(upTo: position) }
                return true
            case .closed:
                return false
            case .outOfMemory:
                if cell.isRunningHere {
                    // Nobody else can make room: out of turn, but on the right thread.
                    message.deliver()
                    return true
                }
                sched_yield()
            }
        }
    }

    /// Whether a timer of the engine's is set. For tests of idleness.
    var isUpkeepScheduled: Bool { queueEngine?.isUpkeepScheduled == true }

    // MARK: The end

    /// No outside action is taken any more, and nobody waits for room; what is pending will be finished, then the
    /// pipeline goes. Any thread, any number of times.
    func close() {
        _ = millrace_queue_set_mode(queue.raw, UInt32(MILLRACE_MODE_CLOSED))
        admission?.waiters.close()
        rouse()
    }

    /// As `close`, without finishing anything on this thread.
    func closeElsewhere() {
        if case .caller = host {
            DispatchQueue.global().async { self.close() }
        } else {
            close()
        }
    }

    /// Nothing is handled any more: after the action that runs now the rest is thrown away. Once closed. Returns at
    /// once.
    func abandon() {
        millrace_stage_ask(cell.stage, UInt32(MILLRACE_ATTENTION_ABANDON))
        closeElsewhere()
    }

    /// Has the consumer look, though nothing was pushed.
    private func rouse() {
        switch host {
        case .thread: millrace_doorbell_ring(millrace_queue_bell(queue.raw))
        case .caller: drainAsCaller()
        case .queue: queueEngine?.rouse()
        }
    }
}
