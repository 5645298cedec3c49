// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// Reads the actions of a journal's records by a codec.
///
/// Each segment has kinds of its own. The initialiser compares them with those of the codec, before any action is read.
/// A version without an upcaster, a newer version and another layout are errors then.
package struct KindRoutes<Codec: ActionCodec>: ~Copyable {
    /// How many actions of unknown kinds were left out.
    package private(set) var unknown: UInt64 = 0
    private let codec: Codec
    private let policy: UnknownKinds
    private var routes: [SegmentName: [Int?]] = [:]
    private var parked: ParkedRecords?
    private var parkedFrom: SegmentName?
    private var parkedFiles = 0

    package init(_ codec: Codec, _ segments: [SegmentStart], unknownKinds: UnknownKinds) throws(JournalError) {
        self.codec = codec
        policy = unknownKinds
        for segment in segments {
            routes[segment.name] = try records(try segment.header.routes(by: codec, role: .action, path: segment.path))
        }
    }

    /// Returns the action of a record; nil for other records, and for one that the policy leaves out.
    package mutating func action(
        of record: RawRecord,
        in segment: SegmentStart
    ) throws(JournalError) -> RecordedAction<Codec.Action>? {
        guard case .action(let index) = record.content else { return nil }
        let name = segment.header.kinds[index].name
        if routes[segment.name] == nil {
            routes[segment.name] = try records(try segment.header.routes(by: codec, role: .action, path: segment.path))
        }
        guard let route = routes[segment.name]?[index] else {
            try leaveOut(record, index, name, segment)
            return nil
        }
        do {
            let action = try codec.decode(record.bytes, route: route)
            return RecordedAction(head: record.head, kind: name, action: action)
        } catch {
            throw .file(.codec(path: segment.path, offset: record.offset, kind: name, error: error))
        }
    }

    private mutating func leaveOut(
        _ record: RawRecord,
        _ index: Int,
        _ name: String,
        _ segment: SegmentStart
    ) throws(JournalError) {
        switch policy {
        case .fail:
            throw .file(
                .unknownKind(path: segment.path, offset: record.offset, kind: name, sequence: record.head.sequence)
            )
        case .skip: break
        case .park(let path):
            // The kinds of a file are those of its segment: records of another one go to a file of their own.
            if parkedFrom != segment.name {
                parkedFiles += 1
                let path = parkedFiles == 1 ? path : "\(path).\(parkedFiles)"
                try finish()
                parked = try records(try ParkedRecords(path: path, beside: segment.header, from: record.head.sequence))
                parkedFrom = segment.name
            }
            do { try parked!.append(record, kind: index) } catch { throw JournalError(error) }
        }
        unknown += 1
    }

    /// Syncs the file of parked records.
    package mutating func finish() throws(JournalError) {
        do { try parked?.sync() } catch { throw JournalError(error) }
    }
}
