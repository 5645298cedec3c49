// SPDX-License-Identifier: Apache-2.0

/// Reads numbers and texts from bytes, and never beyond their end.
struct ByteCursor {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], from: Int, to end: Int) {
        self.bytes = bytes
        self.end = min(max(end, 0), bytes.count)
        position = from
    }

    var isAtEnd: Bool { position == end }

    mutating func next<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard end - position >= size else { return nil }
        defer { position += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    mutating func text(_ count: Int) -> String? {
        guard count <= end - position else { return nil }
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func skipPadding() -> Bool {
        let padded = (position + 7) & ~7
        guard padded <= end else { return false }
        position = padded
        return true
    }
}
