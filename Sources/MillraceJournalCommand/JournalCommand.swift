// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// The commands that look into a journal, for the actions and the state of your own program.
///
/// ```swift
/// @main enum Tool {
///     static func main() { JournalCommand<Orders>.main() }
/// }
/// ```
///
/// It can also be a subcommand of a tool of yours: `subcommands: [JournalCommand<Orders>.self]`.
///
/// If the model has a state codec, each command but `snapshot` also takes the file of a recorded session
/// (`SessionFile`) in place of a folder.
///
/// All commands but `snapshot` only read. They take no lock, so the program that writes the journal may run meanwhile.
///
/// **Exit codes.** 0: all is well. 1: the journal cannot be read or is damaged, a hash differs from the expected
/// one, or a rule is broken; the message names the place. 64: wrong options.
public struct JournalCommand<Model: JournalModel>: ParsableCommand {
    /// The name, and the subcommands.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "journal",
            abstract: "Look into the journal of a store.",
            discussion: """
                DIR is the folder of a journal, or the file of a recorded session. All commands but 'snapshot' only read, \
                and may run while a program writes the journal.

                Exit codes: 0 all is well; 1 the journal cannot be read or is damaged, a hash differs from the \
                expected one, or a rule is broken; 64 wrong options.
                """,
            subcommands: [
                StatCommand<Model>.self, TailCommand<Model>.self, ShowCommand<Model>.self, VerifyCommand<Model>.self,
                SnapshotCommand<Model>.self, ExportCommand<Model>.self, JournalReplayCommand<Model>.self,
                BisectCommand<Model>.self,
            ]
        )
    }

    /// Creates the command; its arguments are parsed later.
    public init() {}

    /// Runs the command with the arguments of the process, and ends the process if it fails. A program that calls it
    /// need not import `ArgumentParser`.
    public static func main() { main(nil) }
}
