// SPDX-License-Identifier: Apache-2.0

/// A line in the notation of nginx's `log_format`. A whole directive, as it stands in nginx.conf, is understood too:
/// `log_format main '$remote_addr …' '…';`
struct LogFormatLine: Equatable, Sendable {
    let text: String

    private static let directive = Array("log_format".utf8)

    /// Returns the argument whose text is `text`. If the text begins like a directive, that is a directive which has the
    /// text in quotes.
    static func argument(of text: String) -> String {
        guard beginsDirective(Array(text.utf8)) else { return text }
        var quoted = ""
        for character in text.unicodeScalars {
            if character == "'" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return "log_format log '\(quoted)';"
    }

    init(_ argument: String) throws(FormatError) {
        let bytes = Array(argument.utf8)
        let text = Self.beginsDirective(bytes) ? try Self.parts(of: bytes, from: Self.directive.count) : bytes
        guard text.contains(where: { !Self.isBlank($0) }) else { throw .empty }
        if let place = text.firstIndex(where: { ($0 < 0x20 && $0 != Byte.tab) || $0 == 0x7F }) {
            throw .controlCharacter(place: place + 1)
        }
        self.text = String(decoding: text, as: UTF8.self)
    }

    private static func beginsDirective(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: directive) && bytes.count > directive.count && isBlank(bytes[directive.count])
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == Byte.space || byte == Byte.tab || byte == Byte.newline || byte == Byte.carriageReturn
    }

    /// Returns the quoted parts of a directive, joined. The name and `escape=…` are not quoted.
    private static func parts(of bytes: [UInt8], from start: Int) throws(FormatError) -> [UInt8] {
        var text: [UInt8] = []
        var place = start
        var words = 0
        while place < bytes.count {
            let byte = bytes[place]
            if isBlank(byte) || byte == UInt8(ascii: ";") {
                place += 1
                continue
            }
            guard byte == Byte.quote || byte == UInt8(ascii: "'") else {
                let end = bytes[place...].firstIndex { isBlank($0) || $0 == UInt8(ascii: ";") } ?? bytes.count
                let word = bytes[place..<end]
                // The first word is the name of the format; a later one may be an unquoted part.
                if words > 0, !word.starts(with: Array("escape=".utf8)) { text += word }
                words += 1
                place = end
                continue
            }
            var end = place + 1
            while end < bytes.count, bytes[end] != byte {
                if bytes[end] == Byte.backslash, end + 1 < bytes.count { end += 1 }
                text.append(bytes[end])
                end += 1
            }
            guard end < bytes.count else { throw .quotes(place: place + 1) }
            place = end + 1
        }
        return text
    }
}
