// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceRecords

/// `journal show`: one action with all that is known of it.
struct ShowCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Print one action: its kind, time, source, cause and value.",
            discussion: "With --state, runs the reducers up to the action, and prints the state after it, too."
        )
    }

    @Argument(help: ArgumentHelp("The folder of a journal, or the file of a session.", valueName: "dir"))
    var folder: String

    @Argument(help: "The sequence of the action: 1 is the first.")
    var sequence: UInt64

    @Flag(help: "Print also the state after the action.")
    var state = false

    func run() throws {
        try CommandOutput.run {
            try Model.read(folder, show)
        }
    }

    private func show(_ journal: any RecordedAccess<Model>) throws {
        let last = try journal.lastSequence()
        guard journal.first <= sequence, sequence <= last else {
            throw CommandError(
                last < journal.first
                    ? "'\(folder)' holds no action yet"
                    : "'\(folder)' holds the actions \(journal.first) to \(last), not \(sequence). Give one of these"
            )
        }
        guard let entry = try journal.actions(from: sequence, to: sequence).next() else {
            throw CommandError(
                journal.leftOut > 0
                    ? "the action \(sequence) is of a kind that the codec does not know. 'stat' prints the kinds"
                    : "'\(folder)' does not hold the action \(sequence)"
            )
        }
        EntryText<Model>.print(entry)
        guard state else { return }
        let start = try journal.start(atMost: sequence, usesSnapshots: true)
        CommandOutput.paragraph("state     \(try journal.fold(from: start, to: sequence).state)")
    }
}
