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
        segments = try SegmentChain(folder, from: 1, maximumFrame: 256 << 20).segments
        if segments.isEmpty {
            throw CommandError(
                """
                '\(path)' holds no segments of a journal. Give the folder that the program was given; of a sharded journal, \
                the folder of one shard
                """
            )
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

    /// The actions from a sequence on. After nil, a later call returns the actions that were added since.
    func actions(from sequence: UInt64) throws -> RecordedActions<Model.Action> {
        try source(try Model.codec(), sequence)
    }

    private func source<Codec: ActionCodec>(
        _ codec: Codec,
        _ sequence: UInt64
    ) throws -> RecordedActions<Codec.Action> {
        let reader = try JournalReader(folder, from: sequence)
        let routes = RouteBox(try KindRoutes(codec, [], unknownKinds: .fail))
        var entered = -1
        return RecordedActions {
            while let record = try reader.next() {
                if reader.segmentIndex != entered, let segment = reader.segment {
                    try routes.routes.enter(segment)
                    entered = reader.segmentIndex
                }
                guard record.head.sequence >= sequence, let action = try routes.routes.recordedAction(of: record) else {
                    continue
                }
                return action
            }
            return nil
        }
    }

    private final class RouteBox<Codec: ActionCodec> {
        var routes: KindRoutes<Codec>

        init(_ routes: consuming KindRoutes<Codec>) { self.routes = routes }
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

    /// Returns the state of a snapshot; nil if the model does not read snapshots.
    func state(ofSnapshot sequence: UInt64) throws -> Model.State? {
        guard let codec = try Model.stateCodec() else { return nil }
        let snapshot = try Snapshot(folder, SnapshotName(sequence))
        return try state(snapshot, codec)
    }

    private func state<Codec: ActionCodec>(_ snapshot: Snapshot, _ codec: Codec) throws -> Codec.Action {
        try snapshot.state(by: codec)
    }

    /// Returns the state with which a fold begins. With `usesSnapshots`, that of the newest snapshot up to a sequence.
    /// Without it, the initial state; or the state of the oldest snapshot, if the journal no longer has action 1.
    func start(atMost sequence: UInt64 = .max, usesSnapshots: Bool) throws -> RecordedState<Model.State> {
        if first == 1, !usesSnapshots { return (0, Model.initialState) }
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
        return (0, Model.initialState)
    }
}

/// A message that ends a command.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
