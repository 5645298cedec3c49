// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// The records of a journal that are not actions: those of the reserved kinds.
package enum JournalRecord: Hashable, Sendable {
    /// With the action that follows in the frame, a producer has reached a number. 0: the producer was forgotten.
    case mark(producer: String, number: UInt64)
    /// An effect has ended: that of an action, by its place among the effects of that action.
    case effectEnd(sequence: UInt64, index: UInt32, reason: UInt32)
    /// The segment before this one.
    case link(SegmentLink?)

    package var kind: UInt16 {
        switch self {
        case .mark: 0xFF00
        case .effectEnd: 0xFF01
        case .link: 0xFF02
        }
    }

    /// The bytes of the record.
    package func encode(into output: inout RecordBuffer) {
        switch self {
        case .mark(let producer, let number):
            output.append(number)
            output.append(text: producer)
        case .effectEnd(let sequence, let index, let reason):
            output.append(sequence)
            output.append(index)
            output.append(reason)
        case .link(let link):
            output.append(link?.name.firstSequence ?? 0)
            output.append(link?.name.epoch ?? 0)
            output.append(UInt64(link?.offset ?? 0))
            output.append(link?.checksum ?? 0)
            output.append(0 as UInt32)
        }
    }

    /// Reads a record; nil if its bytes are not valid.
    package init?(kind: UInt16, _ bytes: UnsafeRawBufferPointer) {
        func get<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        switch kind {
        case 0xFF00 where bytes.count >= 8:
            self = .mark(producer: String(decoding: bytes.dropFirst(8), as: UTF8.self), number: get(0))
        case 0xFF01 where bytes.count == 16:
            self = .effectEnd(sequence: get(0), index: get(8), reason: get(12))
        case 0xFF02 where bytes.count == 32:
            let name = SegmentName(firstSequence: get(0), epoch: get(8))
            guard name.firstSequence > 0 else {
                self = .link(nil)
                return
            }
            guard let offset = Int(exactly: get(16) as UInt64) else { return nil }
            self = .link(SegmentLink(name: name, offset: offset, checksum: get(24)))
        default: return nil
        }
    }
}

/// Describes the segment before, all of which was on the disk when the link was written.
package struct SegmentLink: Hashable, Sendable {
    /// The segment before.
    package var name: SegmentName
    /// Where it ends. The bytes from there on were never acknowledged as being on the disk.
    package var offset: Int
    /// The checksum of its last frame's header.
    package var checksum: UInt32

    package init(name: SegmentName, offset: Int, checksum: UInt32) {
        self.name = name
        self.offset = offset
        self.checksum = checksum
    }
}

extension FrameBuilder {
    /// Appends a record of a reserved kind.
    package mutating func append(_ record: JournalRecord) {
        var bytes = RecordBuffer(capacity: 64)
        record.encode(into: &bytes)
        bytes.withUnsafeBytes { append(reserved: record.kind, $0) }
    }
}
