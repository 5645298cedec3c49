// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if MILLRACE_PLANTED
    import MillraceCore
#endif

extension ShardedStore {
    /// Whether the store accepts no more actions from outside.
    public var isClosed: Bool { closed }

    /// Waits until every action that was dispatched before is finished and published, in every shard.
    ///
    /// As with a single store, it does not wait for the actions that those actions dispatch in turn.
    public func drain() async {
        await drainAll(shards)
    }

    /// Accepts no more actions from outside, finishes the pending actions, and ends every shard. Pending are also the
    /// actions that shards dispatch to each other. The deadline is that of ``ReduxStoreBase/shutdown(deadline:)``.
    ///
    /// - Returns: A report for each shard, by its number.
    public func shutdown(deadline: Duration = .seconds(30)) async -> [ShutdownReport] {
        let world = shards.first?.core.consumer.world
        let start = world?.nanoseconds ?? TickClock.now
        let before = shards.map(\.metrics)
        // Relaxed: see closed.
        router.isClosed.store(true, ordering: .relaxed)
        // Producers that wait for room would otherwise wait until the shards close, which is after they are idle.
        for shard in shards { shard.core.admission?.waiters.close() }
        let shards = shards
        let settled = Completion(world)
        let settling = Task.detached(executorPreference: world?.executor) {
            await settle(shards)
            settled.complete()
        }
        _ = await settled.wait(atMost: deadline)
        settling.cancel()
        return await withTaskGroup(of: (Int, ShutdownReport).self) { group in
            for (number, shard) in shards.enumerated() {
                group.addTask { (number, await shard.core.shutdown(deadline, since: start, before[number])) }
            }
            var reports: [(Int, ShutdownReport)] = []
            for await report in group { reports.append(report) }
            return reports.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

private func drainAll<Action, State>(_ shards: [ReduxStoreBase<Action, State>]) async {
    await withDiscardingTaskGroup { group in
        for shard in shards { group.addTask { await shard.drain() } }
    }
}

/// Drains all shards until a whole round has brought no new action. Then no shard has an action for another one.
///
/// Rejected actions do not count: the effects of a closed store may go on dispatching for ever.
func settle<Action, State>(_ shards: [ReduxStoreBase<Action, State>]) async {
    func accepted() -> UInt64 {
        shards.reduce(0) { sum, shard in
            let metrics = shard.metrics
            return sum &+ metrics.offered &- metrics.rejected
        }
    }
    var before: UInt64
    var hasUnsure: Bool
    repeat {
        before = accepted()
        await drainAll(shards)
        #if MILLRACE_PLANTED
            if Planted.has(.shardsSettledOnce) { before = accepted() }
        #endif
        // An effect whose end is not in the journal would begin again after the next recovery.
        let unsure = shards.compactMap { $0.core.consumer.journal?.openEffects }.filter(\.hasUnsure)
        for effects in unsure { await effects.waitForOthers() }
        hasUnsure = !unsure.isEmpty
    } while !Task.isCancelled && (accepted() != before || hasUnsure)
}
