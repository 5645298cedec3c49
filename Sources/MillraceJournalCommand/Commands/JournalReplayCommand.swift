// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import MillraceRecords

/// Runs the reducers over a journal, and prints a hash of the state: `journal replay`, or a subcommand of your tool.
///
/// The hash is the same in each process and on each machine (`CanonicalHash`). So a test can check that a new version
/// of a program makes the same state of the same actions as the old one.
public struct JournalReplayCommand<Model: JournalModel>: ParsableCommand {
    /// The name and the help of the command.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "replay",
            abstract: "Run the reducers over a journal, and print the canonical hash of the state.",
            discussion: """
                Runs no middleware and no effect. The hash is the same in every process. With --expect-hash, the command \
                checks that a changed program still makes the same state of the same actions. If not, the exit code is 1.

                Of a sharded journal, the command replays each shard. With --expect-hash or --to, give the folder of one.
                """
        )
    }

    @Argument(
        help: ArgumentHelp("The folder of a journal, sharded or not, or the file of a session.", valueName: "dir")
    )
    var folder: String

    @Option(parsing: .unconditional, help: "The last action. (default: the newest)", transform: CommandNumber.parse)
    var to: UInt64?

    @Option(help: ArgumentHelp("The hash that is expected: 16 hexadecimal digits.", valueName: "hash"))
    var expectHash: String?

    @Flag(help: "Begin with the newest snapshot up to --to, not with the first action.")
    var snapshots = false

    /// Creates the command; its arguments are parsed later.
    public init() {}

    /// Checks the options.
    public func validate() throws {
        guard let expectHash, CanonicalHash(expectHash) == nil else { return }
        throw ValidationError("--expect-hash must be 16 hexadecimal digits, as 'replay' prints them.")
    }

    /// Runs the reducers.
    public func run() throws {
        try CommandOutput.run {
            guard expectHash == nil, to == nil else { return try Model.read(folder, replay) }
            try Model.eachShard(of: folder) { try Model.read($0, replay) }
        }
    }

    private func replay(_ journal: any RecordedAccess<Model>) throws {
        let last = try journal.lastSequence()
        if let to, to > last {
            throw CommandError("'\(folder)' ends at action \(last), before \(to). Give --to \(last) or less")
        }
        let start = try journal.start(atMost: to ?? .max, usesSnapshots: snapshots)
        let end = try journal.fold(from: start, to: to ?? last)
        let hash = try CanonicalHash(of: end.state)
        let grouped = CommandOutput.grouped
        let from = start.sequence == 0 ? "" : " (from the state after action \(grouped(start.sequence)))"
        CommandOutput.line("\(hash) after \(grouped(end.sequence)) actions\(from)")
        if let expected = expectHash.flatMap({ CanonicalHash($0) }), expected != hash {
            throw CommandError(
                """
                the state has the hash \(hash), not \(expected): the reducers have changed, or depend on more than their \
                actions. Find the first difference with --to
                """
            )
        }
    }
}
