// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceJournalCommand

/// `millrace`, the command-line tool.
@main
struct MillraceCommand: AsyncParsableCommand {
    /// The version of the package, as the README names it for a manifest.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "millrace",
        abstract: "Analyse access logs with a Millrace store, and read its journals and flight recorders.",
        version: version,
        subcommands: [
            RunCommand.self, JournalCommand<LogJournal>.self, JournalReplayCommand<LogJournal>.self,
            BreadcrumbsCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )
}
