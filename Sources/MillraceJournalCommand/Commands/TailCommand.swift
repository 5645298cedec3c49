// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// `journal tail`: the last actions, and those that come.
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

    @Argument(help: ArgumentHelp("The folder of the journal.", valueName: "dir"))
    var folder: String

    // Read unconditionally: a negative number is an invalid value, not an option.
    @Option(
        name: [.customShort("n"), .long],
        parsing: .unconditional,
        help: "How many of the last actions to print first.",
        transform: CommandNumber.parse
    )
    var lines: UInt64 = 10

    @Flag(help: "End at the end of the journal.")
    var noFollow = false

    func run() throws {
        try CommandOutput.run {
            let journal = try JournalAccess<Model>(folder)
            let last = try journal.lastSequence()
            let source = try journal.actions(from: max(journal.first, last > lines ? last - lines + 1 : 1))
            var output = CommandOutput.Lines()
            while true {
                while let entry = try source.next() { output.add(EntryText<Model>.line(entry)) }
                output.flush()
                if noFollow { return }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }
}
