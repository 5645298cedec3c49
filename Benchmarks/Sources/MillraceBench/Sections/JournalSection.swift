// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A store with a journal, beside the calls of the system alone, SQLite, and a plain file.
///
/// The files lie in the current directory, which must be on a disk.
struct JournalSection: Section {
    let id = "journal"
    /// Whether a run only shows that everything works.
    let isShort: Bool

    /// P1: a store without a journal takes what it took before there were journals. That is counted, not timed, so the
    /// row has the figure that `bench-check` compares with.
    private func withoutJournal() throws -> Row {
        let name = "P1 without a journal: instructions an action"
        guard let data = FileManager.default.contents(atPath: CheckCommand.recordedFile) else {
            return Row(name, note: "run it in the project's folder")
        }
        let recorded = try JSONDecoder().decode(RecordedCounts.self, from: data).rows[CountControl.subject]
        return Row(
            name,
            amount: recorded?.instructions,
            targets: [Target(figure: .amount, atMost: Self.beforeJournals)],
            note: "recorded: bench-check"
        )
    }

    /// The instructions of the same row before the journal was built.
    private static let beforeJournals = 241.0

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let disk = try BenchDisk()
        // Each run writes a hundred megabytes.
        let few = Pairing(
            pairs: min(pairing.pairs, 5),
            operations: min(pairing.operations, 1_000_000),
            progress: pairing.progress
        )
        let pipeline = try await JournalPipeline(disk: disk, pairing: pairing).measure()
        let rates = try await JournalRates(disk: disk, pairing: few).measure()
        let latency = try await JournalLatency(disk: disk, pairing: few, isShort: isShort).measure(rate: rates.rate)
        let recovery = try await JournalRecoveries(disk: disk, pairing: few, isShort: isShort).measure()
        let snapshots = try await JournalSnapshots(disk: disk, pairing: few, isShort: isShort).measure()
        let messages = try await JournalMessages(disk: disk, pairing: few).measure()
        let goals = [try withoutJournal()] + pipeline + rates.goals + recovery + snapshots
        return [
            Table(title: "A store with a journal: its goals", rows: goals),
            Table(title: "From a dispatch until the action is durable, at half of the highest rate", rows: latency),
            Table(title: "An action of 64 bytes until it is in the journal, beside others", rows: rates.rivals),
            Table(title: "A longer action, .grouped, until it is on the disk", rows: messages),
        ]
    }
}
