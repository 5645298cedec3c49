// SPDX-License-Identifier: Apache-2.0

/// Turns texts of a log into HTML.
///
/// Anybody who sends requests decides what is in a log. So each text is first made plain, as for a terminal: bytes that
/// are not UTF-8, control characters and formatting characters (which may reverse the direction of writing) become
/// escapes. Then the characters that have a meaning in HTML are escaped. No text of the log gets into an address, a
/// script or a style.
enum HTMLText {
    /// The most scalars of a text that are shown. A path may have a million.
    private static let longest = 300

    static func of(_ text: KeyText) -> String { of(KeyText(bytes: Array(text.bytes.prefix(longest * 4))).printable) }

    /// Escapes a text that is plain already.
    static func of(_ text: String) -> String {
        var result = ""
        var count = 0
        // Scalars, not characters: a "<" with an accent is one character, which is not equal to "<".
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= longest else { return result + "…" }
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
