// SPDX-License-Identifier: Apache-2.0

/// The name of what is traded: 1 to 8 ASCII characters, kept in one word so that actions have no references.
package struct Symbol: BitwiseCopyable, Hashable, Sendable {
    let code: UInt64

    /// Creates a symbol; nil if the text is empty, too long, or has other characters than letters, digits and dots.
    package init?(_ text: some StringProtocol) {
        guard (1...8).contains(text.utf8.count) else { return nil }
        var code: UInt64 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                code = code << 8 | UInt64(byte)
            default: return nil
            }
        }
        self.code = code
    }

    /// The symbols of the generated market: A, B, C and so on.
    package static func generated(_ count: Int) -> [Symbol] {
        (0..<max(1, min(26, count))).map { Symbol(code: UInt64(UInt8(ascii: "A")) + UInt64($0)) }
    }

    private init(code: UInt64) {
        self.code = code
    }
}

extension Symbol: CustomStringConvertible {
    /// The text.
    package var description: String {
        var bytes: [UInt8] = []
        var rest = code
        while rest > 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }
}

extension Symbol: Codable {
    /// Reads the text.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let symbol = Symbol(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no symbol")
        }
        self = symbol
    }

    /// Writes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
