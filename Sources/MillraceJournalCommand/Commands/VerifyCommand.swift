// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceJournal
import MillraceRecords

/// `journal verify`: every checksum, the chain, and the reducers.
struct VerifyCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract:
                "Check every byte of a journal, run its reducers twice, and compare each snapshot with their state.",
            discussion: """
                Checks all checksums, and the chain of frames and segments. Then runs the reducers over all actions, in \
                two processes with different seeds of hash values. Both must make the same state, and each snapshot must \
                hold the state of its action. If a state differs, a reducer was changed, or it depends on something that \
                is not in its actions: the order of a set, the clock, a random number.

                Of a sharded journal, the command verifies each shard.

                To compare two programs, give the printed hash to 'replay --expect-hash'.
                """
        )
    }

    @Argument(
        help: ArgumentHelp("The folder of a journal, sharded or not, or the file of a session.", valueName: "dir")
    )
    var folder: String

    @Flag(help: "Check the files only, and run no reducers.")
    var filesOnly = false

    @Option(name: .customLong("only-hash"), help: .hidden)
    var lastHashed: UInt64?

    func run() throws {
        try CommandOutput.run {
            if let lastHashed { return try printHash(after: lastHashed) }
            if SessionAccess<Model>.isSession(folder) { return try verify(SessionAccess<Model>(folder)) }
            try Model.eachShard(of: folder) { try verify(JournalAccess<Model>($0)) }
        }
    }

    private func verify(_ journal: JournalAccess<Model>) throws {
        let found = try JournalVerification(journal.folder)
        guard found.damagedSnapshots.isEmpty else {
            throw CommandError(
                """
                the segments are whole, but not these snapshots: \(found.damagedSnapshots.joined(separator: ", ")). A \
                recovery uses an older one. Remove them, then make a new one with 'journal snapshot'
                """
            )
        }
        let grouped = CommandOutput.grouped
        CommandOutput.line(
            """
            files: \(grouped(found.firstSequence)) to \(grouped(found.lastSequence)), \(found.segments) segments, \
            \(grouped(UInt64(found.bytes))) bytes, \(found.snapshots.count) snapshots; \
            \(found.end.map { "\($0)" } ?? "empty")
            """
        )
        guard !filesOnly else { return }
        try fold(journal, found)
    }

    /// Verifies a session. Reading it has checked its checksums already.
    private func verify(_ session: SessionAccess<Model>) throws {
        defer { session.tellLeftOut() }
        let grouped = CommandOutput.grouped
        if session.session.actions.isEmpty { return CommandOutput.line("file: no actions, \(session.end)") }
        CommandOutput.line("file: \(grouped(session.first)) to \(grouped(session.lastSequence())), \(session.end)")
        guard !filesOnly else { return }
        let hash = try CanonicalHash(of: session.session.replay(Model.reducer))
        let same = try compare(hash, of: session.path, after: session.lastSequence())
        let recorded = session.session.finalHash == hash ? ", as recorded" : ""
        CommandOutput.line(
            "state: \(hash) after \(grouped(UInt64(session.session.actions.count))) actions\(same)\(recorded)"
        )
    }

    /// Prints only the hash of the state after an action. The second process runs this. A program that is running may
    /// have added further actions, which the first process has not read.
    private func printHash(after last: UInt64) throws {
        let journal = try Model.open(folder)
        let end = try journal.fold(from: journal.start(atMost: .max, usesSnapshots: false), to: last)
        CommandOutput.line("\(try CanonicalHash(of: end.state))")
    }

    /// Compares the hash with that of a second process. Returns the words to print after it.
    private func compare(_ hash: CanonicalHash, of path: String, after last: UInt64) throws -> String {
        guard let second = try SecondProcess.hash(of: path, givenAs: folder, after: last) else { return "" }
        guard second == hash else {
            throw CommandError(
                """
                a second process makes another state of the same actions: \(second), not \(hash). A reducer depends on the \
                order of a set or a dictionary, the clock (use 'reduceAt'), or a random number
                """
            )
        }
        return ", the same in two processes"
    }

    private func fold(_ journal: JournalAccess<Model>, _ found: JournalVerification) throws {
        defer { journal.tellLeftOut() }
        var point = try journal.start(usesSnapshots: false)
        // A program that is running may have written further ones.
        let compared = point.sequence + 1..<max(point.sequence, found.lastSequence) + 1
        let snapshots = try Model.stateCodec() == nil ? [] : found.snapshots.filter(compared.contains).sorted()
        let source = try journal.actions(from: point.sequence + 1, to: found.lastSequence)
        let reducer = Model.reducer
        var next = try source.next()
        // A snapshot may have been written after an action that is left out, so the states are compared between two
        // actions.
        for place in snapshots + [found.lastSequence] {
            while let entry = next, entry.head.sequence <= place {
                reducer.apply(entry.action, at: entry.head.time, to: &point.state)
                next = try source.next()
            }
            point.sequence = place
            if snapshots.contains(place) { try compare(point, withSnapshotOf: journal) }
        }
        let hash = try CanonicalHash(of: point.state)
        let same = try compare(hash, of: journal.path, after: found.lastSequence)
        CommandOutput.line(
            """
            state: \(hash) after \(CommandOutput.grouped(found.lastSequence)) actions\(same), \(snapshots.count) snapshots hold it
            """
        )
    }

    /// Compares a state with the snapshot that was written at its action.
    private func compare(_ point: RecordedState<Model.State>, withSnapshotOf journal: JournalAccess<Model>) throws {
        let written = try journal.state(ofSnapshot: point.sequence).map { try CanonicalHash(of: $0) }
        let folded = try CanonicalHash(of: point.state)
        guard written != folded else { return }
        let difference = """
            the snapshot at \(point.sequence) holds another state than the actions give: \
            \(written.map { "\($0)" } ?? "none"), not \(folded)
            """
        throw CommandError(
            journal.leftOut > 0
                ? """
                \(difference). Actions were left out, and the snapshot may hold what they changed: keep the snapshot, as only \
                the program that knew their kinds could make it again
                """
                : """
                \(difference). A reducer was changed, or depends on more than its actions. Move the snapshots away, and the \
                next start begins with the first action
                """
        )
    }
}
