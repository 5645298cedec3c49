// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceJournal
import MillraceRecords

/// Reads a journal with the codecs and the reducer of a model.
struct JournalAccess<Model: JournalModel>: RecordedAccess {
    let path: String
    let folder: DiskFolder
    /// The segments that are still in the folder, the oldest first.
    let segments: [SegmentStart]
    private let unknown = UnknownActions()

    /// Opens a folder that must hold a journal.
    init(_ path: String) throws {
        self.path = path
        do {
            folder = try DiskFolder(path: path, create: false)
        } catch {
            throw CommandError(
                "there is no journal '\(path)': \(error.reason). Give the folder that the program was given"
            )
        }
        segments = try SegmentChain(folder, from: 1, maximumFrame: FileFormat.largestFrame).segments
        if segments.isEmpty {
            if let shards = try ShardManifest.folders(in: path), let first = shards.first {
                throw CommandError(
                    "'\(path)' holds the journals of \(shards.count) shards. Give the folder of one, such as '\(first)'"
                )
            }
            throw CommandError("'\(path)' holds no segments of a journal. Give the folder that the program was given")
        }
    }

    /// The oldest action that the segments hold.
    var first: UInt64 { segments[0].name.firstSequence }

    /// Calls a closure with each record from a sequence on, without decoding it. Returns the reader, which has read all
    /// records.
    @discardableResult
    func records(
        from sequence: UInt64,
        _ body: (RawRecord, SegmentStart) throws -> Void = { _, _ in }
    ) throws -> JournalReader<DiskFolder> {
        let reader = try JournalReader(folder, from: sequence)
        while let record = try reader.next() {
            if let segment = reader.segment { try body(record, segment) }
        }
        return reader
    }

    /// The last action. Only the last segment is read.
    func lastSequence() throws -> UInt64 {
        try records(from: segments[segments.count - 1].name.firstSequence).nextSequence - 1
    }

    /// The actions from a sequence on, up to another. After nil, a later call returns the actions that were added since.
    func actions(from sequence: UInt64, to last: UInt64) throws -> RecordedActions<Model.Action> {
        try source(try Model.codec(), sequence, last)
    }

    private func source<Codec: ActionCodec>(
        _ codec: Codec,
        _ sequence: UInt64,
        _ last: UInt64
    ) throws -> RecordedActions<Codec.Action> {
        let reader = try JournalReader(folder, from: sequence)
        let routes = RouteBox(try KindRoutes(codec, [], unknownKinds: Model.unknownKindsInReading))
        let unknown = unknown
        var entered = -1
        return RecordedActions {
            while let record = try reader.next() {
                if reader.segmentIndex != entered, let segment = reader.segment {
                    try routes.routes.enter(segment)
                    entered = reader.segmentIndex
                }
                guard record.head.sequence >= sequence else { continue }
                guard record.head.sequence <= last else { return nil }
                let before = routes.routes.unknown
                if let action = try routes.routes.recordedAction(of: record) { return action }
                unknown.count += routes.routes.unknown - before
            }
            return nil
        }
    }

    private final class RouteBox<Codec: ActionCodec> {
        var routes: KindRoutes<Codec>

        init(_ routes: consuming KindRoutes<Codec>) { self.routes = routes }
    }

    /// Counts the actions that were left out.
    private final class UnknownActions {
        var count: UInt64 = 0
    }

    var leftOut: UInt64 { unknown.count }

    /// The policy of a recovery: each shard has files of parked records of its own.
    func unknownKinds() throws -> UnknownKinds {
        try shard().map { ShardedJournal<Model.Action>.unknownKinds(Model.unknownKinds, $0) } ?? Model.unknownKinds
    }

    /// The state before action 1.
    func initialState() throws -> Model.State {
        try shard().map(Model.initialState(ofShard:)) ?? Model.initialState
    }

    /// The number of the shard whose journal this is; nil for a journal without shards.
    private func shard() throws -> Int? {
        let given = URL(fileURLWithPath: path).standardizedFileURL
        // The path may also be a link to the folder.
        for url in [given, given.resolvingSymlinksInPath()] {
            let around = url.deletingLastPathComponent().path
            if let shard = try ShardManifest.shard(url.lastPathComponent, in: around) { return shard }
        }
        return nil
    }

    /// The snapshots that can be read, the oldest first, and the names of the others.
    func snapshots() throws -> (whole: [UInt64], damaged: [String]) {
        var found: (whole: [UInt64], damaged: [String]) = ([], [])
        for name in try SnapshotName.all(in: folder).reversed() {
            if (try? Snapshot(folder, name)) == nil {
                found.damaged.append(name.text)
            } else {
                found.whole.append(name.sequence)
            }
        }
        return found
    }

    /// Reads the snapshot of a sequence.
    func snapshot(_ sequence: UInt64) throws -> Snapshot { try Snapshot(folder, SnapshotName(sequence)) }

    /// Returns the state of a snapshot; nil if the model does not read snapshots.
    func state(ofSnapshot sequence: UInt64) throws -> Model.State? {
        guard let codec = try Model.stateCodec() else { return nil }
        return try state(try snapshot(sequence), codec)
    }

    private func state<Codec: ActionCodec>(_ snapshot: Snapshot, _ codec: Codec) throws -> Codec.Action {
        try snapshot.state(by: codec)
    }

    /// Returns the state with which a fold begins. With `usesSnapshots`, that of the newest snapshot up to a sequence.
    /// Without it, the initial state; or the state of the oldest snapshot, if the journal no longer has action 1.
    func start(atMost sequence: UInt64 = .max, usesSnapshots: Bool) throws -> RecordedState<Model.State> {
        if first == 1, !usesSnapshots { return (0, try initialState()) }
        let whole = try snapshots().whole.filter { $0 <= sequence && $0 + 1 >= first }
        let chosen = usesSnapshots ? whole.last : whole.first
        if let chosen, let state = try state(ofSnapshot: chosen) { return (chosen, state) }
        guard first == 1 else {
            throw CommandError(
                """
                the journal '\(path)' begins at action \(first), and there is no snapshot to begin with that can be read. \
                Read a copy that goes back further
                """
            )
        }
        return (0, try initialState())
    }
}

/// A message that ends a command.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
