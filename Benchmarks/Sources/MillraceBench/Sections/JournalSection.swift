// SPDX-License-Identifier: Apache-2.0

/// A store with a journal, beside the calls of the system alone, SQLite, and a plain file.
///
/// The files lie in the current directory, which must be on a disk. P1 (a store without a journal costs what it did
/// before) is a matter of counts: `make bench-check`.
struct JournalSection: Section {
    let id = "journal"
    /// Whether a run only shows that everything works.
    let isShort: Bool

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
        return [
            Table(title: "A store with a journal: its goals", rows: pipeline + rates.goals + recovery + snapshots),
            Table(title: "From a dispatch until the action is durable, at half of the highest rate", rows: latency),
            Table(title: "An action of 64 bytes until it is in the journal, beside others", rows: rates.rivals),
        ]
    }
}
