// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MillraceRecords

/// Reads the actions of a journal's records by a codec.
///
/// Each segment lists its own kinds. The initialiser compares them with those of the codec, before any action is read,
/// and throws if a version has no upcaster or is newer, or if a layout differs.
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
    /// How many files of parked records there are, with those of earlier recoveries.
    private var parkedFiles = 0
    /// Records up to this sequence were parked by earlier recoveries; nil: their files were not looked for yet.
    private var parkedBefore: UInt64?

    package init(_ codec: Codec, _ segments: [SegmentStart], unknownKinds: UnknownKinds) throws(JournalError) {
        self.codec = codec
        policy = unknownKinds
        for segment in segments {
            routes[segment.name] = try records(try segment.header.routes(by: codec, role: .action, path: segment.path))
        }
    }

    /// Begins a segment: the next records belong to it.
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

    /// Returns the action as ``action(of:)`` does, with its head and kind.
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
            if record.head.sequence > (try lastParked(at: path, of: segment.header.journal)) {
                try park(record, index, of: segment, at: path)
            }
        }
        unknown += 1
    }

    private mutating func park(
        _ record: borrowing RawRecord,
        _ index: Int,
        of segment: SegmentStart,
        at path: String
    ) throws(JournalError) {
        // A file of parked records has the kinds of one segment, so each segment gets a file of its own.
        if parkedFrom != segment.name {
            parkedFiles += 1
            try finish()
            let path = Self.parkedFile(path, parkedFiles)
            parked = try records(try ParkedRecords(path: path, beside: segment.header, from: record.head.sequence))
            parkedFrom = segment.name
        }
        do { try parked!.append(copy record, kind: index) } catch { throw JournalError(error) }
    }

    /// Returns the last sequence that earlier recoveries have parked. Each recovery meets the same records again, until
    /// a snapshot comes after them.
    private mutating func lastParked(at path: String, of journal: JournalID) throws(JournalError) -> UInt64 {
        if let parkedBefore { return parkedBefore }
        var last: UInt64 = 0
        while access(Self.parkedFile(path, parkedFiles + 1), F_OK) == 0 {
            parkedFiles += 1
            let file = Self.parkedFile(path, parkedFiles)
            last = max(last, try records(try ParkedRecords.lastSequence(path: file, of: journal)))
        }
        parkedBefore = last
        return last
    }

    private static func parkedFile(_ path: String, _ number: Int) -> String {
        number == 1 ? path : "\(path).\(number)"
    }

    /// Completes the file of parked records.
    package mutating func finish() throws(JournalError) {
        do { try parked?.keep() } catch { throw JournalError(error) }
    }
}
