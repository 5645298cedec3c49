// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceCore
import MillraceJournal
import MillraceRecords

/// `journal stat`: what is in the folder.
struct StatCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "stat",
            abstract: "Print what a journal holds: actions, kinds, producers, segments, snapshots, and how it ends.",
            discussion:
                "Decodes no action of a journal, so it also works for journals of other programs. Decodes those of a session."
        )
    }

    @Argument(
        help: ArgumentHelp("The folder of a journal, sharded or not, or the file of a session.", valueName: "dir")
    )
    var folder: String

    func run() throws {
        try CommandOutput.run {
            if SessionAccess<Model>.isSession(folder) { return try printSession() }
            try Model.eachShard(of: folder) { try printJournal(JournalAccess<Model>($0)) }
        }
    }

    private func printJournal(_ journal: JournalAccess<Model>) throws {
        var kinds: [String: UInt64] = [:]
        var marks: [String: UInt64] = [:]
        var effects = EffectMarks()
        var times: (first: ActionTime, last: ActionTime)?
        let snapshots = try journal.snapshots()
        // The last mark of a producer may be in a segment that was removed. Then a snapshot has it. A writer may have
        // removed that, too, meanwhile.
        let snapshot = snapshots.whole.last.flatMap { try? journal.snapshot($0) }
        read(snapshot?.records ?? [], isNewer: true)
        func read(_ records: [JournalRecord], isNewer: Bool) {
            for record in records {
                if isNewer { effects.read(record) }
                if case .mark(let producer, let number) = record { marks[producer] = number == 0 ? nil : number }
            }
        }
        let reader = try journal.records(from: journal.first) { record, segment in
            switch record.content {
            case .action(let kind):
                kinds[segment.header.kinds[kind].name, default: 0] += 1
                times = (times?.first ?? record.head.time, record.head.time)
            case .reserved(let kind):
                let isNewer = record.head.sequence > snapshot?.sequence ?? 0
                if let record = JournalRecord(kind: kind, record.bytes) { read([record], isNewer: isNewer) }
            case .state, .end: break
            }
        }
        let newest = journal.segments[journal.segments.count - 1].header
        let grouped = CommandOutput.grouped
        row("journal", "\(newest.journal)")
        row("opened", "\(grouped(newest.epoch)) times for writing")
        let last = reader.nextSequence - 1
        row("actions", last < journal.first ? "none" : "\(grouped(journal.first)) to \(grouped(last))")
        if let times {
            row("first", times.first.iso)
            row("last", times.last.iso)
        }
        row("segments", "\(journal.segments.count), \(grouped(UInt64(reader.bytes))) bytes")
        row("snapshots", snapshots.whole.isEmpty ? "none" : snapshots.whole.map(grouped).joined(separator: "  "))
        if !snapshots.damaged.isEmpty { row("unreadable", snapshots.damaged.joined(separator: "  ")) }
        if effects.isTracked, let finished = effects.finished { row("effects", "ended up to \(grouped(finished))") }
        if let end = reader.end { row("end", "\(end)") }
        printKinds(kinds)
        for (name, number) in marks.sorted(by: { $0.key < $1.key }) {
            row("producer", "\(name)  \(grouped(number))")
        }
    }

    private func printSession() throws {
        let session = try SessionAccess<Model>(folder)
        defer { session.tellLeftOut() }
        let actions = session.session.actions
        var kinds: [String: UInt64] = [:]
        for action in actions { kinds[action.kind, default: 0] += 1 }
        let grouped = CommandOutput.grouped
        row("session", session.path)
        row("actions", actions.isEmpty ? "none" : "\(grouped(session.first)) to \(grouped(session.lastSequence()))")
        if let first = actions.first, let last = actions.last {
            row("first", first.head.time.iso)
            row("last", last.head.time.iso)
        }
        row("end", session.end)
        printKinds(kinds)
    }

    private func row(_ name: String, _ text: String) {
        CommandOutput.line(name + String(repeating: " ", count: max(1, 12 - name.count)) + text)
    }

    private func printKinds(_ kinds: [String: UInt64]) {
        for (name, count) in kinds.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            row("kind", "\(name)  \(CommandOutput.grouped(count))")
        }
    }
}
