// SPDX-License-Identifier: Apache-2.0

/// The records of a text table, whatever the bytes are: each a length word and the text, filled up to 8.
struct RingTexts {
    /// The texts up to the first record that makes no sense, or is not all there.
    private(set) var all: [String] = []

    /// Whether the bytes end where a record does.
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
            // The first test keeps the second from overflowing.
            guard length <= rest.count, (Int(length) + 7) / 8 * 8 <= rest.count else {
                isWhole = false
                return
            }
            all.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst((Int(length) + 7) / 8 * 8)
        }
    }
}
