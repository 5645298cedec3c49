// SPDX-License-Identifier: Apache-2.0

/// Why a value cannot be encoded or decoded, or why a codec cannot be used.
public enum CodecError: Error, Hashable, Sendable {
    /// The memory of the type cannot be written as it is.
    case layout(LayoutError)
    /// The version is less than 1, or does not fit 32 bits.
    case version(Int)
    /// An upcaster begins at version `from`, but the next version that the codec needs is `expected`.
    case gap(from: Int, expected: Int)
    /// The value could not be written. The reason is the text of the encoder's error.
    case notEncodable(type: String, reason: String)
    /// The bytes are no value of the type: the reason, and the offset of the wrong byte if it is known.
    case notDecodable(type: String, reason: String, offset: Int?)
    /// The file holds a version that is older than the oldest one that the codec reads.
    case tooOld(kind: String, version: Int, oldest: Int)
    /// The file holds a version that is newer than the one that the codec writes.
    case tooNew(kind: String, version: Int, newest: Int)
    /// The file holds the same version in another encoding.
    case otherEncoding(kind: String, version: Int, written: String, expected: String)
    /// The file holds the same version, but the type had another layout when it was written.
    case otherLayout(kind: String, version: Int, written: String, expected: String)
}

extension CodecError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        switch self {
        case .layout(let error): error.description
        case .version(let version): "The version \(version) of a codec is not possible. Versions count from 1."
        case .gap(let from, let expected):
            """
            The upcaster reads version \(from), but the next older version is \(expected). Add the upcasters from the \
            newest to the oldest, one for each version; first 'upcasting(from: \(expected))'.
            """
        case .notEncodable(let type, let reason):
            "A value of '\(type)' cannot be encoded: \(reason). Change its 'encode(to:)', or what it holds."
        case .notDecodable(let type, let reason, let offset):
            """
            These bytes are no value of '\(type)': \(reason)\(offset.map { " at byte \($0)" } ?? ""). If the type has \
            changed, give it the next version and add 'upcasting(from:)'.
            """
        case .tooOld(let kind, let version, let oldest):
            """
            The file holds version \(version) of '\(kind)', the codec reads from version \(oldest) on. Add \
            'upcasting(from: \(oldest - 1))' and so on down to \(version).
            """
        case .tooNew(let kind, let version, let newest):
            """
            The file holds version \(version) of '\(kind)', this program knows versions up to \(newest). Read it with \
            the newer program that wrote it.
            """
        case .otherEncoding(let kind, let version, let written, let expected):
            """
            The file holds version \(version) of '\(kind)' as \(written), the codec reads it as \(expected). Use the \
            codec that wrote it, as 'upcasting(from:)' of the next version.
            """
        case .otherLayout(let kind, let version, let written, let expected):
            """
            The type of '\(kind)' has changed, but not its version \(version). Give it version \(version + 1), and \
            keep the old type for 'upcasting(from: \(version))'. Written:
            \(written)
            Now:
            \(expected)
            """
        }
    }
}
