// SPDX-License-Identifier: Apache-2.0

/// A type whose values are in a file: its name, version and encoding.
public struct RecordType: Hashable, Sendable {
    /// The name, for reports and errors only: it is not used to find a codec.
    public var name: String
    /// The version of the type, from 1.
    public var version: Int
    /// How its values are encoded.
    public var encoding: RecordEncoding
    /// The layout of the values as a text, if the encoding depends on it; else empty.
    public var layout: String
    /// The 64-bit FNV-1a hash of the layout's UTF-8 bytes; 0 without a layout.
    public var fingerprint: UInt64

    /// Creates a type; its fingerprint is that of `layout`.
    public init(name: String, version: Int, encoding: RecordEncoding, layout: String = "") {
        self.init(
            name: name,
            version: version,
            encoding: encoding,
            layout: layout,
            fingerprint: layout.isEmpty ? 0 : LayoutText.fingerprint(of: layout)
        )
    }

    init(name: String, version: Int, encoding: RecordEncoding, layout: String, fingerprint: UInt64) {
        self.name = name
        self.version = version
        self.encoding = encoding
        self.layout = layout
        self.fingerprint = fingerprint
    }
}
