// SPDX-License-Identifier: Apache-2.0

/// A text as it is printed, and the same text before it was escaped, because a redaction must see a secret unchanged.
///
/// Two texts are equal if their values are equal. A hash of the contents that a description hides is compared, too.
struct LogText: Hashable {
    /// The printed text. It is escaped, so no payload can look like a line of its own.
    let shown: String
    /// The text before it was escaped; nil if it is the same.
    let unescaped: String?
    /// The text with the parts outside of quotes unescaped, and not those inside; nil if it is the same as `unescaped`.
    /// See `init(described:hidden:)`.
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
    /// A description may also contain a quote that begins no string: `5", ["a\"b"]`. Nothing shows which quotes begin a
    /// string. So the text is unescaped twice: once between the quotes, and once outside of them. A string may stay
    /// escaped in both results if a backslash that is no escape stands before such a quote. Therefore a redaction also
    /// gets the text with all escapes undone.
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
    /// Whether the text contains a filter, as it is printed or in one of its unescaped forms.
    func contains(_ filter: String) -> Bool {
        shown.contains(filter) || unescaped?.contains(filter) == true || otherwise?.contains(filter) == true
            || everywhere?.contains(filter) == true
    }

    /// The text with all escapes undone, also where a backslash may be no escape; nil if it has none.
    private var everywhere: String? {
        let text = withoutEscapes(shown, .everywhere)
        return areSameBytes(text, shown) ? nil : text
    }
}

// MARK: Redaction

extension LogText {
    /// Returns the text that the redaction allows, on one line.
    ///
    /// The redaction gets `unescaped`, then `otherwise`, then `shown`, then the text with all escapes undone, until it
    /// changes one of them. Its result may still contain escaped strings, or change when it is escaped for printing. So the redaction also gets these forms
    /// of its result. It does not get them if it changes its own result, as a redaction does that adds a prefix.
    func redacted(by redaction: ((String) -> String)?) -> String {
        guard let redaction else { return escapedForLog(shown) }
        let forms = [unescaped, otherwise, shown, everywhere].compactMap { $0 }
        guard let redacted = Self.firstChanged(forms, by: redaction) else { return escapedForLog(shown) }
        return Self.settled(redacted, by: redaction)
    }

    /// Returns the redaction's result for the first text that it changes; nil if it changes none.
    private static func firstChanged(_ texts: [String], by redaction: (String) -> String) -> String? {
        for text in texts {
            let redacted = redaction(text)
            if !areSameBytes(redacted, text) { return redacted }
        }
        return nil
    }

    /// Applies the redaction to the forms of its result until it changes none of them. Returns the text as it is
    /// printed.
    private static func settled(_ redacted: String, by redaction: (String) -> String) -> String {
        var text = redacted
        // The number of rounds is limited, because each round calls the redaction. Mostly one round is enough, because
        // it undoes all escapes at once.
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
        // The text may still contain a secret, so it is not printed.
        return "… a line that its redaction changed again and again"
    }
}

/// Compares bytes, because that costs less than comparing characters.
private func areSameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
