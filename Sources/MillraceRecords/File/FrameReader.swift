// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Reads the records of a file one after the other, without decoding them.
///
/// ```swift
/// var reader = try FrameReader(path: "session.mrr")
/// while let record = try reader.next() { print(record.head.sequence, reader.kind(of: record)?.name ?? "") }
/// print(reader.end!)
/// ```
///
/// **Damaged files.** The reader checks each checksum before it uses the data, and compares each length with the size
/// of the file. If a file is cut off or changed, the reader returns the records before that place. Then it says how the
/// file ends (``end``), or throws an error with the offset.
///
/// **A torn tail and damage.** A frame that is not whole is damage if a later frame says that it was synced to the
/// disk. Otherwise it is a torn tail: the writer or the machine stopped.
///
/// **Threads.** Only one thread at a time may use a reader. Another process may write the file meanwhile: call `next()`
/// again after the end. **Memory.** One frame of at most `maximumFrame` bytes, 256 KiB that are read ahead, and the
/// texts of the sources.
public struct FrameReader: ~Copyable {
    /// The file's header.
    public let header: RecordFileHeader
    /// How the file ends; nil until `next()` has returned nil.
    public internal(set) var end: RecordFileEnd?
    /// The last whole frame that was read.
    public internal(set) var frame: FrameHeader?
    /// The sources that were read so far. A record refers to the first one by the number 1.
    public internal(set) var sources: [ActionSource] = []

    package let path: String
    let source: ByteSource
    let maximumFrame: Int
    let fileChecksum: UInt32
    /// Where the next frame begins, and what its header must contain.
    package internal(set) var position: Int
    package internal(set) var predecessor: UInt32
    package internal(set) var nextSequence: UInt64
    /// The end of the file, as another file says; nil if nothing does.
    package var knownEnd: KnownEnd?
    /// Whether each frame must begin with the next action, without a gap, and the file may still be written.
    package var isJournal = false
    /// Whether records have the sources of their actions. Without them, reading is faster.
    package var readsSources = true
    /// The last frames, of which no later frame says that they are on the disk.
    package internal(set) var unsynced = UnsyncedFrames()
    /// The number of bytes that are read at once, if the file has that many.
    package var readAhead = 256 << 10
    /// Bytes that were read ahead, and where they are in the file.
    var window: RecordBuffer
    var windowStart = 0
    /// The frame that is being read, and the place of the next record in it.
    var payload: RecordBuffer
    var cursor = 0
    var frameOffset = 0
    var actionsLeft: UInt32 = 0

    /// Opens a file and reads its header. Symbolic links are not followed. A frame of more than `maximumFrame` bytes is
    /// an error.
    public init(path: String, maximumFrame: Int = FileFormat.largestFrame) throws(RecordFileError) {
        try self.init(path: path, source: .open(path), maximumFrame: maximumFrame)
    }

    /// Reads the bytes of a file from memory. Errors use `name` in place of a path.
    public init(bytes: [UInt8], name: String = "memory", maximumFrame: Int = FileFormat.largestFrame)
        throws(RecordFileError)
    {
        try self.init(path: name, source: .array(bytes), maximumFrame: maximumFrame)
    }

    /// Reads a file through `file`. Errors name it `path`.
    package init(path: String, file: any RandomAccess, maximumFrame: Int) throws(RecordFileError) {
        try self.init(path: path, source: .other(file), maximumFrame: maximumFrame)
    }

    private init(path: String, source: ByteSource, maximumFrame: Int) throws(RecordFileError) {
        let bytes = try Self.headerBytes(path, source)
        guard let header = RecordFileHeader(bytes) else {
            throw .damagedHeader(path: path, reason: "it contradicts itself, though its checksum is right")
        }
        self.header = header
        self.path = path
        self.source = source
        self.maximumFrame = maximumFrame
        fileChecksum = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        predecessor = fileChecksum
        position = bytes.count
        nextSequence = header.firstSequence
        payload = RecordBuffer(capacity: 64)
        window = RecordBuffer(capacity: 64)
    }

    /// Returns the bytes of the header, after checking its checksum.
    private static func headerBytes(_ path: String, _ source: ByteSource) throws(RecordFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let found = try source.read(path, into: &bytes)
        let magic = min(found, FileFormat.magic.count)
        guard magic > 0, bytes[..<magic].elementsEqual(FileFormat.magic[..<magic]) else {
            throw .notARecordFile(path: path)
        }
        guard found == 16 else { throw .cutHeader(path: path, bytes: found, needed: FileFormat.fixedHeader + 8) }
        func word(_ offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let version = word(8)
        let length = Int(word(12))
        let size = try source.size(path)
        guard version == FileFormat.version else {
            throw .otherVersion(path: path, found: version, supported: FileFormat.version)
        }
        guard length >= FileFormat.fixedHeader + 8, length % 8 == 0, length <= FileFormat.largestHeader else {
            throw .damagedHeader(path: path, reason: "its length is \(length)")
        }
        guard length <= size else { throw .cutHeader(path: path, bytes: size, needed: length) }
        bytes = [UInt8](repeating: 0, count: length)
        guard try source.read(path, into: &bytes) == length else {
            throw .cutHeader(path: path, bytes: size, needed: length)
        }
        let stored = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        guard CRC32C.checksum(of: Array(bytes.dropLast(4))) == stored else {
            throw .damagedHeader(path: path, reason: "its checksum is wrong")
        }
        return bytes
    }

    /// The kind of a record; nil for a record that is neither an action nor a state.
    public func kind(of record: RawRecord) -> RecordKind? {
        switch record.content {
        case .action(let kind), .state(let kind): header.kinds[kind]
        case .end, .reserved: nil
        }
    }
}

extension ByteSource {
    /// Fills an array from the start of the file.
    func read(_ path: String, into bytes: inout [UInt8]) throws(RecordFileError) -> Int {
        try bytes.lendMutable { (target) throws(RecordFileError) in try read(path, at: 0, into: target) }
    }
}
