// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Millrace
public import MillraceCore

extension ReduxStoreBase {
    /// Creates a store from a journal: recovers the state, and journals every action from now on.
    ///
    /// The recovery runs reducers only: no middleware, no effect (except with ``UnfinishedEffects/restart``). It blocks
    /// no thread of Swift's thread pool. The first new action gets the sequence after the last recovered one.
    ///
    /// - Parameters:
    ///   - journal: The journal. It serves one store.
    ///   - initialState: The state before the first action of the journal.
    ///   - reducer: The reducer. The same actions must give the same state: use `reduceAt` for times.
    ///   - middleware: The middleware.
    ///   - emitsValue: As in a store without a journal, like `engine`, `publication`, `capacity` and `order`.
    ///   - engine: The engine.
    ///   - publication: When the store publishes its state to others.
    ///   - capacity: The most actions that may wait.
    ///   - order: Where the store puts the actions that its own pipeline dispatches.
    ///   - snapshots: When the state is written to a file.
    ///   - held: What happens to IOs and effects of an action that is not durable yet.
    ///   - mostHeld: The most IOs and effects that may be held; then the pipeline waits.
    ///   - visibility: Whether others may see a state that is not durable yet.
    ///   - effects: What happens after a crash to the effects that had not ended.
    ///   - progress: Told how far the recovery is, on the thread that reads the journal.
    /// - Throws: ``JournalError``: the journal is damaged, locked, in use, or has actions that the codec cannot read.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        recovering journal: Journal<ActionType>,
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo,
        snapshots: SnapshotPolicy<StateType> = .never,
        held: HeldWorkPolicy = .held,
        mostHeld: Int = 65_536,
        visibility: StateVisibility = .immediate,
        effects: UnfinishedEffects = .forget,
        progress: (@Sendable (RecoveryProgress) -> Void)? = nil
    ) async throws(JournalError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        try visibility.check(publication)
        let recovered = try await journal.recover(
            initialState,
            reducer,
            snapshots,
            held: held,
            mostHeld: mostHeld,
            visibility: visibility,
            effects: effects,
            isPossible: engine.holdsWork && order == .fifo,
            progress
        )
        nonisolated(unsafe) let state = recovered.state
        self.init(
            initialState: state,
            reducer: reducer,
            middleware: middleware,
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order,
            journal: recovered.port
        )
        try await open(recovered)
    }

    /// Creates a store from a journal, without middlewares.
    @inlinable
    public convenience init(
        recovering journal: Journal<ActionType>,
        initialState: sending StateType,
        reducer: Reducer<ActionType, StateType>,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine = .thread(),
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo,
        snapshots: SnapshotPolicy<StateType> = .never,
        visibility: StateVisibility = .immediate,
        progress: (@Sendable (RecoveryProgress) -> Void)? = nil
    ) async throws(JournalError) {
        try await self.init(
            recovering: journal,
            initialState: initialState,
            reducer: reducer,
            middleware: IdentityMiddleware<ActionType, ActionType, StateType>(),
            emitsValue: emitsValue,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order,
            snapshots: snapshots,
            // Without middlewares there is nothing to hold. But a publication may have to wait.
            held: engine.holdsWork && order == .fifo ? .held : .exact,
            visibility: visibility,
            progress: progress
        )
    }

    /// What the recovery of this store found; nil in a store without a journal.
    public final var recovery: RecoveryReport? { (journalPort?.attachment as? JournalState)?.recovery }

    /// Begins the journal, has the store handle the recorded actions again, and opens the store.
    ///
    /// - Parameter subject: The subject that gets the state then; nil: the store keeps the state itself.
    @usableFromInline
    final func open(
        _ recovered: RecoveredState<StateType>,
        _ subject: RecoveringSubject<StateType>? = nil
    ) async throws(JournalError) {
        begin(recovered)
        do throws(JournalError) {
            try await replay(recovered)
            if let subject { try await open(subject, recovered.world) }
        } catch {
            await giveUp()
            throw error
        }
        await open(recovered.world)
    }

    /// Sends the recovered state into the subject, on the pipeline's thread. Throws, and leaves the subject as it is,
    /// if the store was closed meanwhile, because its journal has failed.
    private final func open(
        _ subject: RecoveringSubject<StateType>,
        _ world: (any StoreWorld)?
    ) async throws(JournalError) {
        let isOpen = Locked(false)
        await onOtherThread(world) { store, done in
            let isSent = store.afterReduced { last in
                if last != nil {
                    subject.open()
                    isOpen.withLock { $0 = true }
                }
                done()
            }
            if !isSent { done() }
        }
        if !isOpen.withLock({ $0 }) { throw closedWhileOpening }
    }

    /// Why the store was closed before it was open.
    private final var closedWhileOpening: JournalError {
        guard let state = journalPort?.attachment as? JournalState else { return .closed(path: "") }
        return state.waiters.failure ?? .closed(path: state.path)
    }

    /// Begins the journal. A sharded store connects its shards before.
    final func begin(_ recovered: RecoveredState<StateType>) {
        recovered.connect(journalCalls)
        connected()
    }

    /// Waits until the store has handled the recorded actions again.
    final func replay(_ recovered: RecoveredState<StateType>) async throws(JournalError) {
        guard let replayed = recovered.replayed else { return }
        let areHandled = Locked(false)
        await onOtherThread(recovered.world) { store, done in
            // The pipeline handles the recorded actions before this message. An abandoned store drops them, and says
            // nil.
            let isSent = store.afterReduced { last in
                areHandled.withLock { $0 = last != nil }
                done()
            }
            if !isSent { done() }
        }
        try replayed()
        if !areHandled.withLock({ $0 }) { throw closedWhileOpening }
    }

    /// Lets effects begin, and middlewares dispatch.
    final func open(_ world: (any StoreWorld)?) async {
        if opensAtOnce { return recovered() }
        await onOtherThread(world) { store, done in
            store.recovered()
            done()
        }
    }

    /// Not on a thread of Swift's pool, because an engine may run the pipeline on the calling thread, which may block.
    private final func onOtherThread(
        _ world: (any StoreWorld)?,
        _ body: @escaping @Sendable (_ store: ReduxStoreBase, _ done: @escaping @Sendable () -> Void) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            let run: @Sendable () -> Void = { [self] in body(self) { continuation.resume() } }
            if let world {
                world.service("replay", run)
            } else {
                DispatchQueue.global().async(execute: run)
            }
        }
    }
}

extension Journal {
    @usableFromInline
    func recover<State>(
        _ initialState: sending State,
        _ reducer: Reducer<Action, State>,
        _ snapshots: SnapshotPolicy<State>,
        held: HeldWorkPolicy,
        mostHeld: Int,
        visibility: StateVisibility,
        effects: UnfinishedEffects = .forget,
        isPossible: Bool,
        _ progress: (@Sendable (RecoveryProgress) -> Void)?
    ) async throws(JournalError) -> RecoveredState<State> {
        guard held == .exact || isPossible else {
            throw .unsupported(
                reason: """
                    Work can be held only in a store with the engine '.thread' and the order '.fifo'. Give the store \
                    'held: .exact', so that its pipeline waits for the journal.
                    """
            )
        }
        let start = Unchecked(initialState)
        let reducer = Unchecked(reducer)
        let source = source
        return try await onDisk(source.world) { () throws(JournalError) in
            try source.recover(
                start.value,
                reducer.value,
                snapshots,
                held: held,
                mostHeld: max(1, mostHeld),
                visibility: visibility,
                effects: effects,
                progress: progress
            )
        }.get()
    }
}
