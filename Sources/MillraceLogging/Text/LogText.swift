// SPDX-License-Identifier: Apache-2.0

/// A text as it is printed, and the same text before its strings were quoted: a redaction must see a secret unchanged.
///
/// Two texts are equal if their values are equal. The contents that a description hides count too, by their hash.
struct LogText: Hashable {
    /// The printed text. It is escaped, so no payload can look like a line of its own.
    let shown: String
    /// The text before it was escaped; nil if it is the same.
    let unescaped: String?
    /// A hash of the contents that the text does not show; 0: none. It is never printed.
    let hidden: Int

    init(_ shown: String, unescaped: String? = nil, hidden: Int = 0) {
        self.shown = shown
        self.unescaped = unescaped
        self.hidden = hidden
    }

    /// Creates a text, and escapes it.
    init(escaping text: String, hidden: Int = 0) {
        let shown = escapedForLog(text)
        // Compares bytes, because that costs less than comparing characters.
        self.init(shown, unescaped: shown.utf8.elementsEqual(text.utf8) ? nil : text, hidden: hidden)
    }

    /// Creates a text from a string, and quotes it.
    init(quoting text: String) {
        let shown = escapedForLog(text.debugDescription)
        let isLonger = shown.utf8.count != text.utf8.count + 2
        self.init(shown, unescaped: isLonger ? "\"\(text)\"" : nil)
    }

    /// Returns the text that the redaction allows, on one line.
    func redacted(by redaction: ((String) -> String)?) -> String {
        guard let redaction else { return escapedForLog(shown) }
        if let unescaped {
            let redacted = redaction(unescaped)
            if redacted != unescaped { return escapedForLog(redacted) }
        }
        return escapedForLog(redaction(shown))
    }

    static func + (left: LogText, right: LogText) -> LogText {
        let isSame = left.unescaped == nil && right.unescaped == nil
        return LogText(
            left.shown + right.shown,
            unescaped: isSame ? nil : (left.unescaped ?? left.shown) + (right.unescaped ?? right.shown),
            hidden: left.hidden &* 31 &+ right.hidden
        )
    }

    static func + (left: String, right: LogText) -> LogText { LogText(left) + right }
    static func + (left: LogText, right: String) -> LogText { left + LogText(right) }
}
