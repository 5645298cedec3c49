// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// A state of a journal at one sequence, read from its file and verified.
package struct Snapshot: Sendable {
    /// The last action whose change is in the state.
    package let sequence: UInt64
    /// The header of the file, which has the type of the state.
    package let header: RecordFileHeader
    /// The kind of the state: an index of the header.
    package let kind: Int
    /// The bytes of the state.
    package let state: [UInt8]
    /// The numbers that the producers had reached, and other records of reserved kinds.
    package let records: [JournalRecord]
    /// Where it is.
    package let path: String

    /// Reads a snapshot to its end. A checksum covers every byte.
    package init<Folder: JournalFolder>(_ folder: Folder, _ name: SnapshotName) throws(JournalError) {
        let path = "\(folder.path)/\(name.text)"
        func corrupt(_ reason: String) -> JournalError {
            .corrupt(at: CorruptPlace(path: path, offset: 0, reason: reason))
        }
        var found: (kind: Int, bytes: [UInt8])?
        var records: [JournalRecord] = []
        var isWhole = true
        let file = try FileRecords(folder, name.text, maximumFrame: FileFormat.largestFrame)
        while let record = try file.next() {
            switch record.content {
            case .state(let kind): found = (kind, Array(record.bytes))
            case .reserved(let kind):
                if let record = JournalRecord(kind: kind, record.bytes) {
                    records.append(record)
                } else {
                    isWhole = false
                }
            case .action, .end: isWhole = false
            }
        }
        header = file.frames.header
        guard header.purpose == .snapshot, header.firstSequence == name.sequence + 1 else {
            throw corrupt("it is the snapshot of another sequence, or none")
        }
        guard case .ended = file.frames.end, isWhole else {
            throw corrupt("it is not whole, or holds more than a state")
        }
        guard let found else { throw corrupt("it holds no state") }
        sequence = name.sequence
        (kind, state) = found
        self.records = records
        self.path = path
    }

    /// Returns the state by a codec.
    package func state<Codec: StateCodec>(by codec: Codec) throws(JournalError) -> Codec.Action {
        let routes = try MillraceJournal.records(try header.routes(by: codec, role: .state, path: path))
        let name = header.kinds[kind].name
        guard let route = routes[kind] else {
            throw .file(.unknownKind(path: path, offset: 0, kind: name, sequence: sequence))
        }
        do {
            return try state.withUnsafeBytes { bytes in
                Result { () throws(CodecError) in try codec.decode(bytes, route: route) }
            }.get()
        } catch {
            throw .file(.codec(path: path, offset: nil, kind: name, error: error))
        }
    }
}
