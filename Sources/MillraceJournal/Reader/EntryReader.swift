// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords

/// Reads the actions of a journal that may be written meanwhile, without the types of its codec and folder.
protocol EntryReader<Action>: AnyObject, Sendable {
    associatedtype Action

    /// Returns the next actions, at most this number; none at the end for now. One task at a time.
    func batch(_ most: Int) throws(JournalError) -> [RecordedAction<Action>]
}

final class FolderReader<Codec: ActionCodec, Folder: JournalFolder>: EntryReader, @unchecked Sendable {
    // Unchecked because one task at a time uses it.
    private let reader: JournalReader<Folder>
    private let first: UInt64
    @exclusivity(unchecked) private var routes: KindRoutes<Codec>
    /// The segment that the routes know, by its index.
    @exclusivity(unchecked) private var entered = -1

    init(_ folder: Folder, _ codec: Codec, _ unknownKinds: UnknownKinds, from sequence: UInt64) throws(JournalError) {
        first = max(1, sequence)
        reader = try JournalReader(folder, from: first)
        // Only a recovery parks records: this reads again and again.
        var policy = unknownKinds
        if case .park = policy { policy = .skip }
        routes = try KindRoutes(codec, [], unknownKinds: policy)
    }

    func batch(_ most: Int) throws(JournalError) -> [RecordedAction<Codec.Action>] {
        var actions: [RecordedAction<Codec.Action>] = []
        while actions.count < most, let record = try reader.next() {
            if reader.segmentIndex != entered, let segment = reader.segment {
                try routes.enter(segment)
                entered = reader.segmentIndex
            }
            guard record.head.sequence >= first, let action = try routes.recordedAction(of: record) else { continue }
            actions.append(action)
        }
        return actions
    }
}
