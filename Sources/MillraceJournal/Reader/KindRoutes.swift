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
    /// The segment whose records follow, and the routes of its kinds.
    private var segment: SegmentStart?
    private(set) var current: [Int?] = []
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

    /// Says that the records of a segment follow.
    package mutating func enter(_ segment: SegmentStart) throws(JournalError) {
        if routes[segment.name] == nil {
            routes[segment.name] = try records(try segment.header.routes(by: codec, role: .action, path: segment.path))
        }
        self.segment = segment
        current = routes[segment.name] ?? []
    }

    /// Returns the action of a record of the segment that was entered last; nil for other records, and for one that the
    /// policy leaves out.
    @inline(__always)
    package mutating func action(of record: borrowing RawRecord) throws(JournalError) -> Codec.Action? {
        guard case .action(let index) = record.content else { return nil }
        guard let route = current[index] else {
            try leaveOut(record, index)
            return nil
        }
        do {
            return try codec.decode(record.bytes, route: route)
        } catch {
            throw failed(record.offset, index, error)
        }
    }

    /// Does what the policy says for an action of an unknown kind. Throws if the action cannot be decoded.
    mutating func check<Folder: JournalFolder, State>(
        _ view: RecordView,
        _ walk: SegmentWalk<Folder>,
        by actions: borrowing ActionFold<Codec.Action, State>
    ) throws(JournalError) {
        guard case .action(let index) = view.content else { return }
        guard let route = current[index] else {
            if let record = walk.record(of: view) { try leaveOut(record, index) }
            return
        }
        do { try actions.check(view, route: route) } catch { throw failed(view, error) }
    }

    /// The error of an action that cannot be decoded.
    func failed(_ view: RecordView, _ error: CodecError) -> JournalError {
        guard case .action(let index) = view.content else { return failed(view.offset, 0, error) }
        return failed(view.offset, index, error)
    }

    /// The same, with what the record says of the action.
    package mutating func recordedAction(
        of record: borrowing RawRecord
    ) throws(JournalError) -> RecordedAction<Codec.Action>? {
        guard let action = try action(of: record), case .action(let index) = record.content else { return nil }
        return RecordedAction(head: record.head, kind: kind(index), action: action)
    }

    private func kind(_ index: Int) -> String { segment?.header.kinds[index].name ?? "" }

    @inline(never)
    private func failed(_ offset: Int, _ index: Int, _ error: CodecError) -> JournalError {
        .file(.codec(path: segment?.path ?? "", offset: offset, kind: kind(index), error: error))
    }

    @inline(never)
    private mutating func leaveOut(_ record: borrowing RawRecord, _ index: Int) throws(JournalError) {
        guard let segment else { return }
        switch policy {
        case .fail:
            throw .file(
                .unknownKind(
                    path: segment.path,
                    offset: record.offset,
                    kind: kind(index),
                    sequence: record.head.sequence
                )
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
            do { try parked!.append(copy record, kind: index) } catch { throw JournalError(error) }
        }
        unknown += 1
    }

    /// Syncs the file of parked records.
    package mutating func finish() throws(JournalError) {
        do { try parked?.sync() } catch { throw JournalError(error) }
    }
}
