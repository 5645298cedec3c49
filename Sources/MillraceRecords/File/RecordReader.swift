// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// Reads the actions of a file by a codec.
///
/// ```swift
/// var reader = try RecordReader(path: "session.mrr", codec: codec)
/// while let entry = try reader.next() { reducer.reduce(entry.action, &state) }
/// ```
///
/// When the reader is made, it compares the kinds of the file with those of the codec. It throws an error for a version
/// without an upcaster, a newer version or another layout, before it reads an action. ``UnknownKinds`` decides about
/// kinds that the codec does not know. The reader skips states and the end of a session; ``FrameReader`` reads them.
///
/// **Threads.** Only one thread at a time may use a reader. **Memory.** That of ``FrameReader``.
public struct RecordReader<Codec: ActionCodec>: ~Copyable {
    /// The reader of the file's frames.
    public internal(set) var frames: FrameReader
    /// The number of actions of unknown kinds that were left out.
    public private(set) var unknown: UInt64 = 0
    @usableFromInline let codec: Codec
    /// How the codec reads each kind of the file; nil for kinds that it does not know.
    @usableFromInline let routes: [Int?]
    private let policy: UnknownKinds
    private var parked: ParkedRecords?

    /// Opens a file and compares its kinds with those of the codec.
    ///
    /// - Throws: ``RecordFileError`` if the file cannot be read, or holds a version, encoding or layout that the codec
    ///   does not read.
    public init(path: String, codec: Codec, unknownKinds: UnknownKinds = .fail) throws(RecordFileError) {
        try self.init(FrameReader(path: path), codec: codec, unknownKinds: unknownKinds)
    }

    /// Reads the remaining records of a frame reader.
    public init(
        _ frames: consuming FrameReader,
        codec: Codec,
        unknownKinds: UnknownKinds = .fail
    ) throws(RecordFileError) {
        routes = try frames.header.routes(by: codec, role: .action, path: frames.path)
        self.codec = codec
        self.frames = frames
        policy = unknownKinds
    }

    /// Returns the next action; nil at the end of the file, which `frames.end` then describes.
    ///
    /// - Throws: ``RecordFileError``: those of ``FrameReader``, or if the bytes are no action, or by the policy for
    ///   unknown kinds.
    @inlinable
    public mutating func next() throws(RecordFileError) -> RecordedAction<Codec.Action>? {
        while let record = try nextRaw() {
            if let action = try action(of: record) { return action }
        }
        try seal()
        return nil
    }

    /// Returns the action of a record; nil for other records, and for one that the policy leaves out.
    @inlinable
    mutating func action(of record: RawRecord) throws(RecordFileError) -> RecordedAction<Codec.Action>? {
        guard case .action(let index) = record.content else { return nil }
        guard let route = routes[index] else {
            try leaveOut(record, index)
            return nil
        }
        do {
            let action = try codec.decode(record.bytes, route: route)
            return RecordedAction(head: record.head, kind: kindName(index), action: action)
        } catch {
            throw failed(record, index, error)
        }
    }

    @usableFromInline
    func kindName(_ index: Int) -> String { frames.header.kinds[index].name }

    @usableFromInline
    func failed(_ record: RawRecord, _ index: Int, _ error: CodecError) -> RecordFileError {
        .codec(path: frames.path, offset: record.offset, kind: kindName(index), error: error)
    }

    @usableFromInline
    mutating func nextRaw() throws(RecordFileError) -> RawRecord? { try frames.next() }

    @usableFromInline
    mutating func leaveOut(_ record: RawRecord, _ index: Int) throws(RecordFileError) {
        let policy = policy
        switch policy {
        case .fail:
            throw .unknownKind(
                path: frames.path,
                offset: record.offset,
                kind: kindName(index),
                sequence: record.head.sequence
            )
        case .skip: break
        case .park(let path):
            if parked == nil {
                parked = try ParkedRecords(path: path, beside: frames.header, from: record.head.sequence)
            }
            try parked!.append(record, kind: index)
        }
        unknown += 1
    }

    /// Syncs the file of parked records.
    @usableFromInline
    mutating func seal() throws(RecordFileError) {
        try parked?.keep()
    }
}

extension RecordFileHeader {
    /// How a codec reads each kind of the file: nil for those that it does not know, and for those of another role.
    package func routes<Codec: ActionCodec>(
        by codec: Codec,
        role: RecordKind.Role,
        path: String
    ) throws(RecordFileError) -> [Int?] {
        var routes: [Int?] = []
        for kind in kinds {
            guard kind.role == role else {
                routes.append(nil)
                continue
            }
            do {
                routes.append(try codec.route(for: kind.name, of: types[kind.type]))
            } catch {
                throw .codec(path: path, offset: nil, kind: kind.name, error: error)
            }
        }
        return routes
    }
}
