// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceJournal
import MillraceRecords

/// The journal of a run, one for each shard, and the stores that were recovered from it.
struct RunJournal: Sendable {
    /// The producer of the first and the last action of each journal.
    static let conductor = "run"

    let stores: [LogStore]
    /// The numbers of each producer for each shard.
    let numbers: [[ProducerNumbers]]
    /// Whether the input cannot be read to its end, or shall not be.
    let isBroken: @Sendable () -> Bool
    private let watch: DiskWatch

    /// Opens a journal: recovers what was counted, or begins.
    /// - Parameters:
    ///   - setup: The settings of the stores.
    ///   - plugins: The plugins of the stores.
    ///   - isBroken: Whether an input could not be read to its end, or the user has stopped the run.
    ///   - progress: Told how far the recovery is.
    init(
        _ options: JournalRunOptions,
        at path: String,
        _ run: RunDescription,
        setup: StoreSetup,
        plugins: RunPlugins,
        isBroken: @escaping @Sendable () -> Bool,
        progress: @escaping @Sendable (RecoveryProgress) -> Void
    ) async throws(RunJournalError) {
        let folder = RunFolder(path: path, shards: setup.shards)
        let journals = try folder.open(options.level)
        watch = DiskWatch(journals, at: path) { Console.complain($0) }
        for journal in journals { try await folder.check(journal, run) }
        stores = try await Self.recover(journals) { shard, journal throws(JournalError) in
            try await LogStore(
                recovering: journal,
                initialState: LogState(producers: run.producers, maximumKeys: run.maximumKeys),
                reducer: run.hasPage == true ? .accessLogWithPage : .accessLog,
                middleware: plugins.middleware(ofShard: shard),
                emitsValue: .never,
                engine: setup.engine.engine(shard: shard),
                publication: .onDemand,
                capacity: .bounded(setup.capacity, overflow: setup.overflow.policy),
                snapshots: .every(actions: options.snapshotInterval, by: LogStateCodec()),
                // The middleware of the alerts looks at the state as it is after each chunk. In held work it would see
                // a later one, and miss minutes.
                held: plugins.hasAlerts || setup.engine != .thread ? .exact : .held,
                progress: progress
            )
        }
        try await folder.noteOpened()
        for store in stores { try await store.committed(.began(run), number: 1) }
        var numbers: [[ProducerNumbers]] = []
        for number in 0..<run.producers {
            let name = "producer-\(number)"
            var ofShards: [ProducerNumbers] = []
            for store in stores { ofShards.append(ProducerNumbers(name: name, last: await store.lastNumber(of: name))) }
            numbers.append(ofShards)
        }
        self.numbers = numbers
        self.isBroken = isBroken
    }

    /// Whether a journal has failed, and so has closed its store. Then the rest of the input need not be read.
    var hasFailed: Bool { stores.contains(where: \.isClosed) }

    /// Recovers the stores side by side, in the order of their shards.
    private static func recover(
        _ journals: [Journal<LogAction>],
        _ store: @escaping @Sendable (Int, Journal<LogAction>) async throws(JournalError) -> LogStore
    ) async throws(RunJournalError) -> [LogStore] {
        let tasks = journals.enumerated().map { shard, journal in
            Task {
                do throws(JournalError) {
                    return Result<LogStore, JournalError>.success(try await store(shard, journal))
                } catch {
                    return .failure(error)
                }
            }
        }
        var stores: [LogStore] = []
        for task in tasks {
            do throws(JournalError) {
                stores.append(try await task.value.get())
            } catch {
                throw RunJournalError(error)
            }
        }
        return stores
    }

    /// Ends the run once all its actions are dispatched: all of them are durable then. An interrupted run is not ended,
    /// so that the next start goes on.
    func end() async throws(RunJournalError) {
        for store in stores {
            do throws(CommitError) { try await store.journaled() } catch { throw .commit(error) }
        }
        guard !isBroken() else { return }
        for store in stores {
            try await store.committed(.inputEnded, number: 2)
            await store.drain()
        }
    }

    /// Closes the journals, which the next start then need not mend.
    func close() async {
        for store in stores { _ = await store.shutdown() }
    }

    /// What the recovery found, in words; nil if the journal is new.
    var recovered: String? {
        let reports = stores.map { $0.recovery ?? RecoveryReport() }
        guard reports.contains(where: { $0.lastSequence > 0 }) else { return nil }
        if reports.count == 1 { return "recovered: \(reports[0].words)" }
        let words = reports.enumerated().map { "shard \($0): \($1.words)" }
        return "recovered: \(words.joined(separator: "; "))"
    }
}

extension LogStore {
    /// Commits an action of the run itself.
    fileprivate func committed(_ action: LogAction, number: UInt64) async throws(RunJournalError) {
        do throws(CommitError) {
            try await commit(action, producer: RunJournal.conductor, number: number)
        } catch {
            throw .commit(error)
        }
    }
}

extension RecoveryReport {
    /// What was found, for the user.
    fileprivate var words: String {
        let start = snapshot.map { "snapshot at \(Figures.grouped($0)), " } ?? ""
        let torn = tornTail.map { ", \(Figures.grouped(UInt64($0.bytes))) bytes of a torn end cut" } ?? ""
        let damaged = damagedSnapshots.isEmpty ? "" : ", unreadable: \(damagedSnapshots.joined(separator: ", "))"
        return "\(start)\(Figures.grouped(actions)) replayed\(torn)\(damaged)"
    }
}
