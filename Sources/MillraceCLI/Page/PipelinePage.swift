// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the page of the pipeline is. It is in the same folder as the page of the log, and the two link to each other.
struct PipelinePage: Equatable, Sendable {
    /// Where the page is written.
    let path: String
    /// The relative addresses of the page of the pipeline and of the page of the log.
    let address: String
    let logAddress: String

    /// Finds the place for a page of the log at `path`: `access.pipeline.html` beside `access.html`. Nil if `path` is a
    /// pipe or a device.
    init?(beside path: String) {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG, facts.st_mode & S_IFMT != S_IFDIR { return nil }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[start...]
        let end = [".html", ".htm"].first { name.hasSuffix($0) && name.count > $0.count } ?? ""
        let other = name.dropLast(end.count) + ".pipeline" + (end.isEmpty ? ".html" : end)
        self.path = String(path[..<start] + other)
        address = Self.encoded(other)
        logAddress = Self.encoded(name)
    }

    /// Returns a name of a file as a relative address: all bytes but letters, digits, `-`, `_` and `.` are encoded.
    private static func encoded(_ name: Substring) -> String {
        let digits = Array("0123456789ABCDEF")
        // The text before a colon in a name would otherwise be taken for the scheme of an address.
        return name.utf8.reduce(into: "./") { address, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), Byte.dash, UInt8(ascii: "_"), UInt8(ascii: "."):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default: address += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
