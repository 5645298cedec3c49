// SPDX-License-Identifier: Apache-2.0

/// The fields of one line that the analysis uses. The slices point into the chunk and are valid only as long as it.
struct ParsedLine {
    /// A part of the line.
    typealias Slice = UnsafeBufferPointer<UInt8>

    var host = Slice(start: nil, count: 0)
    var method = Slice(start: nil, count: 0)
    var path = Slice(start: nil, count: 0)
    /// Minutes since 1970-01-01 00:00 UTC.
    var minute: Int64 = 0
    var status: UInt16 = 0
    /// The bytes that were sent; 0 for `-`.
    var size: UInt64 = 0
}

/// The fields of one line that only the page of the log shows. They are empty where the layout has none. They are apart
/// from the others, so that runs without a page do not copy them.
struct ClientFields {
    var referer = ParsedLine.Slice(start: nil, count: 0)
    var agent = ParsedLine.Slice(start: nil, count: 0)
    /// The virtual host.
    var site = ParsedLine.Slice(start: nil, count: 0)
}
