// SPDX-License-Identifier: Apache-2.0

/// The fields of one line that the analysis uses. A slice points into the chunk, or into memory of the parser that made
/// it. It is valid until the parser reads the next line.
struct ParsedLine {
    /// The bytes of a field.
    typealias Slice = UnsafeBufferPointer<UInt8>

    var host = Slice(start: nil, count: 0)
    var method = Slice(start: nil, count: 0)
    var path = Slice(start: nil, count: 0)
    /// Minutes since 1970-01-01 00:00 UTC.
    var minute: Int64 = 0
    var status: UInt16 = 0
    /// The number of bytes that the server sent; 0 for `-`.
    var size: UInt64 = 0
}

/// The fields of one line that only the page of the log shows. A field that the format does not have is empty. These
/// fields have a type of their own, so that runs without a page do not read them.
struct ClientFields {
    var referer = ParsedLine.Slice(start: nil, count: 0)
    var agent = ParsedLine.Slice(start: nil, count: 0)
    /// The name of the virtual host.
    var site = ParsedLine.Slice(start: nil, count: 0)
}
