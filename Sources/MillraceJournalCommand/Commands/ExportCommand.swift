// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MillraceRecords

/// `journal export`: the actions as JSON lines.
struct ExportCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Print the actions as JSON, one object a line.",
            discussion: """
                Each line has 'sequence', 'time', 'kind', 'action', 'parent' and 'root'. 'parent' is the action that caused \
                this one, and 'root' the first of the chain; 0: none. If the source was recorded, the line also has \
                'source', 'function' and 'info'. The action is a JSON value if its type is Encodable, else a text.
                """
        )
    }

    @Argument(help: ArgumentHelp("The folder of a journal, or the file of a session.", valueName: "dir"))
    var folder: String

    @Option(parsing: .unconditional, help: "The first action. (default: the oldest)", transform: CommandNumber.parse)
    var from: UInt64?

    @Option(parsing: .unconditional, help: "The last action. (default: the newest)", transform: CommandNumber.parse)
    var to: UInt64?

    func run() throws {
        try CommandOutput.run {
            try Model.read(folder) { journal in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                let source = try journal.actions(from: from ?? journal.first, to: to ?? .max)
                var output = CommandOutput.Lines()
                // If a later record is damaged, the lines before it are still printed.
                defer { output.flush() }
                while let entry = try source.next() {
                    output.add(try EntryText<Model>.json(entry, by: encoder))
                }
            }
        }
    }
}
