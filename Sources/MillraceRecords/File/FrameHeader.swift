// SPDX-License-Identifier: Apache-2.0

/// The 64 bytes before the records of a frame.
public struct FrameHeader: Hashable, Sendable {
    /// The number of bytes of the records that follow, a multiple of 8.
    public var length: UInt32
    /// The sequence of the first action in the frame.
    public var firstSequence: UInt64
    /// The number of actions in the frame.
    public var count: UInt32
    /// Whether the writer ended the file with this frame.
    public var isLast: Bool
    /// All actions up to this sequence were on the disk when the frame was written; 0 if that is not known.
    public var syncedThrough: UInt64
    /// The epoch of the writer.
    public var epoch: UInt64
    /// The checksum of the records.
    public var payloadChecksum: UInt32
    /// The checksum of the previous frame's header; in the first frame, that of the file's header.
    public var predecessor: UInt32

    /// Writes the 64 bytes of the header, and returns its checksum. The checksum of a frame header continues that of
    /// the file's header, so a frame of another file is not valid in this one.
    func encode(to place: UnsafeMutableRawPointer, file: UInt32) -> UInt32 {
        func set<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, _ offset: Int) {
            place.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
        }
        set(FileFormat.frameMagic, 0)
        set(length, 4)
        set(firstSequence, 8)
        set(count, 16)
        set(isLast ? FileFormat.lastFrame : 0, 20)
        set(syncedThrough, 24)
        set(epoch, 32)
        set(payloadChecksum, 40)
        set(predecessor, 44)
        set(0 as UInt64, 48)
        set(0 as UInt32, 56)
        let checksum = CRC32C.checksum(
            of: UnsafeRawBufferPointer(start: place, count: FileFormat.frameHeader - 4),
            continuing: file
        )
        set(checksum, 60)
        return checksum
    }

    /// Reads a header of 64 bytes and its checksum. Returns nil if the bytes are no frame header of this file.
    static func decode(_ place: UnsafeRawPointer, file: UInt32) -> (header: FrameHeader, checksum: UInt32)? {
        func get<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
            Number(littleEndian: place.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        let checksum = CRC32C.checksum(
            of: UnsafeRawBufferPointer(start: place, count: FileFormat.frameHeader - 4),
            continuing: file
        )
        guard get(0) == FileFormat.frameMagic, get(60) == checksum else { return nil }
        let flags: UInt32 = get(20)
        let header = FrameHeader(
            length: get(4),
            firstSequence: get(8),
            count: get(16),
            isLast: flags & FileFormat.lastFrame != 0,
            syncedThrough: get(24),
            epoch: get(32),
            payloadChecksum: get(40),
            predecessor: get(44)
        )
        return (header, checksum)
    }
}
