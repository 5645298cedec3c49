// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Millrace
public import MillraceCore

extension ReduxStoreBase {
    /// Creates a store from a journal: recovers the state, and journals every action from now on.
    ///
    /// The recovery runs reducers only: no middleware, no effect (except with ``UnfinishedEffects/restart``). It blocks no thread of Swift's thread pool. The first
    /// new action gets the sequence after the last recovered one.
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
    ///   - progress: Told how far a long recovery is, on any thread.
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
        try await connect(recovered)
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

    @usableFromInline
    final func connectToDisk(_ recovered: RecoveredState<StateType>) { recovered.connect(journalCalls) }

    /// Connects the store with its journal, and waits until it has handled the recorded actions again.
    @usableFromInline
    final func connect(_ recovered: RecoveredState<StateType>) async throws(JournalError) {
        connectToDisk(recovered)
        guard let replayed = recovered.replayed else { return }
        // The pipeline handles the recorded actions before this message. Not on a thread of Swift's pool, because an engine
        // may run the pipeline on the thread that sends it.
        await withCheckedContinuation { continuation in
            let wait: @Sendable () -> Void = { [self] in
                if !afterReduced({ _ in continuation.resume() }) { continuation.resume() }
            }
            if let world = recovered.world {
                world.service("replay", wait)
            } else {
                DispatchQueue.global().async(execute: wait)
            }
        }
        try replayed()
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
