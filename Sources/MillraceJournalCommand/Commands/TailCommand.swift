// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MillraceCore
import MillraceRecords

/// `journal tail`: the last actions, then those that a running program adds.
struct TailCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "tail",
            abstract: "Print the last actions, then those that a running program adds, until Ctrl-C.",
            discussion: """
                An action is printed when the writer has handed it to the operating system, which may be before it is on \
                the disk.
                """
        )
    }

    @Argument(help: ArgumentHelp("The folder of a journal, or the file of a session.", valueName: "dir"))
    var folder: String

    // Read unconditionally: a negative number is an invalid value, not an option.
    @Option(
        name: [.customShort("n"), .long],
        parsing: .unconditional,
        help: "How many of the last actions to print first.",
        transform: CommandNumber.parse
    )
    var lines: UInt64 = 10

    @Flag(help: "Stop after the last action. Always so for a session.")
    var noFollow = false

    @Flag(help: "Print also the state after each action.")
    var state = false

    func run() throws {
        try CommandOutput.run {
            let journal = try Model.open(folder)
            let last = try journal.lastSequence()
            let first = max(journal.first, last > lines ? last - lines + 1 : 1)
            let source = try journal.actions(from: first, to: .max)
            let reducer = Model.reducer
            var current: RecordedState<Model.State>?
            if state {
                // If a journal no longer has the actions before the first line, the states begin with its oldest
                // snapshot.
                let start = try? journal.start(atMost: first - 1, usesSnapshots: true)
                current = try journal.fold(
                    from: start ?? journal.start(atMost: .max, usesSnapshots: false),
                    to: first - 1
                )
            }
            var output = CommandOutput.Lines()
            var told: UInt64 = 0
            while true {
                while let entry = try source.next() {
                    output.add(EntryText<Model>.line(entry))
                    guard var (sequence, state) = current, sequence < entry.head.sequence else { continue }
                    // The only reference, so that the reducer changes the state in place.
                    current = nil
                    reducer.apply(entry.action, at: entry.head.time, to: &state)
                    sequence = entry.head.sequence
                    output.add("    state  \(state)")
                    current = (sequence, state)
                }
                output.flush()
                if noFollow || SessionAccess<Model>.isSession(folder) { return journal.tellLeftOut() }
                if journal.leftOut > told { journal.tellLeftOut() }
                told = journal.leftOut
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }
}
