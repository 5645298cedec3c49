// SPDX-License-Identifier: Apache-2.0

/// The part of a text whose escape sequences are undone.
enum EscapedPart {
    case insideQuotes, outsideQuotes, everywhere
}

/// Undoes the escape sequences of a printed text: `say("a\"b")` becomes `say("a"b")`. `part` selects where: inside
/// quotes, as a backslash elsewhere may be no escape; outside of them, for a text with a quote that begins no string;
/// or everywhere.
///
/// The result shows nothing more than the printed text, so it may be passed to a redaction. Takes time in proportion to
/// the length of the text.
func withoutEscapes(_ text: String, _ part: EscapedPart = .insideQuotes) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = String.UnicodeScalarView()
    var isWanted = part != .insideQuotes
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        if scalar == "\\", let (meant, length) = escapeSequence(rest) {
            // An escaped quote begins and ends no string, also where escapes stay.
            if isWanted {
                result.append(meant)
            } else {
                result.append(scalar)
                result.append(contentsOf: rest.prefix(length))
            }
            rest.removeFirst(length)
        } else {
            if scalar == "\"", part != .everywhere { isWanted.toggle() }
            result.append(scalar)
        }
    }
    return String(result)
}

/// Returns the character of an escape sequence, and the length of the sequence without its backslash; nil if it is no
/// escape sequence. `rest` begins after the backslash.
private func escapeSequence(_ rest: Substring.UnicodeScalarView) -> (meant: Unicode.Scalar, length: Int)? {
    switch rest.first {
    case "\"", "\\", "'": return rest.first.map { ($0, 1) }
    case "n": return ("\n", 1)
    case "r": return ("\r", 1)
    case "t": return ("\t", 1)
    case "0": return ("\0", 1)
    case "u":
        let digits = rest.dropFirst(2).prefix(9).prefix { $0 != "}" }
        guard rest.dropFirst().first == "{", rest.dropFirst(2 + digits.count).first == "}",
            digits.allSatisfy(\.properties.isASCIIHexDigit),
            let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
        else { return nil }
        return (scalar, digits.count + 3)
    default: return nil
    }
}
