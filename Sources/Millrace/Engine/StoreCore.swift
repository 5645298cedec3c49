// SPDX-License-Identifier: Apache-2.0

public import CMillrace
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
    /// Written before the store is shared, constant afterwards.
    @usableFromInline @exclusivity(unchecked) private(set) var isDrainedByCallers = false
    /// The producers' entry for outputs, whose type hides what this is; specialised where the store was made.
    @usableFromInline @exclusivity(unchecked) var pushErased:
        ((StoreCore<Action, State>, DispatchedAction<Action>, ActionCause, EffectRun?) -> Void)?

    @usableFromInline typealias Subscriber = (subscription: StateSubscription, body: @Sendable (State) -> Void)

    @inlinable
    init(state: consuming State, emitsValue: ShouldEmitValue<State>, publication: Publication) {
        guard let queue = ActionQueue<Action>(), let cell = StateCell(state) else {
            millrace_stop("no memory for a store, or its action or state is aligned to more than 4096 bytes")
        }
        self.queue = queue
        self.cell = cell
        self.emitsValue = emitsValue
        isReadOnDemand = publication == .onDemand
        consumer = Consumer(queue: queue.raw, publication: publication, identity: cell.identity)
        super.init()
    }

    deinit {
        // Nobody can dispatch any more, and a finished consumer has left nothing.
        queue.destroy()
    }

    /// Gives the consumer its pipeline. Before the store is shared.
    @inlinable
    func install<M>(_ pipeline: Pipeline<M>) where M.InputActionType == Action, M.StateType == State {
        // Not strong: the core holds the consumer, and whoever consumes holds the core.
        unowned(unsafe) let core = self
        consumer.drainBatch = { limit in pipeline.drain(core, limit) }
        consumer.publishState = { pipeline.publish(core) }
        consumer.reclaimStates = { core.cell.snapshot.reclaim() }
        consumer.removeSubscribers = {
            defer { core.subscribers = [] }
            return core.subscribers
        }
        pushErased = { core, dispatched, cause, run in core.take(dispatched, cause: cause, run: run) }
    }

    /// Starts the engine; before the store is shared. Returns what runs, which is `.caller` when the system
    /// has no thread.
    @usableFromInline
    func start(_ engine: StoreEngine) -> StoreEngine {
        if case .thread(let name, let wait) = engine.kind {
            let loop = ThreadEngine(consumer: consumer, wait: wait)
            // The thread holds the core, until the store is closed and all is done.
            let started = StoreThread.start(name: name ?? "millrace") { withExtendedLifetime(self) { loop.run() } }
            if started { return engine }
        }
        isDrainedByCallers = true
        // The baton's handshake needs the full barrier on the producer's side.
        millrace_queue_bell(queue.raw).pointee.asymmetric = 0
        return .caller
    }

    // MARK: Intake, any thread

    /// Takes an action from outside or from an output.
    @inlinable
    func take(_ dispatched: consuming DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        let result = queue.push(
            dispatched.action,
            source: dispatched.dispatcher,
            cause: cause,
            run: run,
            admits: { cell.isRunningHere }
        )
        settle(result)
    }

    /// Takes a run of actions from memory that nobody changes meanwhile.
    @inlinable
    func take(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) {
        let done = queue.push(contentsOf: actions, source: source, admits: { cell.isRunningHere })
        if done < actions.count { reject(UInt64(actions.count - done)) }
        if isDrainedByCallers { drainAsCaller() }
    }

    @inlinable
    func settle(_ result: ActionQueue<Action>.PushResult) {
        if result != .accepted {
            reject(1)
        } else if isDrainedByCallers {
            drainAsCaller()
        }
    }

    @usableFromInline
    func drainAsCaller() {
        if millrace_read_ongoing() {
            // Inside `withState` nothing may run that takes long, waits for readers, or ends the store: another
            // thread does it. Should there be none to be had, the next dispatch does.
            StoreThread.start(name: "millrace-drain") { self.drainAsCaller() }
        } else {
            CallerEngine(consumer: consumer).drain()
        }
    }

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

    /// Puts a message into the order of actions. False when the store is closed.
    ///
    /// Without memory it waits for some: the caller has promised somebody an answer.
    func send(_ body: @escaping () -> Void) -> Bool {
        let message = ControlMessage(body)
        while true {
            switch queue.push(control: message, admits: { cell.isRunningHere }) {
            case .accepted:
                // After the push: until then `pending` counts it, rather than miss an action.
                consumer.shared.controlsOffered.add(1, ordering: .relaxed)
                if isDrainedByCallers { drainAsCaller() }
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

    /// No outside action is taken any more; what is pending will be finished, then the pipeline goes.
    func close() {
        _ = millrace_queue_set_mode(queue.raw, UInt32(MILLRACE_MODE_CLOSED))
        if isDrainedByCallers {
            drainAsCaller()
        } else {
            millrace_doorbell_ring(millrace_queue_bell(queue.raw))
        }
    }
}
