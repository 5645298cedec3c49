// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether the character controls a terminal, begins a new line, or changes the direction of text.
    package var steersTerminals: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The character as JSON writes what it cannot hold as it is: `\u001b`, or two of these beyond U+FFFF.
    package var escapedForJSON: String {
        UTF16.encode(self)!.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

extension String {
    /// The text for one line of a terminal: characters that steer a terminal are written as `\n`, `\t` or `\u{1b}`.
    ///
    /// So a text from outside cannot begin a line or change what is on the screen. A terminal still wraps a long line. A
    /// backslash stays as it is, so a text can hold `\u{1b}` by itself.
    package var visible: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.steersTerminals: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
