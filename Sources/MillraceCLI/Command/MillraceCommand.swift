// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `millrace`, the command-line tool.
@main
struct MillraceCommand: AsyncParsableCommand {
    /// The version of the package, as the README names it for a manifest.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "millrace",
        abstract: "Analyse access logs with a Millrace store, and read flight recorders.",
        version: version,
        subcommands: [RunCommand.self, BreadcrumbsCommand.self],
        defaultSubcommand: RunCommand.self
    )
}
