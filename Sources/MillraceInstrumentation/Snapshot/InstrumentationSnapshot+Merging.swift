// SPDX-License-Identifier: Apache-2.0

import Histogram

extension InstrumentationSnapshot {
    /// Merges the snapshots of several stores into one, for example those of the shards of a `ShardedStore`.
    ///
    /// ```swift
    /// let shards = store.shards.map { Instrumentation($0) }
    /// var snapshots: [InstrumentationSnapshot] = []
    /// for shard in shards { snapshots.append(await shard.snapshot()) }
    /// let whole = InstrumentationSnapshot.merging(snapshots, label: "shards")
    /// ```
    ///
    /// Counts and histograms are added. Stages, kinds and effects are merged by name. The result begins with the
    /// earliest snapshot and ends with the latest; ``active`` is the longest. With no snapshots, the result is empty.
    public static func merging(_ snapshots: [InstrumentationSnapshot], label: String) -> InstrumentationSnapshot {
        let since = snapshots.map(\.since).min() ?? 0
        let stages = mergedStages(snapshots)
        return InstrumentationSnapshot(
            label: label,
            since: since,
            until: snapshots.map(\.until).max() ?? 0,
            active: snapshots.map(\.active).max() ?? .zero,
            sampling: snapshots.map(\.sampling).max() ?? 0,
            isMixed: snapshots.contains(where: \.isMixed) || Set(snapshots.map(\.sampling).filter { $0 > 0 }).count > 1,
            actions: snapshots.reduce(0) { $0 + $1.actions },
            measured: snapshots.reduce(0) { $0 + $1.measured },
            missedStages: snapshots.reduce(0) { $0 + $1.missedStages },
            stages: stages,
            kinds: mergedKinds(snapshots, stages),
            effects: mergedEffects(snapshots),
            series: mergedSeries(snapshots, since),
            memory: snapshots.reduce(0) { $0 + $1.memory },
            mostMemory: snapshots.reduce(0) { $0 + $1.mostMemory }
        )
    }

    private static func mergedStages(_ snapshots: [InstrumentationSnapshot]) -> [StageSnapshot] {
        var merged: [StageSnapshot] = []
        for stage in snapshots.flatMap(\.stages) {
            if let index = merged.firstIndex(where: { $0.role == stage.role && $0.name == stage.name }) {
                merged[index].latency.add(stage.latency)
                merged[index].copies.add(stage.copies)
            } else {
                merged.append(stage)
            }
        }
        let order: [StageSnapshot.Role] = [.queue, .middleware, .reducers, .publication, .effects, .journal, .total]
        return order.flatMap { role in merged.filter { $0.role == role } }
    }

    private static func mergedKinds(
        _ snapshots: [InstrumentationSnapshot],
        _ stages: [StageSnapshot]
    ) -> [KindSnapshot] {
        var merged: [KindSnapshot] = []
        for snapshot in snapshots {
            for kind in snapshot.kinds {
                let sums = stages.map { stage in
                    let index = snapshot.stages.firstIndex { $0.role == stage.role && $0.name == stage.name }
                    return index.map { kind.nanosecondsByStage[$0] } ?? 0
                }
                if let index = merged.firstIndex(where: { $0.name == kind.name }) {
                    merged[index].add(kind, sums)
                } else {
                    merged.append(
                        KindSnapshot(
                            name: kind.name,
                            count: kind.count,
                            wait: kind.wait,
                            work: kind.work,
                            total: kind.total,
                            nanosecondsByStage: sums,
                            unnamedNanoseconds: kind.unnamedNanoseconds,
                            nestedNanoseconds: kind.nestedNanoseconds
                        )
                    )
                }
            }
        }
        return merged.filter { $0.name != "other" } + merged.filter { $0.name == "other" }
    }

    private static func mergedEffects(_ snapshots: [InstrumentationSnapshot]) -> [EffectSnapshot] {
        var merged: [EffectSnapshot] = []
        for effect in snapshots.flatMap(\.effects) {
            if let index = merged.firstIndex(where: { $0.name == effect.name }) {
                merged[index].add(effect)
            } else {
                merged.append(effect)
            }
        }
        return merged
    }

    /// Returns the sum of the series. Its columns are as wide as the widest of all, or wider; each column is added to
    /// the one in which it begins.
    private static func mergedSeries(_ snapshots: [InstrumentationSnapshot], _ since: UInt64) -> LatencySeries {
        let series = snapshots.filter { !$0.series.columns.isEmpty }
        var width = series.map(\.series.columnNanoseconds).max() ?? SeriesRecording.narrowest
        let begins = series.map { $0.since - since + $0.series.offsetNanoseconds }
        let ends = zip(series, begins).map { $1 + UInt64($0.series.columns.count) * $0.series.columnNanoseconds }
        guard let begin = begins.min(), let end = ends.max() else { return LatencySeries(columnNanoseconds: width) }
        while (end - begin) / width >= UInt64(LatencySeries.mostColumns) { width *= 2 }
        var columns = [LatencySeries.Column](
            repeating: LatencySeries.Column(),
            count: Int((end - begin + width - 1) / width)
        )
        for (snapshot, first) in zip(series, begins) {
            for (index, column) in snapshot.series.columns.enumerated() {
                let time = first - begin + UInt64(index) * snapshot.series.columnNanoseconds
                for row in 0..<LatencySeries.rows { columns[Int(time / width)].counts[row] += column.counts[row] }
            }
        }
        return LatencySeries(columnNanoseconds: width, offsetNanoseconds: begin, columns: columns)
    }
}

extension KindSnapshot {
    /// Adds another snapshot of the kind. `sums` are the other's sums, in the order of this snapshot's stages.
    fileprivate mutating func add(_ other: KindSnapshot, _ sums: [UInt64]) {
        count += other.count
        wait.add(other.wait)
        work.add(other.work)
        total.add(other.total)
        unnamedNanoseconds &+= other.unnamedNanoseconds
        nestedNanoseconds &+= other.nestedNanoseconds
        for index in nanosecondsByStage.indices { nanosecondsByStage[index] += sums[index] }
    }
}
