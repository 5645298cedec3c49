// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// The constants of docs/journal-format.md.
@usableFromInline
package enum FileFormat {
    /// "MRJ", and line endings that change if the file is copied as text.
    static let magic: [UInt8] = [0x4D, 0x52, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A, 0x00]
    static let version: UInt32 = 1
    static let fixedHeader = 64
    static let largestHeader = 16 << 20
    static let frameMagic: UInt32 = 0x3146_524D  // MRF1
    static let frameHeader = 64
    /// Of what is written, and the default of what is read.
    @usableFromInline package static var largestFrame: Int { 1 << 30 }
    static let recordHead = 24
    static let causeBytes = 24
    static let lastFrame: UInt32 = 1
    static let hasCause: UInt16 = 1
    static let textKind: UInt16 = 0xFFFF
    static let endKind: UInt16 = 0xFFFE
    static let largestKinds = 0xFF00
    /// The marks of producers, the ends of effects, and the links between segments.
    static let journalKinds: ClosedRange<UInt16> = 0xFF00...0xFF02
    static let endBytes = 16
    static let textBytes = 32
}

extension RecordFileHeader {
    /// Whether the format has room for the types and kinds.
    var fits: Bool {
        let texts =
            types.reduce(0) { $0 + $1.name.utf8.count + $1.layout.utf8.count + 32 }
            + kinds.reduce(0) { $0 + $1.name.utf8.count + 16 }
        return types.count <= 1000 && kinds.count <= FileFormat.largestKinds && texts < FileFormat.largestHeader - 100
            && types.allSatisfy { (1...Int(UInt32.max)).contains($0.version) }
    }

    /// The bytes of the header, whose last four are their checksum.
    package func encoded() -> [UInt8] {
        var output = RecordBuffer()
        FileFormat.magic.withUnsafeBytes { output.append($0) }
        output.append(FileFormat.version)
        output.append(0 as UInt32)  // the length, below
        output.append(journal.low)
        output.append(journal.high)
        output.append(epoch)
        output.append(firstSequence)
        output.append(created.nanosecondsSince1970)
        output.append(purpose.rawValue)
        output.append(UInt16(types.count))
        output.append(UInt16(kinds.count))
        for type in types {
            output.append(UInt32(type.version))
            output.append(type.encoding.rawValue)
            output.append(0 as UInt16)
            output.append(UInt32(type.name.utf8.count))
            output.append(UInt32(type.layout.utf8.count))
            output.append(type.fingerprint)
            output.append(text: type.name)
            output.append(text: type.layout)
            output.pad()
        }
        for kind in kinds {
            output.append(UInt16(kind.type))
            output.append(kind.role.rawValue)
            output.append(UInt32(kind.name.utf8.count))
            output.append(text: kind.name)
            output.pad()
        }
        output.append(0 as UInt32)
        output.set(UInt32(output.count + 4), at: 12)
        output.append(output.withUnsafeBytes { CRC32C.checksum(of: $0) })
        return output.withUnsafeBytes { Array($0) }
    }

    /// Reads a whole header whose checksum is right. Returns nil if its contents are not valid.
    init?(_ bytes: [UInt8]) {
        var input = ByteCursor(bytes, from: 16, to: bytes.count - 8)
        guard let low: UInt64 = input.next(), let high: UInt64 = input.next(), let epoch: UInt64 = input.next(),
            let first: UInt64 = input.next(), first > 0, let created: Int64 = input.next(),
            let purposeNumber: UInt32 = input.next(),
            let purpose = Purpose(rawValue: purposeNumber), let typeCount: UInt16 = input.next(),
            let kindCount: UInt16 = input.next()
        else { return nil }
        self.init(
            purpose: purpose,
            journal: JournalID(low: low, high: high),
            epoch: epoch,
            firstSequence: first,
            created: ActionTime(nanosecondsSince1970: created)
        )
        for _ in 0..<typeCount {
            guard let version: UInt32 = input.next(), let encoding: UInt16 = input.next(), let _: UInt16 = input.next(),
                let nameBytes: UInt32 = input.next(), let layoutBytes: UInt32 = input.next(),
                let fingerprint: UInt64 = input.next(), let name = input.text(Int(nameBytes)),
                let layout = input.text(Int(layoutBytes)), input.skipPadding()
            else { return nil }
            add(
                RecordType(
                    name: name,
                    version: Int(version),
                    encoding: RecordEncoding(rawValue: encoding),
                    layout: layout,
                    fingerprint: fingerprint
                )
            )
        }
        for _ in 0..<kindCount {
            guard let type: UInt16 = input.next(), type < typeCount, let roleNumber: UInt16 = input.next(),
                let role = RecordKind.Role(rawValue: roleNumber), let nameBytes: UInt32 = input.next(),
                let name = input.text(Int(nameBytes)), input.skipPadding()
            else { return nil }
            add(RecordKind(name: name, type: Int(type), role: role))
        }
        guard input.isAtEnd else { return nil }
    }
}
