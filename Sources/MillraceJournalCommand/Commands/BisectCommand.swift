// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceRecords

/// `journal bisect`: the first action after which a rule is broken.
struct BisectCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bisect",
            abstract: "Find the first action after which a state breaks a rule of the program.",
            discussion: """
                Without --invariant, lists the rules. If a rule has 'staysBroken', the command searches the snapshots by \
                halves for the last one that obeys the rule, and runs the reducers from there. For any other rule, it runs \
                them over all actions: a state may break the rule and a later one obey it, so halves could miss the break.

                Of a sharded journal, the command searches each shard.

                Exit codes: 0 every state obeys the rule; 1 one does not.
                """
        )
    }

    @Argument(
        help: ArgumentHelp("The folder of a journal, sharded or not, or the file of a session.", valueName: "dir")
    )
    var folder: String

    @Option(help: ArgumentHelp("The name of the rule.", valueName: "name"))
    var invariant: String?

    func run() throws {
        try CommandOutput.run {
            let rules = Model.invariants
            guard let invariant else {
                rules.forEach { CommandOutput.line($0.name) }
                return
            }
            guard let rule = rules.first(where: { $0.name == invariant }) else {
                let names = rules.map { "'\($0.name)'" }.joined(separator: ", ")
                throw CommandError(
                    "there is no rule '\(invariant)'. "
                        + (rules.isEmpty ? "Give the journal model 'invariants'" : "Give one of \(names)")
                )
            }
            try Model.eachShard(of: folder) { try Model.read($0) { try search($0, rule) } }
        }
    }

    private func search(_ journal: any RecordedAccess<Model>, _ rule: JournalInvariant<Model.State>) throws {
        let start = try begin(journal, rule)
        guard rule.holds(start.state) else {
            throw CommandError(
                "the rule '\(rule.name)' is broken at the beginning already, after action \(start.sequence)"
            )
        }
        let end = try journal.fold(from: start, to: journal.lastSequence()) { entry, state in
            guard !rule.holds(state) else { return true }
            EntryText<Model>.print(entry)
            throw CommandError("after action \(entry.head.sequence) the state breaks the rule '\(rule.name)'")
        }
        CommandOutput.line("no action up to \(CommandOutput.grouped(end.sequence)) breaks the rule '\(rule.name)'")
    }

    /// Returns the state with which the fold begins: the first one; or for a rule with `staysBroken`, that of the last
    /// snapshot that obeys it.
    private func begin(
        _ journal: any RecordedAccess<Model>,
        _ rule: JournalInvariant<Model.State>
    ) throws -> RecordedState<Model.State> {
        let first = try journal.start(atMost: .max, usesSnapshots: false)
        guard rule.staysBroken, try Model.stateCodec() != nil, rule.holds(first.state) else { return first }
        let snapshots = try journal.snapshots().whole.filter { $0 > first.sequence && $0 + 1 >= journal.first }
        var good = first
        var (low, high) = (0, snapshots.count)
        while low < high {
            let middle = (low + high) / 2
            guard let state = try journal.state(ofSnapshot: snapshots[middle]) else { return good }
            if rule.holds(state) {
                good = (snapshots[middle], state)
                low = middle + 1
            } else {
                high = middle
            }
        }
        return good
    }
}
