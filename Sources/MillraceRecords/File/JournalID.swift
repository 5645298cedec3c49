// SPDX-License-Identifier: Apache-2.0

/// The identity of a journal or a session: 128 random bits that all its files hold.
public struct JournalID: Hashable, Sendable {
    /// The first eight bytes in a file, as a little-endian number.
    public let low: UInt64
    /// The next eight.
    public let high: UInt64

    /// A known identity.
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// A new identity, random.
    public init() {
        self.init(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
    }
}

extension JournalID: CustomStringConvertible {
    /// The sixteen bytes as 32 hexadecimal digits, in the order of the file.
    public var description: String {
        [low, high].map { word in
            withUnsafeBytes(of: word.littleEndian) { bytes in
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }.joined()
    }
}
