// SPDX-License-Identifier: Apache-2.0

/// A text as it is printed, and as it was before its strings were quoted: a redaction looks for a secret as it is.
///
/// Two texts are equal if what they stand for is: what a description hides counts, too, by its hash.
struct LogText: Hashable {
    /// Clean: no payload can look like a line of its own.
    let shown: String
    /// Nil: the same.
    let unescaped: String?
    /// A hash of what the text stands for and does not show; 0: nothing. Never printed.
    let hidden: Int

    init(_ shown: String, unescaped: String? = nil, hidden: Int = 0) {
        self.shown = shown
        self.unescaped = unescaped
        self.hidden = hidden
    }

    /// Of any text, which is escaped.
    init(escaping text: String, hidden: Int = 0) {
        let shown = escapedForLog(text)
        // By bytes: it costs less than a comparison of characters.
        self.init(shown, unescaped: shown.utf8.elementsEqual(text.utf8) ? nil : text, hidden: hidden)
    }

    /// Of a string, which is quoted.
    init(quoting text: String) {
        let shown = escapedForLog(text.debugDescription)
        let isLonger = shown.utf8.count != text.utf8.count + 2
        self.init(shown, unescaped: isLonger ? "\"\(text)\"" : nil)
    }

    /// The text that a redaction lets out, on one line.
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
