// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceJournal

/// The options of `millrace run` for a journal.
struct JournalRunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep all actions in this folder: after a crash, the same command goes on where this run stopped.",
            valueName: "dir"
        )
    )
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "What an action survives: process, interval, grouped or every. (default: grouped)",
            discussion: """
                process: the end of the process; interval: a power cut, but for the last second; grouped, every: a power \
                cut, with one sync for many actions or for each.
                """
        )
    )
    var durability: DurabilityChoice?

    @Option(
        parsing: .unconditional,
        help: "Actions between two snapshots of the state, from which a recovery begins. (default: 1000000)"
    )
    var snapshotEvery: Int?

    var level: Durability { (durability ?? .grouped).level }
    var snapshotInterval: Int { snapshotEvery ?? 1_000_000 }

    /// Throws an error if the options contradict each other, or those of the run.
    func check(_ setup: StoreSetup, inputs: [String]) throws {
        guard journal != nil else {
            if durability != nil { throw ValidationError("--durability needs --journal: say which folder.") }
            if snapshotEvery != nil { throw ValidationError("--snapshot-every needs --journal: say which folder.") }
            return
        }
        guard journal != "-" else {
            throw ValidationError(
                "--journal needs the path of a folder: - is standard input or output. For a folder of that name give ./-"
            )
        }
        guard snapshotInterval >= 1 else { throw ValidationError("--snapshot-every must be positive: 1 or more.") }
        guard !inputs.contains("-") else {
            throw ValidationError(
                "--journal cannot go with standard input (-): it cannot be read again after a crash. Write it to a file first."
            )
        }
        guard !setup.overflow.isLossy else {
            throw ValidationError(
                "--journal keeps every event: it cannot go with --overflow \(setup.overflow.rawValue), which drops some."
            )
        }
    }
}

/// The values of `--durability`.
enum DurabilityChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case process, interval, grouped, every

    var level: Durability {
        switch self {
        case .process: .process
        case .interval: .interval(.seconds(1))
        case .grouped: .grouped
        case .every: .every
        }
    }
}
