// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore

extension ReduxStoreBase {
    /// Creates a store from a journal whose state is held by a subject, as in SwiftRex: recovers the state, sends it
    /// into the subject, and journals every action from now on.
    ///
    /// ```swift
    /// let subject = UnfailableReplayLastSubjectType.native(initialValue: Day())
    /// let store = try await ReduxStoreBase(
    ///     recovering: journal, subject: subject, reducer: reducer, middleware: middleware
    /// )
    /// subject.value()     // the recovered day
    /// ```
    ///
    /// **The initial state.** The value of the subject at this call is the state before the first action of the
    /// journal, also at later openings. So give the subject the same value each time. A subject that a store has used
    /// holds a later state: make a new one.
    ///
    /// **The recovered state.** The store sends it into the subject once, before the first new action and before this
    /// call returns, also if nothing was recovered. Subscribers of the subject are called with it, whatever
    /// `emitsValue` says, and not with the states before it. If this call throws an error, the subject is as it was. (A
    /// state that refers to objects shares them with the recovery, which changes them.)
    ///
    /// **What others see.** The subject gets the state after every action, before the action's IOs run, as in a store
    /// without a journal. That state may not be durable yet: after a crash somebody may have seen a state that is lost.
    ///
    /// **Other code must not push into the subject.** Such a state is not in the journal. The next action changes it,
    /// and a snapshot has it, but a recovery from the actions does not. Dispatch an action instead.
    ///
    /// **Threads.** The store runs on the main queue (`StoreEngine.main`), which must run while this call waits. The
    /// recovery itself blocks another thread. The recovered state is sent on the main queue.
    ///
    /// **Cost.** At the first IO or effect of an action, the main queue waits until the action is durable: one sync of
    /// the disk with `Durability.grouped`. So a dispatch on the main queue blocks for that time. Actions without IOs
    /// and effects do not wait.
    ///
    /// - Parameters:
    ///   - journal: The journal. It serves one store.
    ///   - subject: The subject that holds the state.
    ///   - reducer: The reducer. The same actions must give the same state: use `reduceAt` for times.
    ///   - middleware: The middleware.
    ///   - emitsValue: As in a store without a journal, like `order`.
    ///   - order: Where the store puts the actions that its own pipeline dispatches.
    ///   - snapshots: When the state is written to a file.
    ///   - held: What happens to IOs and effects of an action that is not durable yet. Only `.exact`.
    ///   - visibility: Whether others may see a state that is not durable yet. Only `.immediate`.
    ///   - effects: What happens after a crash to the effects that had not ended.
    ///   - progress: Told how far the recovery is, on the thread that reads the journal.
    /// - Throws: ``JournalError``: the journal is damaged, locked, in use, or has actions that the codec cannot read;
    ///   ``JournalError/unsupported(reason:)`` for another `held` or `visibility`.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        recovering journal: Journal<ActionType>,
        subject: UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        order: ActionOrder = .fifo,
        snapshots: SnapshotPolicy<StateType> = .never,
        held: HeldWorkPolicy = .exact,
        visibility: StateVisibility = .immediate,
        effects: UnfinishedEffects = .forget,
        progress: (@Sendable (RecoveryProgress) -> Void)? = nil
    ) async throws(JournalError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        try await self.init(
            recovering: journal,
            subject: subject,
            reducer: reducer,
            middleware: middleware,
            emitsValue: emitsValue,
            engine: .main,
            order: order,
            snapshots: snapshots,
            held: held,
            visibility: visibility,
            effects: effects,
            progress: progress
        )
    }

    /// The same with another engine, for simulations.
    @inlinable
    package convenience init<M: MiddlewareProtocol>(
        recovering journal: Journal<ActionType>,
        subject: UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: sending M,
        emitsValue: ShouldEmitValue<StateType> = .always,
        engine: StoreEngine,
        order: ActionOrder = .fifo,
        snapshots: SnapshotPolicy<StateType> = .never,
        held: HeldWorkPolicy = .exact,
        visibility: StateVisibility = .immediate,
        effects: UnfinishedEffects = .forget,
        progress: (@Sendable (RecoveryProgress) -> Void)? = nil
    ) async throws(JournalError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        try visibility.checkSubject(held)
        nonisolated(unsafe) let initialState = subject.value()
        let recovered = try await journal.recover(
            initialState,
            reducer,
            snapshots,
            held: held,
            mostHeld: .max,
            visibility: visibility,
            effects: effects,
            isPossible: false,
            progress
        )
        let recovering = RecoveringSubject(subject, recovered: recovered.state)
        self.init(
            subject: recovering,
            reducer: reducer,
            middleware: middleware,
            emitsValue: emitsValue,
            engine: engine,
            order: order,
            journal: recovered.port
        )
        try await open(recovered, recovering)
    }
}

extension StateVisibility {
    /// Throws an error for what a store with a subject cannot do.
    @usableFromInline
    func checkSubject(_ held: HeldWorkPolicy) throws(JournalError) {
        guard held == .exact else {
            throw .unsupported(
                reason: """
                    A store whose state is in a subject cannot hold work: its pipeline shares a thread with other code. Give it \
                    'held: .exact', so that its pipeline waits for the journal.
                    """
            )
        }
        guard self == .immediate else {
            throw .unsupported(
                reason: """
                    A store whose state is in a subject cannot have 'visibility: .durable': the subject shows each state at \
                    once. Use '.immediate', or a store that keeps its state itself.
                    """
            )
        }
    }
}
