// SPDX-License-Identifier: Apache-2.0

/// The format of the bytes of a record.
public struct RecordEncoding: Hashable, Sendable, RawRepresentable {
    /// The number in a file.
    public let rawValue: UInt16

    /// Creates an encoding from its number. Use numbers from 256 on for encodings of your own.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The memory of the value, with zeros as padding.
    public static let bitwise = RecordEncoding(rawValue: 1)
    /// JSON as UTF-8.
    public static let json = RecordEncoding(rawValue: 2)
    /// An encoding that only the codec knows.
    public static let custom = RecordEncoding(rawValue: 3)
    /// The bytes of another encoding, encrypted with a key for each subject: ``SealingCodec``.
    public static let sealed = RecordEncoding(rawValue: 4)
}

extension RecordEncoding: CustomStringConvertible {
    /// The name: `bitwise`, `json`, `custom`, `sealed`, or the number.
    public var description: String {
        switch self {
        case .bitwise: "bitwise"
        case .json: "json"
        case .custom: "custom"
        case .sealed: "sealed"
        default: "encoding \(rawValue)"
        }
    }
}
