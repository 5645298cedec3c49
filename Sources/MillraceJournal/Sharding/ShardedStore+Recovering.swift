// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore

extension ShardedStore where Key: StableKey {
    /// Creates a sharded store from its journals: recovers the states of all shards, side by side, and journals every
    /// action from now on.
    ///
    /// If the recovery of one shard fails, no shard is opened.
    ///
    /// - Parameters:
    ///   - journal: The journals. They serve one store.
    ///   - key: The closure that returns the key of an action. Any thread calls it.
    ///   - initialState: The closure that returns the state of a shard before the first action of its journal.
    ///   - reducer: The reducer of each shard.
    ///   - middleware: The closure that returns the middleware of a shard, given its number.
    ///   - engine: The closure that returns the engine of a shard, given its number.
    ///   - publication: The publication of each shard.
    ///   - capacity: The capacity of each shard.
    ///   - order: Where each shard puts the actions that its own pipeline dispatches to itself.
    ///   - snapshots: When the state of a shard is written to a file.
    ///   - held: What happens to IOs and effects of an action that is not durable yet.
    ///   - mostHeld: The most IOs and effects that a shard may hold; then its pipeline waits.
    ///   - visibility: Whether others may see a state that is not durable yet.
    ///   - effects: What happens after a crash to the effects that had not ended. With ``UnfinishedEffects/restart``
    ///     each shard notes its own effects, and goes back by itself; the limit is one for each shard. The end of an
    ///     effect is noted once its answers to the other shards are durable there.
    ///   - progress: Told how far the recovery of a shard is, on the thread that reads its journal: of several shards
    ///     at once.
    /// - Throws: ``JournalError`` of the first shard that cannot be recovered.
    @inlinable
    public convenience init<M: MiddlewareProtocol>(
        recovering journal: ShardedJournal<ActionType>,
        by key: @escaping @Sendable (ActionType) -> Key,
        initialState: (Int) -> sending StateType,
        reducer: Reducer<ActionType, StateType>,
        middleware: (Int) -> sending M,
        engine: (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        publication: Publication = .atMost(every: .milliseconds(1)),
        capacity: StoreCapacity = .unbounded,
        order: ActionOrder = .fifo,
        snapshots: SnapshotPolicy<StateType> = .never,
        held: HeldWorkPolicy = .held,
        mostHeld: Int = 65_536,
        visibility: StateVisibility = .immediate,
        effects: UnfinishedEffects = .forget,
        progress: (@Sendable (_ shard: Int, RecoveryProgress) -> Void)? = nil
    ) async throws(JournalError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        try Self.check(visibility, publication)
        let count = journal.journals.count
        let engines = (0..<count).map { engine($0) }
        let states = (0..<count).map { Unchecked(initialState($0)) }
        let recovered = try await journal.recover(
            states,
            Unchecked(reducer),
            snapshots,
            held: held,
            mostHeld: mostHeld,
            visibility: visibility,
            effects: effects,
            isPossible: engines.allSatisfy(\.holdsWork) && order == .fifo,
            progress
        )
        let stores = (0..<count).map { number in
            nonisolated(unsafe) let state = recovered[number].state
            return ReduxStoreBase(
                initialState: state,
                reducer: reducer,
                middleware: middleware(number),
                emitsValue: .always,
                engine: engines[number].ofShard,
                publication: publication,
                capacity: capacity,
                order: order,
                journal: recovered[number].port
            )
        }
        self.init(
            stores,
            index: { ShardKey.scale(key($0).stableHash, to: count) },
            indexOfKey: { ShardKey.scale($0.stableHash, to: count) }
        )
        try await open(recovered)
    }

    /// Begins the journals, has the shards handle the recorded actions again, and opens the store. If that fails in one
    /// shard, no effect begins in any.
    @usableFromInline
    func open(_ recovered: [RecoveredState<StateType>]) async throws(JournalError) {
        let executor = recovered.first?.world?.executor
        connectEffects { [shards = shards.map(WeakShard.init)] except, answer in
            let others = shards.enumerated().filter { $0.offset != except }.map(\.element)
            Task(executorPreference: executor) { answer(await areJournaled(others)) }
        }
        for (shard, recovered) in zip(shards, recovered) { shard.begin(recovered) }
        do throws(JournalError) {
            for (shard, recovered) in zip(shards, recovered) { try await shard.replay(recovered) }
        } catch {
            for shard in shards { await shard.giveUp() }
            throw error
        }
        for (shard, recovered) in zip(shards, recovered) { await shard.open(recovered.world) }
    }

    @usableFromInline
    static func check(_ visibility: StateVisibility, _ publication: Publication) throws(JournalError) {
        try visibility.check(publication)
    }
}

extension ShardedJournal {
    @usableFromInline
    func recover<State>(
        _ states: [Unchecked<State>],
        _ reducer: Unchecked<Reducer<Action, State>>,
        _ snapshots: SnapshotPolicy<State>,
        held: HeldWorkPolicy,
        mostHeld: Int,
        visibility: StateVisibility,
        effects: UnfinishedEffects,
        isPossible: Bool,
        _ progress: (@Sendable (Int, RecoveryProgress) -> Void)?
    ) async throws(JournalError) -> [RecoveredState<State>] {
        var tasks: [Task<Result<RecoveredState<State>, JournalError>, Never>] = []
        for (shard, journal) in journals.enumerated() {
            let state = states[shard]
            var told: (@Sendable (RecoveryProgress) -> Void)?
            if let progress { told = { progress(shard, $0) } }
            tasks.append(
                Task { [told] in
                    await journal.recovering(
                        state,
                        reducer,
                        snapshots,
                        held: held,
                        mostHeld: mostHeld,
                        visibility: visibility,
                        effects: effects,
                        isPossible: isPossible,
                        told
                    )
                }
            )
        }
        var recovered: [RecoveredState<State>] = []
        var opened: [Journal<Action>] = []
        var failure: JournalError?
        for (journal, task) in zip(journals, tasks) {
            switch await task.value {
            case .success(let state):
                recovered.append(state)
                opened.append(journal)
            case .failure(let error): failure = failure ?? error
            }
        }
        if failure == nil {
            do throws(JournalError) { try await noteOpened() } catch { failure = error }
        }
        if let failure {
            recovered = []
            for journal in opened { journal.source.release() }
            throw failure
        }
        return recovered
    }
}

extension Journal {
    /// The same as `recover`, with the error as a value.
    fileprivate func recovering<State>(
        _ state: Unchecked<State>,
        _ reducer: Unchecked<Reducer<Action, State>>,
        _ snapshots: SnapshotPolicy<State>,
        held: HeldWorkPolicy,
        mostHeld: Int,
        visibility: StateVisibility,
        effects: UnfinishedEffects,
        isPossible: Bool,
        _ progress: (@Sendable (RecoveryProgress) -> Void)?
    ) async -> Result<RecoveredState<State>, JournalError> {
        do throws(JournalError) {
            nonisolated(unsafe) let initial = state.value
            return .success(
                try await recover(
                    initial,
                    reducer.value,
                    snapshots,
                    held: held,
                    mostHeld: mostHeld,
                    visibility: visibility,
                    effects: effects,
                    isPossible: isPossible,
                    progress
                )
            )
        } catch {
            return .failure(error)
        }
    }
}

/// A shard that its siblings do not keep alive.
private final class WeakShard<Action, State>: Sendable {
    weak let store: ReduxStoreBase<Action, State>?

    init(_ store: ReduxStoreBase<Action, State>) {
        self.store = store
    }
}

/// Waits until everything that was dispatched to stores before is durable. Returns false if it never will be.
private func areJournaled<Action, State>(_ stores: [WeakShard<Action, State>]) async -> Bool {
    for store in stores {
        do { try await store.store?.journaled() } catch { return false }
    }
    // A released store may have rejected an action.
    return stores.allSatisfy { $0.store != nil }
}
