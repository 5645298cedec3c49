// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceJournal
import MillraceRecords

/// `journal verify`: every checksum, the chain, and the reducers.
struct VerifyCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Check every byte of a journal, run its reducers, and compare each snapshot with their state.",
            discussion: """
                Checks all checksums, and the chain of frames and segments. Then runs the reducers over all actions: each \
                snapshot must hold the state that they give. A snapshot with another state means that a reducer depends on \
                something that is not in its actions, or that it was changed.

                To compare two programs or two processes, give the printed hash to 'replay --expect-hash'.
                """
        )
    }

    @Argument(help: ArgumentHelp("The folder of the journal.", valueName: "dir"))
    var folder: String

    @Flag(help: "Check the files only, and run no reducers.")
    var filesOnly = false

    func run() throws {
        try CommandOutput.run {
            let journal = try JournalAccess<Model>(folder)
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
    }

    private func fold(_ journal: JournalAccess<Model>, _ found: JournalVerification) throws {
        let snapshots = try Model.stateCodec() == nil ? [] : Set(found.snapshots)
        var compared = 0
        let start = try journal.start(usesSnapshots: false)
        let end = try journal.fold(from: start, to: found.lastSequence) { entry, state in
            guard snapshots.contains(entry.head.sequence) else { return true }
            let written = try journal.state(ofSnapshot: entry.head.sequence).map { try CanonicalHash(of: $0) }
            let folded = try CanonicalHash(of: state)
            guard written == folded else {
                throw CommandError(
                    """
                    the snapshot at \(entry.head.sequence) holds another state than the actions give: \
                    \(written.map { "\($0)" } ?? "none"), not \(folded). A reducer was changed, or depends on more than its \
                    actions. Move the snapshots away, and the next start begins with the first action
                    """
                )
            }
            compared += 1
            return true
        }
        CommandOutput.line(
            """
            state: \(try CanonicalHash(of: end.state)) after \(CommandOutput.grouped(end.sequence)) actions, \
            \(compared) snapshots hold the same
            """
        )
    }
}
