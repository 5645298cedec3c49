// SPDX-License-Identifier: Apache-2.0

/// Escapes the characters of a text that could begin a new line, move the cursor or change the order of letters. So a
/// text from outside cannot look like a separate line.
///
/// These are control characters, line and paragraph separators, and marks of bidirectional text. They become `\n`,
/// `\r`, `\t`, or a code such as `\u{1B}`. A text without any of them is returned unchanged.
func escapedForLog(_ text: String) -> String {
    // The UTF-8 of all these characters begins with one of these bytes. Nearly all texts have none of them.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }) else {
        return text
    }
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n": escaped += "\\n"
        case "\r": escaped += "\\r"
        case "\t": escaped += "\\t"
        case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
            "\u{2066}"..."\u{2069}":
            escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
