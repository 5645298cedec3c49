// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords

/// The journal of a run, and the store that was recovered from it.
struct RunJournal: Sendable {
    /// The producer of the first and the last action of the journal.
    static let conductor = "run"

    let store: LogStore
    /// The numbers of each producer.
    let numbers: [ProducerNumbers]
    /// Whether the input cannot be read to its end, or shall not be.
    let isBroken: @Sendable () -> Bool

    /// Opens a journal: recovers what was counted, or begins.
    /// - Parameters:
    ///   - setup: The settings of the store.
    ///   - isBroken: Whether an input could not be read to its end, or the user has stopped the run.
    ///   - progress: Told how far the recovery is.
    init(
        _ options: JournalRunOptions,
        at path: String,
        _ run: RunDescription,
        setup: StoreSetup,
        isBroken: @escaping @Sendable () -> Bool,
        progress: @escaping @Sendable (RecoveryProgress) -> Void
    ) async throws(RunJournalError) {
        try Self.checkFolder(path)
        let journal: Journal<LogAction>
        do throws(JournalError) {
            journal = try Journal(directory: path, codec: LogActionCodec(), durability: options.level)
        } catch {
            throw RunJournalError(error)
        }
        try await Self.checkRun(of: journal, run)
        do throws(JournalError) {
            store = try await LogStore(
                recovering: journal,
                initialState: LogState(producers: run.producers, maximumKeys: run.maximumKeys),
                reducer: .accessLog,
                emitsValue: .never,
                engine: setup.engine.engine(shard: LogShards.first),
                publication: .onDemand,
                capacity: .bounded(setup.capacity, overflow: setup.overflow.policy),
                snapshots: .every(actions: options.snapshotInterval, by: LogStateCodec()),
                progress: progress
            )
        } catch {
            throw RunJournalError(error)
        }
        do throws(CommitError) {
            try await store.commit(.began(run), producer: Self.conductor, number: 1)
        } catch {
            throw .commit(error)
        }
        var numbers: [ProducerNumbers] = []
        for number in 0..<run.producers {
            let name = "producer-\(number)"
            numbers.append(ProducerNumbers(name: name, last: await store.lastNumber(of: name)))
        }
        self.numbers = numbers
        self.isBroken = isBroken
    }

    /// Ends the run once all its actions are dispatched: all of them are durable then. An interrupted run is not ended, so
    /// that the next start goes on.
    func end() async throws(RunJournalError) {
        do throws(CommitError) {
            try await store.journaled()
            if !isBroken() { try await store.commit(.inputEnded, producer: Self.conductor, number: 2) }
        } catch {
            throw .commit(error)
        }
        await store.drain()
    }

    /// Closes the journal, which the next start then need not mend.
    func close() async { _ = await store.shutdown() }

    /// What the recovery found, in words; nil if the journal is new.
    var recovered: String? {
        guard let report = store.recovery, report.lastSequence > 0 else { return nil }
        let snapshot = report.snapshot.map { "snapshot at \(Figures.grouped($0)), " } ?? ""
        let torn = report.tornTail.map { ", \(Figures.grouped(UInt64($0.bytes))) bytes of a torn end cut" } ?? ""
        let damaged =
            report.damagedSnapshots.isEmpty ? "" : ", unreadable: \(report.damagedSnapshots.joined(separator: ", "))"
        return "recovered: \(snapshot)\(Figures.grouped(report.actions)) replayed\(torn)\(damaged)"
    }

    /// A folder with other files may belong to someone else.
    private static func checkFolder(_ path: String) throws(RunJournalError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
        let isOfJournal = { (name: String) in
            name == "lock" || name.hasPrefix("segment-") || name.hasPrefix("snapshot-") || name.hasPrefix("stock-")
        }
        if let other = names.sorted().first(where: { !isOfJournal($0) }) { throw .notAJournal(path, found: other) }
    }

    /// The first action says what is counted. It is read before anything in the folder changes.
    private static func checkRun(of journal: Journal<LogAction>, _ run: RunDescription) async throws(RunJournalError) {
        let first: RecordedAction<LogAction>?
        do throws(JournalError) {
            var entries = journal.entries().makeAsyncIterator()
            first = try await entries.next()
        } catch {
            throw RunJournalError(error)
        }
        guard let first else { return }
        guard case .began(let old) = first.action else { throw .otherProgram(journal.directory, kind: first.kind) }
        if let reason = old.difference(from: run) { throw .otherRun(journal.directory, reason: reason) }
    }
}

extension RunJournalError {
    init(_ error: JournalError) {
        if case .file(.unknownKind(let path, _, let kind, _)) = error {
            self = .otherProgram(path, kind: kind)
        } else {
            self = .journal(error)
        }
    }
}
