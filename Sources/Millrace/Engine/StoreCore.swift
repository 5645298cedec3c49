// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceRuntime

/// The part that a store, its engine and all outputs share: the queue, the counters, the state and, until the end, the
/// pipeline.
///
/// It outlives the store. Outputs that middlewares keep hold the core. The core holds the pipeline, and so the
/// middlewares. `finish` releases the pipeline, which breaks this cycle.
@usableFromInline
final class StoreCore<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because its parts have their own rules: `queue` and `cell` are made to be shared; `consumer` and
    // `subscribers` belong to the consumer, and pass with that role.
    @usableFromInline let queue: ActionQueue<Action>
    @usableFromInline let cell: StateStorage<State>
    @usableFromInline let consumer: Consumer
    @usableFromInline let emitsValue: ShouldEmitValue<State>
    /// Whether a read from outside first asks the pipeline to publish.
    @usableFromInline let isReadOnDemand: Bool
    /// The subscribers. They belong to the consumer, as does everything that the consumer touches.
    @usableFromInline @exclusivity(unchecked) var subscribers = OrderedList<Subscriber>()
    @usableFromInline let plugins = PluginList<Action, State>()
    /// The subject that has the state of a store whose caller keeps it. Set before the store is shared.
    @usableFromInline @exclusivity(unchecked) var subjectState: SubjectState<State>?
    /// The capacity, which producers check before a push; nil when the queue is unbounded.
    @usableFromInline let admission: Admission?
    /// The same, without a reference count: all producers would write it.
    @usableFromInline let bounds: Unmanaged<Admission>?
    /// Whether the pipeline's own actions get a flag that protects them from being dropped as the oldest.
    @usableFromInline let dropsOldest: Bool
    /// The actions that the pipeline dispatches itself; nil: they go to the tail of the shared queue.
    @usableFromInline let ownQueue: InternalQueue?
    /// The same, without a reference count.
    @usableFromInline let internalQueue: Unmanaged<InternalQueue>?
    /// The number of this shard; 0 without shards. Set before the first action.
    @usableFromInline @exclusivity(unchecked) package var shard: UInt16 = 0
    /// The identities of all shards, if this core is one of several. Set before the first action, constant afterwards.
    @usableFromInline @exclusivity(unchecked) var siblings: [UnsafeRawPointer] = []
    /// The engine that consumes. Written before the store is shared, constant afterwards.
    @exclusivity(unchecked) var host: (any PipelineHost)?
    /// The entry of `host` for `kick`, not retained: `keptEntry` retains it.
    @usableFromInline @exclusivity(unchecked) var hostEntry: Unmanaged<HostEntry>?
    @exclusivity(unchecked) var keptEntry: HostEntry? {
        didSet { hostEntry = keptEntry.map { .passUnretained($0) } }
    }
    /// Whether the engine runs on a dispatch queue, on which a caller may already run.
    @exclusivity(unchecked) var hasQueue = false
    /// The sinks of the outputs that `receiveContext`s have got. They refer to this core until the store is released.
    let contexts = Locked<[ContextSink<Action, State>]>([])
    /// Whether the outputs in `contexts` hold actions back although the engine has started. In a shard they do so until
    /// it knows the other shards. Only the thread that makes the store uses it.
    @exclusivity(unchecked) var holdsContexts = false
    /// The outputs of all shards, if this core is one of several. Only the threads that make the store use it.
    @exclusivity(unchecked) var contextGroup: ContextGroup<Action, State>?
    /// The sink to which outputs dispatch if this core is one of several shards. Set before the first action; the
    /// consumer clears it at the end.
    @usableFromInline @exclusivity(unchecked) var router: ActionSink<Action>?
    /// Whether a producer must do more after its push than check the doorbell.
    @usableFromInline @exclusivity(unchecked) var needsKick = false
    /// The entry for outputs, which do not know the type of this core. Specialised where the store was made.
    @usableFromInline @exclusivity(unchecked) var pushErased:
        ((StoreCore<Action, State>, DispatchedAction<Action>, ActionCause, EffectRun?) -> Void)?

    @usableFromInline typealias Subscriber = StateSubscriber<State>

    @inlinable
    init(
        state: consuming State,
        emitsValue: ShouldEmitValue<State>,
        publication: Publication,
        capacity: StoreCapacity,
        order: ActionOrder,
        world: (any StoreWorld)? = nil,
        isLazy: Bool = false
    ) {
        guard let queue = ActionQueue<Action>(), let cell = StateStorage(state) else { Self.stopWithoutMemory() }
        if order == .internalFirst {
            let stride = queue.raw.stride
            let own = InternalQueue(stride: stride, alignment: MemoryLayout<Action>.alignment)
            guard let own else { Self.stopWithoutMemory() }
            ownQueue = own
            internalQueue = .passUnretained(own)
        } else {
            ownQueue = nil
            internalQueue = nil
        }
        self.queue = queue
        self.cell = cell
        self.emitsValue = emitsValue
        isReadOnDemand = isLazy || publication == .onDemand
        consumer = Consumer(
            queue: queue.raw,
            publication: publication,
            capacity: capacity,
            identity: cell.identity,
            stage: cell.stage,
            internalQueue: ownQueue,
            world: world,
            isLazy: isLazy
        )
        admission = consumer.admission
        bounds = consumer.admission.map { .passUnretained($0) }
        dropsOldest = consumer.admission?.overflow == .dropOldest
        super.init()
        if admission != nil { showRoom() }
    }

    deinit {
        // No thread can dispatch any more, and the consumer has finished. It has emptied the queue of internal actions.
        // A fork looks at the consumer's baton, so the queues are destroyed before it.
        queue.destroy()
        if let urgent = consumer.urgent.queue { ActionQueue<Action>(urgent).destroy() }
    }

    @usableFromInline
    static func stopWithoutMemory() -> Never {
        System.stop(
            """
            a store could not be made: there is no memory, or its action or state needs an alignment above 4096 \
            bytes. Free memory, or put such a value into a class
            """
        )
    }

    /// Gives the consumer its pipeline. Called before the store is shared.
    ///
    /// - Parameter publish: The closure that publishes; nil: the pipeline publishes.
    @inlinable
    func install<M>(_ pipeline: Pipeline<M>, publish: (() -> Void)? = nil)
    where M.InputActionType == Action, M.StateType == State {
        // Not a strong reference: the core holds the consumer, and the consuming thread holds the core. Not retained
        // during a call either: if each dispatch is a batch, that would cost as much as an action.
        let unretained = Unmanaged.passUnretained(self)
        install(
            pipeline,
            publish: publish,
            drain: { limit in unretained._withUnsafeGuaranteedRef { pipeline.drain($0, limit) } },
            drainBeside: { limit in unretained._withUnsafeGuaranteedRef { pipeline.drainBeside($0, limit) } }
        )
    }

    /// The same for a store with a journal, whose pipeline has a watcher of its own. After ``connect(_:)``.
    @inlinable
    func install<M>(_ pipeline: Pipeline<M>, publish: (() -> Void)? = nil, journal port: JournalPort)
    where M.InputActionType == Action, M.StateType == State {
        let unretained = Unmanaged.passUnretained(self)
        port.handleAgain = { actions in unretained._withUnsafeGuaranteedRef { pipeline.replay($0, actions) } }
        install(
            pipeline,
            publish: publish,
            drain: { limit in unretained._withUnsafeGuaranteedRef { pipeline.drain($0, limit, port) } },
            drainBeside: { limit in unretained._withUnsafeGuaranteedRef { pipeline.drainBeside($0, limit, port) } }
        )
    }

    @inlinable
    func install<M>(
        _ pipeline: Pipeline<M>,
        publish: (() -> Void)?,
        drain: @escaping (Int) -> Int,
        drainBeside: @escaping (Int) -> Int
    ) where M.InputActionType == Action, M.StateType == State {
        let unretained = Unmanaged.passUnretained(self)
        unowned(unsafe) let core = self
        consumer.calls.entry = PipelineEntry(
            drain: drain,
            drainBeside: drainBeside,
            dropOldest: { most, limit in pipeline.dropOldest(core, most, handling: limit) },
            dropBeside: { pipeline.dropBeside(core) },
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
        // Not retained: the core keeps the closure, and its caller keeps the core.
        if internalQueue == nil {
            let entry = DirectEntry<Action> { action, source, cause, run in
                unretained._withUnsafeGuaranteedRef { $0.takeOutput(action, source: source, cause: cause, run: run) }
            }
            setDirect(entry)
        } else {
            let entry = DirectEntry<Action> { action, source, cause, run in
                unretained._withUnsafeGuaranteedRef {
                    $0.takeOutputInternally(action, source: source, cause: cause, run: run)
                }
            }
            setDirect(entry)
        }
        pushErased = { core, dispatched, cause, run in
            let flags = run?.isBeyondCapacity == true ? Slot.beyondCapacity : 0
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

    @usableFromInline
    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        takeUrgent(dispatchedAction, cause: cause, run: run)
    }
}
