// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceCore
import MillraceJournal
import MillraceRecords

/// `journal snapshot`: writes the state at the end of a journal, while no program writes the journal.
struct SnapshotCommand<Model: JournalModel>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "snapshot",
            abstract: "Write a snapshot of the state at the end of a journal, so that the next start is fast.",
            discussion: """
                The program that writes the journal must not run: this command takes the lock of the \
                journal. A running program writes its own snapshots. Of a sharded journal, each shard that has \
                actions gets one.
                """
        )
    }

    @Argument(help: ArgumentHelp("The folder of the journal, sharded or not.", valueName: "dir"))
    var folder: String

    func run() throws {
        try CommandOutput.run {
            guard !SessionAccess<Model>.isSession(folder) else {
                throw CommandError("'\(folder)' is a recorded session. Only a journal has snapshots: give its folder")
            }
            guard let states = try Model.stateCodec() else {
                throw CommandError("this program has no codec for its state: give its journal model a 'stateCodec()'")
            }
            try Model.eachShard(of: folder) { path in
                let journal = try JournalAccess<Model>(path)
                if try journal.lastSequence() > 0 { return try write(journal, try Model.codec(), states) }
                guard path != folder else { throw CommandError("the journal '\(path)' holds no action yet") }
                CommandOutput.line("no action yet")
            }
        }
    }

    private func write<Codec: ActionCodec, States: ActionCodec>(
        _ journal: JournalAccess<Model>,
        _ codec: Codec,
        _ states: States
    ) throws where Codec.Action == Model.Action, States.Action == Model.State {
        var options = JournalOptions()
        // The folder may be on a file system in memory, as is allowed at the level .process. This command adds no
        // actions, so it needs only a small segment, and none in stock.
        options.requiresDisk = false
        options.stock = 0
        options.segmentBytes = 65_536
        var recovery = try JournalRecovery(journal.folder, options: options)
        var state = try recovery.snapshot?.state(by: states) ?? journal.initialState()
        var marks: [String: UInt64] = [:]
        var effects = EffectMarks()
        for record in recovery.snapshot?.records ?? [] {
            effects.read(record)
            if case .mark(let producer, let number) = record { marks[producer] = number }
        }
        var routes = try KindRoutes(codec, recovery.segments, unknownKinds: journal.unknownKinds())
        let reducer = Model.reducer
        var entered = -1
        while let record = try recovery.next() {
            if case .reserved(let kind) = record.content {
                guard let record = JournalRecord(kind: kind, record.bytes) else { continue }
                effects.read(record)
                if case .mark(let producer, let number) = record { marks[producer] = number == 0 ? nil : number }
                continue
            }
            if recovery.segmentIndex != entered, let segment = recovery.segment {
                try routes.enter(segment)
                entered = recovery.segmentIndex
            }
            guard let action = try routes.action(of: record) else { continue }
            reducer.apply(action, at: record.head.time, to: &state)
        }
        // A snapshot has no actions to read again, so those of unknown kinds must be in their file before it is written.
        try routes.finish()
        var writer = try recovery.finish([codec.schema])
        let sequence = writer.syncedThrough
        try SnapshotFolder(journal.folder, journal: writer.journal, epoch: writer.epoch).write(
            state,
            at: sequence,
            by: states,
            records: marks.sorted { $0.key < $1.key }.map { .mark(producer: $0.key, number: $0.value) }
                + effects.records,
            syncedThrough: sequence
        )
        try writer.close()
        CommandOutput.tellLeftOut(routes.unknown, of: journal.path)
        CommandOutput.line("snapshot at \(CommandOutput.grouped(sequence)), \(try CanonicalHash(of: state))")
    }
}
