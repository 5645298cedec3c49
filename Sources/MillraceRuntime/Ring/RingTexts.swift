// SPDX-License-Identifier: Apache-2.0

/// The texts of a text table. Each record is a length word and the text, padded to a multiple of 8 bytes. Damaged bytes
/// are safe.
struct RingTexts {
    /// The texts before the first record that is invalid or incomplete.
    private(set) var all: [String] = []

    /// Whether the bytes end at the end of a record.
    private(set) var isWhole = true

    init(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 8 else {
                isWhole = false
                return
            }
            let length = bytes.loadUnaligned(fromByteOffset: rest.startIndex, as: UInt64.self)
            rest = rest.dropFirst(8)
            // The first check keeps the second from overflowing.
            guard length <= rest.count, (Int(length) + 7) / 8 * 8 <= rest.count else {
                isWhole = false
                return
            }
            all.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst((Int(length) + 7) / 8 * 8)
        }
    }
}
