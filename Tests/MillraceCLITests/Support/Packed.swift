// SPDX-License-Identifier: Apache-2.0

/// Makes compressed data without a compressor: blocks that are stored as they are.
enum Packed {
    /// A member of gzip.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var place = 0
        repeat {
            let part = bytes[place..<min(place + 65_535, bytes.count)]
            place = part.endIndex
            packed.append(place == bytes.count ? 1 : 0)
            packed += little(UInt64(part.count), 2)
            packed += little(UInt64(~UInt16(part.count)), 2)
            packed += part
        } while place < bytes.count
        return packed + little(UInt64(crc(bytes)), 4) + little(UInt64(bytes.count), 4)
    }

    /// A frame of zstd.
    ///
    /// - Parameter windowLog: The window that the frame asks for, as a power of two; nil: its own size.
    static func zstd(_ bytes: [UInt8], windowLog: UInt8? = nil) -> [UInt8] {
        var packed: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
        if let windowLog {
            packed += [0x00, (windowLog - 10) << 3]
        } else {
            packed += [0xA0] + little(UInt64(bytes.count), 4)
        }
        var place = 0
        repeat {
            let part = bytes[place..<min(place + 65_535, bytes.count)]
            place = part.endIndex
            let header = part.count << 3 | (place == bytes.count ? 1 : 0)
            packed += little(UInt64(header), 3)
            packed += part
        } while place < bytes.count
        return packed
    }

    /// A frame of zstd that decompressors skip.
    static let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
