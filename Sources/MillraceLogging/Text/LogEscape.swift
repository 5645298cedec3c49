// SPDX-License-Identifier: Apache-2.0

/// The text with every character escaped that would begin a new line, move the cursor or turn the order of letters:
/// what comes from outside cannot look like a line of its own.
///
/// Control characters, the line and paragraph separators, and the marks of bidirectional text; `\n`, `\r`, `\t`, others
/// as `\u{1B}`. A text without any is returned as it is.
func escapedForLog(_ text: String) -> String {
    // Of all these the UTF-8 begins so; nearly all texts have none.
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
