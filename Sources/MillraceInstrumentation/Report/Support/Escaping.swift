// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Escapes names for the output formats. Names come from the measured program, and may contain any characters.
enum Escaping {
    /// For a terminal: escapes characters that control a terminal or change the text direction; at most 48 characters.
    static func plain(_ text: String) -> String {
        let result = replacing(text) { scalar in
            scalar.steersTerminals ? "\\u{\(String(scalar.value, radix: 16))}" : nil
        }
        return result.count > 48 ? result.prefix(47) + "…" : result
    }

    /// A JSON string with its quotes. `<` is escaped, so that the text is safe in a script element of a page.
    static func json(_ text: String) -> String {
        let result = replacing(text) { scalar in
            switch scalar {
            case "\"": return "\\\""
            case "\\": return "\\\\"
            case "\n": return "\\n"
            case "\t": return "\\t"
            case "<", "\u{7F}", "\u{2028}", "\u{2029}", "\0"..<" ":
                return scalar.escapedForJSON
            default: return nil
            }
        }
        return "\"" + result + "\""
    }

    /// The value of a Prometheus label, without quotes.
    static func label(_ text: String) -> String {
        replacing(text) { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            default: nil
            }
        }
    }

    /// For HTML: as text, or in an attribute.
    static func html(_ text: String) -> String {
        replacing(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }

    /// Returns the text with some of its scalars replaced.
    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// A part of a file name: letters, digits, `-` and `_`; at most 80 characters.
    static func fileName(_ text: String) -> String {
        let kept = text.unicodeScalars.prefix(80).map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": Character(scalar)
            default: "_"
            }
        }
        return kept.isEmpty ? "_" : String(kept)
    }
}
