// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// Writes actions to one file, or to memory.
///
/// ```swift
/// var writer = try FrameWriter(path: "actions.mrj", purpose: .segment, codec: codec)
/// try writer.append(action, RecordHead(sequence: 1, time: .now))
/// try writer.finish()
/// ```
///
/// The writer gathers actions in a frame, and writes the frame when it has `frameBytes` bytes, and at ``flush(sync:)``.
/// If the program is killed, the frame that is being gathered is lost, and the written ones are in the file. Actions
/// that were flushed with `sync: true` also survive a power cut.
///
/// **Threads.** Only one thread at a time may use a writer; a call may block until the disk has written. **Cost.** No
/// allocation for an action, once buffers and sources are known. **Errors.** The first failed write or sync is final:
/// each later write throws it again. A sync fails if the file or its folder was removed. If the folder was renamed, the
/// writer goes on there.
public struct FrameWriter<Codec: ActionCodec>: ~Copyable {
    /// The frame that is being gathered, and the header of the file.
    public private(set) var frames: FrameBuilder
    /// All actions up to this sequence are on the disk.
    public private(set) var syncedThrough: UInt64 = 0
    let codec: Codec
    let frameBytes: Int
    private var sink: FrameSink?
    private var memory: [UInt8]

    /// Creates a file. The path must not exist yet. If its header finds no room, no file is left.
    ///
    /// - Throws: ``RecordFileError/exists(path:)`` if the path exists, or another ``RecordFileError`` if the file
    ///   cannot be created.
    public init(
        path: String,
        purpose: RecordFileHeader.Purpose,
        journal: JournalID = JournalID(),
        firstSequence: UInt64 = 1,
        frameBytes: Int = 65_536,
        codec: Codec
    ) throws(RecordFileError) {
        var header = RecordFileHeader(purpose: purpose, journal: journal, firstSequence: firstSequence)
        header.add(codec.schema, as: .action)
        try self.init(path: path, header: header, frameBytes: frameBytes, codec: codec)
    }

    /// Creates a writer to memory: ``takeBytes()`` returns the bytes that a file would have.
    public init(
        header: RecordFileHeader,
        frameBytes: Int = 65_536,
        codec: Codec
    ) throws(RecordFileError) {
        try self.init(path: nil, header: header, frameBytes: frameBytes, codec: codec)
    }

    /// Creates a file with a header whose first kinds are those of the codec. Without a path, writes to memory.
    init(path: String?, header: RecordFileHeader, frameBytes: Int, codec: Codec) throws(RecordFileError) {
        let frameBytes = min(max(frameBytes, 1), FileFormat.largestFrame / 2)
        let frames = try FrameBuilder(header: header, capacity: frameBytes + 4096)
        var sink: FrameSink?
        if let path { sink = try FrameSink.create(path, beginning: frames.headerBytes) }
        self.codec = codec
        self.frameBytes = frameBytes
        memory = sink == nil ? frames.headerBytes : []
        self.frames = frames
        self.sink = sink
    }

    /// Appends an action. Its sequence is that of its head, or the file's next one if that is higher.
    /// - Throws: ``RecordFileError/codec(path:offset:kind:error:)`` if the action cannot be encoded, or the system's
    ///   error if a full frame cannot be written.
    public mutating func append(_ action: Codec.Action, _ head: RecordHead) throws(RecordFileError) {
        // The sequences in a frame have no gap: after a gap, a new frame begins.
        if frames.count > 0, head.sequence > frames.nextSequence { try flush() }
        do {
            try frames.append(action, head, by: codec)
        } catch {
            throw .codec(path: sink?.path ?? "memory", offset: nil, kind: codec.schema.type.name, error: error)
        }
        if frames.bytes >= frameBytes { try flush() }
    }

    /// Appends a state, whose kinds begin at an index of the header.
    mutating func append<States: ActionCodec>(
        state: States.Action,
        by codec: States,
        kindBase: Int
    ) throws(RecordFileError) {
        do {
            try frames.append(state: state, time: .now, kindBase: kindBase, by: codec)
        } catch {
            throw .codec(path: sink?.path ?? "memory", offset: nil, kind: codec.schema.type.name, error: error)
        }
    }

    mutating func append(endWith hash: UInt64, actions: UInt64) {
        frames.append(endWith: hash, actions: actions, time: .now)
    }

    /// Writes the frame that was gathered. With `sync: true`, also waits until the file is on the disk.
    public mutating func flush(sync: Bool = false) throws(RecordFileError) {
        try flush(sync: sync, isLast: false)
    }

    private mutating func flush(sync: Bool, isLast: Bool) throws(RecordFileError) {
        if !frames.isEmpty || isLast {
            let synced = syncedThrough
            if sink != nil {
                try frames.seal(syncedThrough: synced, isLast: isLast) { (bytes) throws(RecordFileError) in
                    try sink!.write(bytes)
                }
            } else {
                frames.seal(syncedThrough: synced, isLast: isLast) { memory += $0 }
            }
        }
        if sync {
            try sink?.sync()
            syncedThrough = frames.nextSequence &- 1
        }
    }

    /// Writes the frame that was gathered, syncs the file, and marks its end: a reader then knows that the file is
    /// complete.
    public mutating func finish() throws(RecordFileError) {
        try flush(sync: true, isLast: false)
        try flush(sync: true, isLast: true)
    }

    /// Ends the file with the end of a session.
    mutating func finish(hash: UInt64, actions: UInt64) throws(RecordFileError) {
        try flush(sync: true, isLast: false)
        append(endWith: hash, actions: actions)
        try flush(sync: true, isLast: true)
    }

    mutating func rename(to name: String) throws(RecordFileError) {
        if sink != nil { try sink!.rename(to: name) }
    }

    func remove() {
        sink?.remove()
    }

    /// Returns the bytes that were written to memory since the last call, with the frame that was gathered.
    public mutating func takeBytes() throws(RecordFileError) -> [UInt8] {
        try flush()
        defer { memory = [] }
        return memory
    }
}
