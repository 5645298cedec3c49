// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceCore
import MillraceJournal
import MillraceRecords

/// What the commands read: the folder of a journal, or the file of a recorded session. Reading takes no lock.
protocol RecordedAccess<Model> {
    associatedtype Model: JournalModel

    /// The folder of the journal, or the file of the session.
    var path: String { get }
    /// The oldest action that can be read.
    var first: UInt64 { get }
    /// The last action; less than `first` if there is none.
    func lastSequence() throws -> UInt64
    /// The actions from a sequence on, up to another.
    func actions(from sequence: UInt64, to last: UInt64) throws -> RecordedActions<Model.Action>
    /// The state with which a fold begins: the one before the first action, or that of a snapshot up to a sequence.
    func start(atMost sequence: UInt64, usesSnapshots: Bool) throws -> RecordedState<Model.State>
    /// The snapshots that can be read, the oldest first, and the names of the others.
    func snapshots() throws -> (whole: [UInt64], damaged: [String])
    /// The state of a snapshot; nil if the model does not read snapshots.
    func state(ofSnapshot sequence: UInt64) throws -> Model.State?
    /// The number of actions that were left out so far, because their kinds are unknown. See
    /// ``JournalModel/unknownKinds``.
    var leftOut: UInt64 { get }
}

/// Recorded actions, one at each call; nil if there are no more at present.
struct RecordedActions<Action> {
    let next: () throws -> RecordedAction<Action>?
}

/// A state, and the last action that is in it.
typealias RecordedState<State> = (sequence: UInt64, state: State)

extension RecordedAccess {
    /// Applies the actions after a state, up to a sequence that the journal has. Calls the closure after each action; if
    /// it returns false, the fold ends.
    func fold(
        from start: RecordedState<Model.State>,
        to last: UInt64,
        _ body: (RecordedAction<Model.Action>, Model.State) throws -> Bool = { _, _ in true }
    ) throws -> RecordedState<Model.State> {
        var point = start
        guard point.sequence < last else { return point }
        let source = try actions(from: point.sequence + 1, to: last)
        let reducer = Model.reducer
        while let entry = try source.next() {
            reducer.apply(entry.action, at: entry.head.time, to: &point.state)
            point.sequence = entry.head.sequence
            guard try body(entry, point.state) else { return point }
        }
        // The last actions may be among those that were left out.
        point.sequence = last
        return point
    }
}

extension RecordedAccess {
    /// Tells how many actions were left out, if any were.
    func tellLeftOut() { CommandOutput.tellLeftOut(leftOut, of: path) }
}

extension JournalModel {
    /// Opens what a path names: a folder is a journal, a file is a recorded session.
    static func open(_ path: String) throws -> any RecordedAccess<Self> {
        SessionAccess<Self>.isSession(path) ? try SessionAccess<Self>(path) : try JournalAccess<Self>(path)
    }

    /// Opens what a path names, calls the closure, and tells how many actions were left out.
    static func read(_ path: String, _ body: (any RecordedAccess<Self>) throws -> Void) throws {
        let access = try open(path)
        defer { access.tellLeftOut() }
        try body(access)
    }

    /// Calls the closure for the journal in a folder; or, if the folder is that of a sharded journal, for each of its
    /// shards in turn, with the shard's name before it. An error of one shard does not keep the others from their turn.
    static func eachShard(of path: String, _ body: (String) throws -> Void) throws {
        guard let shards = try ShardManifest.folders(in: path) else { return try body(path) }
        var failed: ExitCode?
        for (number, shard) in shards.enumerated() {
            if number > 0 { CommandOutput.line("") }
            CommandOutput.line("shard \(number):")
            do {
                try body(shard)
            } catch {
                failed = CommandOutput.failure("\(shard): \(error)")
            }
        }
        if let failed { throw failed }
    }

    /// The policy of a command that only reads: it writes no file of parked records.
    static var unknownKindsInReading: UnknownKinds {
        if case .park = unknownKinds { .skip } else { unknownKinds }
    }
}
