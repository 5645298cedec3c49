// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore
public import MillraceRuntime

/// What a store, its engine and every output share: the intake, the counters, the state, and until the end the pipeline.
///
/// It outlives the store. Outputs that middlewares keep hold it, and it holds the pipeline, hence the middlewares;
/// `finish` lets the pipeline go, so that this is no cycle for ever.
@usableFromInline
final class StoreCore<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because its parts have their own rules: `queue` and `cell` are made to be shared; `consumer` and
    // `subscribers` belong to whoever consumes, and pass with that role.
    @usableFromInline let queue: ActionQueue<Action>
    @usableFromInline let cell: StateStorage<State>
    @usableFromInline let consumer: Consumer
    @usableFromInline let emitsValue: ShouldEmitValue<State>
    /// Whether a read from outside asks the pipeline for a publication first.
    @usableFromInline let isReadOnDemand: Bool
    /// The consumer's, as everything it touches.
    @usableFromInline @exclusivity(unchecked) var subscribers = OrderedList<Subscriber>()
    @usableFromInline let plugins = PluginList<Action, State>()
    /// Where the state is when the store's caller keeps it. Set before the store is shared.
    @usableFromInline @exclusivity(unchecked) var subjectState: SubjectState<State>?
    /// Asked before an action goes in; nil when the queue has no bound.
    @usableFromInline let admission: Admission?
    /// Who consumes. Written before the store is shared, constant afterwards.
    @exclusivity(unchecked) var host = Host.thread
    @exclusivity(unchecked) var queueEngine: QueueEngine?
    /// Where outputs lead instead of here, when this is one of several shards. Set before the first action, and let go
    /// by the consumer at the end.
    @usableFromInline @exclusivity(unchecked) var router: ActionSink<Action>?
    /// Whether a producer has more to do after its push than to look at the doorbell.
    @usableFromInline @exclusivity(unchecked) var needsKick = false
    /// The producers' entry for outputs, whose type hides what this is; specialised where the store was made.
    @usableFromInline @exclusivity(unchecked) var pushErased:
        ((StoreCore<Action, State>, DispatchedAction<Action>, ActionCause, EffectRun?) -> Void)?

    @usableFromInline typealias Subscriber = StateSubscriber<State>

    /// What a push is followed by.
    enum Host {
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
        guard let queue = ActionQueue<Action>(), let cell = StateStorage(state) else {
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
        super.init()
        if admission != nil { showRoom() }
    }

    deinit {
        // Nobody can dispatch any more, and a finished consumer has left nothing.
        queue.destroy()
    }

    /// Gives the consumer its pipeline. Before the store is shared.
    ///
    /// - Parameter publish: What a publication does; nil: what the pipeline does.
    @inlinable
    func install<M>(_ pipeline: Pipeline<M>, publish: (() -> Void)? = nil)
    where M.InputActionType == Action, M.StateType == State {
        // Not strong: the core holds the consumer, and whoever consumes holds the core. Not even retained while it
        // runs, as that would cost as much as an action where each dispatch is a batch.
        let unretained = Unmanaged.passUnretained(self)
        unowned(unsafe) let core = self
        consumer.entry = PipelineEntry(
            drain: { limit in unretained._withUnsafeGuaranteedRef { pipeline.drain($0, limit) } },
            discard: { most, exempt in pipeline.discard(core, most, handling: exempt) },
            publish: publish ?? { pipeline.publishBetween(core) },
            reclaim: { core.cell.snapshot.reclaim() },
            removeSubscribers: {
                defer { (core.subscribers, core.router) = (OrderedList(), nil) }
                return (core.subscribers, core.router, core.plugins.removeAll())
            }
        )
        let (named, plugins) = (pipeline.running, plugins)
        consumer.names = PipelineNames(
            kindOfAction: { slot in
                kindOfAction((slot + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self).pointee)
            },
            middlewares: { named + plugins.running }
        )
        pushErased = { core, dispatched, cause, run in
            let flags = run?.isExempt == true ? Slot.exempt : 0
            core.take(dispatched, cause: cause, run: run, flags: flags)
        }
    }

    @inlinable
    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        if let pushErased {
            pushErased(self, dispatchedAction, cause, run)
        } else {
            reject(1)
        }
    }
}
