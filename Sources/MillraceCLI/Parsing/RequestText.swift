// SPDX-License-Identifier: Apache-2.0

/// The request line of HTTP as a field of its own: `METHOD target PROTOCOL`.
enum RequestText {
    typealias Slice = ParsedLine.Slice

    /// Returns the method and the target. `-` means that the server got no request line: both are `-`. Nil if the text
    /// is not a request.
    static func parts(_ text: Slice) -> (method: Slice, target: Slice)? {
        if text.count == 1, text[0] == Byte.dash { return (text, text) }
        guard let first = text.firstIndex(of: Byte.space), let last = text.lastIndex(of: Byte.space), last > first + 1
        else { return nil }
        let method = Slice(rebasing: text[..<first])
        let target = Slice(rebasing: text[(first + 1)..<last])
        guard isMethod(method), !target.contains(Byte.space), isProtocol(Slice(rebasing: text[(last + 1)...]))
        else { return nil }
        return (method, target)
    }

    /// Returns whether a text is one or more token characters of RFC 9110.
    static func isMethod(_ text: Slice) -> Bool {
        !text.isEmpty && text.allSatisfy(LineParser.isTokenCharacter)
    }

    /// Returns whether a text is letters, a slash, digits and dots.
    private static func isProtocol(_ text: Slice) -> Bool {
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")), slash > 0, slash + 1 < text.count,
            text[slash + 1] &- Byte.zero < 10
        else { return false }
        return text[..<slash].allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
            && text[(slash + 1)...].allSatisfy { $0 &- Byte.zero < 10 || $0 == UInt8(ascii: ".") }
    }
}
