// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension ShardedStore {
    /// Whether nothing is taken from outside any more.
    public var isClosed: Bool { closed }

    /// Waits until everything that was dispatched before is finished and published, in every shard.
    ///
    /// As for a single store, what those actions dispatch in turn is not waited for.
    public func drain() async {
        await drainAll(shards)
    }

    /// Takes no more actions from outside, finishes what is pending, also what shards dispatch to each other, and ends
    /// every shard: up to the deadline, as ``ReduxStoreBase/shutdown(deadline:)``.
    ///
    /// - Returns: A report for each shard, by its number.
    public func shutdown(deadline: Duration = .seconds(30)) async -> [ShutdownReport] {
        let start = ContinuousClock.now
        let before = shards.map(\.metrics)
        // Relaxed: see closed.
        router.isClosed.store(true, ordering: .relaxed)
        // Producers that wait for room would wait until the shards are closed, which comes after they are idle.
        for shard in shards { shard.core.admission?.waiters.close() }
        let shards = shards
        let settled = Completion()
        let settling = Task.detached {
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

/// Drains until a whole round of draining has brought nothing new: then nobody has anything for anybody.
func settle<Action, State>(_ shards: [ReduxStoreBase<Action, State>]) async {
    var offered: UInt64
    repeat {
        offered = shards.reduce(0) { $0 + $1.metrics.offered }
        await drainAll(shards)
    } while !Task.isCancelled && shards.reduce(0, { $0 + $1.metrics.offered }) != offered
}
