// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `millrace`, the command-line tool.
@main
struct MillraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "millrace",
        abstract: "Work for the Millrace store.",
        subcommands: [RunCommand.self, BreadcrumbsCommand.self],
        defaultSubcommand: RunCommand.self
    )
}
