// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Makes the bytes of a file in memory, one frame after the other. The caller writes them.
///
/// ```swift
/// var frames = FrameBuilder(header: header)
/// file.write(frames.headerBytes)
/// try frames.append(action, head, kindBase: 0, by: codec)
/// frames.seal(syncedThrough: 0) { bytes in file.write(bytes) }
/// ```
///
/// **Threads.** Only one thread at a time may use it. **Cost.** An action costs no allocation, once the buffer has
/// grown to the size of a frame and the file has the action's source.
public struct FrameBuilder: ~Copyable {
    /// The header of the file.
    public let header: RecordFileHeader
    /// The bytes with which the file begins.
    public let headerBytes: [UInt8]
    @usableFromInline var buffer: RecordBuffer
    @usableFromInline let kindCount: Int
    private let fileChecksum: UInt32
    /// The checksum of the last frame's header; before the first frame that of the file's header.
    package private(set) var predecessor: UInt32
    @usableFromInline var sources = SourceTable()
    @usableFromInline var first: UInt64
    @usableFromInline var actions: UInt32 = 0

    /// Begins a file. `capacity` is the size of the buffer in bytes at first.
    /// - Throws: ``RecordFileError/headerTooLarge(path:)`` if the header has more than 65,280 kinds, 1,000 types or
    ///   about 16 MiB of texts, or a version that does not fit 32 bits.
    public init(header: RecordFileHeader, capacity: Int = 65_536) throws(RecordFileError) {
        self.header = header
        guard header.fits else { throw .headerTooLarge(path: "") }
        headerBytes = header.encoded()
        kindCount = header.kinds.count
        fileChecksum = headerBytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        predecessor = fileChecksum
        first = header.firstSequence
        buffer = RecordBuffer(capacity: capacity)
        reserveHeader()
    }

    private mutating func reserveHeader() {
        buffer.removeAll()
        _ = buffer.extend(by: FileFormat.frameHeader)
    }

    /// The number of actions in the frame that is being built.
    @inlinable public var count: Int { Int(actions) }
    /// Whether the frame that is being built holds nothing.
    public var isEmpty: Bool { buffer.count == FileFormat.frameHeader }
    /// The bytes of the frame that is being built.
    @inlinable public var bytes: Int { buffer.count }
    /// The sequence of the next action.
    @inlinable public var nextSequence: UInt64 { first &+ UInt64(actions) }
    /// The number of actions that were recorded without their source, because a file has room for 65,535 sources.
    public var missedSources: UInt64 { sources.missed }

    /// Appends an action. Its sequence is ``nextSequence``, whatever the head says. Only the first action of a frame
    /// may have a later sequence, which is then taken from the head.
    ///
    /// `kindBase` is the index of the codec's first kind in the header.
    /// - Throws: The errors of the codec; ``CodecError/notEncodable(type:reason:)`` if the codec returns a kind that it
    ///   does not have, or if the frame would be larger than 1 GiB. Then the frame has the same actions as before.
    @inlinable
    public mutating func append<Codec: ActionCodec>(
        _ action: Codec.Action,
        _ head: RecordHead,
        kindBase: Int = 0,
        by codec: Codec
    ) throws(CodecError) {
        let source = head.source.map { sourceIndex(of: $0) } ?? 0
        try append(action, source: source, head.sequence, head.cause, head.time, kindBase: kindBase, by: codec)
    }

    /// Appends an action with its sequence, cause, time and source. The kinds of the codec are the first ones of the
    /// header.
    @inlinable
    package mutating func append<Codec: ActionCodec>(
        _ action: Codec.Action,
        _ sequence: UInt64,
        _ cause: ActionCause,
        _ time: ActionTime,
        _ source: ActionSource,
        by codec: Codec
    ) throws(CodecError) {
        try append(action, source: sourceIndex(of: source), sequence, cause, time, kindBase: 0, by: codec)
    }

    @inlinable @inline(__always)
    mutating func append<Codec: ActionCodec>(
        _ action: Codec.Action,
        source: UInt32,
        _ sequence: UInt64,
        _ cause: ActionCause,
        _ time: ActionTime,
        kindBase: Int,
        by codec: Codec
    ) throws(CodecError) {
        let kind = kindBase + codec.kind(of: action)
        guard kind >= kindBase, kind < kindCount else { throw wrongKind(kind - kindBase, codec.schema) }
        let start = begin(kind: UInt16(truncatingIfNeeded: kind), source: source, cause, time)
        do {
            try codec.encode(action, into: &buffer)
        } catch {
            buffer.removeAll(from: start)
            throw error
        }
        guard end(start, hasCause: cause != .none) else { throw tooLarge(codec.schema) }
        count(sequence)
    }

    /// Appends a state. It has no sequence.
    public mutating func append<Codec: ActionCodec>(
        state: Codec.Action,
        time: ActionTime,
        kindBase: Int,
        by codec: Codec
    ) throws(CodecError) {
        let kind = kindBase + codec.kind(of: state)
        guard kind >= kindBase, kind < kindCount else { throw wrongKind(kind - kindBase, codec.schema) }
        let start = begin(kind: UInt16(truncatingIfNeeded: kind), source: 0, .none, time)
        do {
            try codec.encode(state, into: &buffer)
        } catch {
            buffer.removeAll(from: start)
            throw error
        }
        guard end(start, hasCause: false) else { throw tooLarge(codec.schema) }
    }

    /// Appends an action that is already encoded.
    mutating func append(bytes: UnsafeRawBufferPointer, kind: UInt16, _ head: RecordHead) {
        let source = head.source.map { sourceIndex(of: $0) } ?? 0
        let start = begin(kind: kind, source: source, head.cause, head.time)
        buffer.append(bytes)
        end(start, hasCause: head.cause != .none)
        count(head.sequence)
    }

    /// Appends the end of a session: the hash of the last state, and how many actions there were.
    mutating func append(endWith hash: UInt64, actions: UInt64, time: ActionTime) {
        let start = begin(kind: FileFormat.endKind, source: 0, .none, time)
        buffer.append(hash)
        buffer.append(actions)
        end(start, hasCause: false)
    }

    /// Appends a record of a journal that is not an action.
    package mutating func append(reserved kind: UInt16, _ bytes: UnsafeRawBufferPointer) {
        let start = begin(kind: kind, source: 0, .none, ActionTime(nanosecondsSince1970: 0))
        buffer.append(bytes)
        end(start, hasCause: false)
    }

    /// The sequence of the first action in the frame that is being built.
    package var firstSequence: UInt64 { first }

    /// Ends the frame, begins the next one, and lends the bytes of the ended frame to `body`. They are valid only
    /// during the call.
    ///
    /// `syncedThrough` says that all actions up to this sequence are on the disk now.
    public mutating func seal<Result, Failure: Error>(
        syncedThrough: UInt64,
        isLast: Bool = false,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let length = buffer.count - FileFormat.frameHeader
        let payload = UnsafeRawBufferPointer(rebasing: buffer.memory[FileFormat.frameHeader..<buffer.count])
        let header = FrameHeader(
            length: UInt32(length),
            firstSequence: first,
            count: actions,
            isLast: isLast,
            syncedThrough: syncedThrough,
            epoch: header.epoch,
            payloadChecksum: CRC32C.checksum(of: payload),
            predecessor: predecessor
        )
        predecessor = header.encode(to: buffer.memory.baseAddress!, file: fileChecksum)
        let count = buffer.count
        first &+= UInt64(actions)
        actions = 0
        reserveHeader()
        return try body(UnsafeRawBufferPointer(rebasing: buffer.memory[..<count]))
    }
}
