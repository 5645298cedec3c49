// SPDX-License-Identifier: Apache-2.0

/// A text as it is printed, and the same text before its strings were quoted: a redaction must see a secret unchanged.
///
/// Two texts are equal if their values are equal. The contents that a description hides count too, by their hash.
struct LogText: Hashable {
    /// The printed text. It is escaped, so no payload can look like a line of its own.
    let shown: String
    /// The text before it was escaped; nil if it is the same.
    let unescaped: String?
    /// As `unescaped`, but in descriptions the text inside quotes is taken for the text outside of them; nil if it is
    /// the same as `unescaped`. See `init(described:hidden:)`.
    let otherwise: String?
    /// A hash of the contents that the text does not show; 0: none. It is never printed.
    let hidden: Int

    init(_ shown: String, unescaped: String? = nil, otherwise: String? = nil, hidden: Int = 0) {
        self.shown = shown
        self.unescaped = unescaped
        self.otherwise = otherwise
        self.hidden = hidden
    }

    /// Creates a text, and escapes it.
    init(escaping text: String, hidden: Int = 0) {
        let shown = escapedForLog(text)
        self.init(shown, unescaped: areSameBytes(shown, text) ? nil : text, hidden: hidden)
    }

    /// Creates a text from a description, which may have quoted and escaped strings in it: `names: ["a\"b"]`.
    ///
    /// A description may also have a quote of its own: `5", ["a\"b"]`. Nothing in it tells which quotes begin a string.
    /// So the text is unescaped twice: between the quotes, and outside of them. Each string is unescaped in one of the
    /// two, and left as it is in the other.
    init(described text: String, hidden: Int = 0) {
        let shown = escapedForLog(text)
        let unescaped = withoutEscapes(text)
        let otherwise = withoutEscapes(text, .outsideQuotes)
        self.init(
            shown,
            unescaped: areSameBytes(shown, unescaped) ? nil : unescaped,
            otherwise: areSameBytes(unescaped, otherwise) ? nil : otherwise,
            hidden: hidden
        )
    }

    /// Creates a text from a string, and quotes it.
    init(quoting text: String) {
        let shown = escapedForLog(text.debugDescription)
        let isLonger = shown.utf8.count != text.utf8.count + 2
        self.init(shown, unescaped: isLonger ? "\"\(text)\"" : nil)
    }

    static func + (left: LogText, right: LogText) -> LogText {
        let isSame = left.unescaped == nil && right.unescaped == nil
        let isOnly = left.otherwise == nil && right.otherwise == nil
        let (first, second) = (left.unescaped ?? left.shown, right.unescaped ?? right.shown)
        return LogText(
            left.shown + right.shown,
            unescaped: isSame ? nil : first + second,
            otherwise: isOnly ? nil : (left.otherwise ?? first) + (right.otherwise ?? second),
            hidden: left.hidden &* 31 &+ right.hidden
        )
    }

    static func + (left: String, right: LogText) -> LogText { LogText(left) + right }
    static func + (left: LogText, right: String) -> LogText { left + LogText(right) }
}

// MARK: Filters

extension LogText {
    /// Whether a filter is in the text, as it is printed or as it was before its strings were escaped.
    func contains(_ filter: String) -> Bool {
        shown.contains(filter) || unescaped?.contains(filter) == true || otherwise?.contains(filter) == true
    }
}

// MARK: Redaction

extension LogText {
    /// Returns the text that the redaction allows, on one line.
    ///
    /// The redaction gets the text unescaped, then unescaped otherwise, then as it is printed, until it changes one of
    /// them. What it returned may still have escaped strings, or may read differently once it is printed. So the
    /// redaction also gets these forms of its own result, unless it changes its results again and again, as one does
    /// that puts a prefix before each line.
    func redacted(by redaction: ((String) -> String)?) -> String {
        guard let redaction else { return escapedForLog(shown) }
        let forms = [unescaped, otherwise, shown].compactMap { $0 }
        guard let redacted = Self.firstChanged(forms, by: redaction) else { return escapedForLog(shown) }
        return Self.settled(redacted, by: redaction)
    }

    /// Returns what the redaction makes of the first text that it changes; nil if it changes none.
    private static func firstChanged(_ texts: [String], by redaction: (String) -> String) -> String? {
        for text in texts {
            let redacted = redaction(text)
            if !areSameBytes(redacted, text) { return redacted }
        }
        return nil
    }

    /// Returns a redacted text as it is printed, after the redaction has left all of its forms as they are.
    private static func settled(_ redacted: String, by redaction: (String) -> String) -> String {
        var text = redacted
        // A bound, because each round calls the redaction. Mostly one round is enough: it undoes all escapes at once.
        for round in 0..<4 {
            let forms = [
                escapedForLog(text), withoutEscapes(text, .everywhere), withoutEscapes(text),
                withoutEscapes(text, .outsideQuotes),
            ]
            .filter { !areSameBytes($0, text) }
            if forms.isEmpty || round == 0 && !areSameBytes(redaction(text), text) { return escapedForLog(text) }
            guard let changed = firstChanged(forms, by: redaction) else { return escapedForLog(text) }
            text = changed
        }
        // What is left may have a secret in it.
        return "… a line that its redaction changed again and again"
    }
}

/// Compares bytes, because that costs less than comparing characters.
private func areSameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
