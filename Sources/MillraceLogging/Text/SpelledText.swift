// SPDX-License-Identifier: Apache-2.0

/// A part of a line in the spelling of the diff. If there are filters, also in the other spelling, because a filter
/// that was written for one spelling hides the same line in the other.
struct SpelledText {
    let shown: LogText
    /// In the other spelling; nil if there are no filters.
    let other: LogText?

    static func + (left: SpelledText, right: SpelledText) -> SpelledText {
        SpelledText(shown: left.shown + right.shown, other: left.other.map { $0 + (right.other ?? right.shown) })
    }

    static func + (left: SpelledText, right: String) -> SpelledText {
        left + SpelledText(shown: LogText(right), other: nil)
    }

    /// The texts that a filter may match.
    var all: [LogText] { [shown] + (other.map { [$0] } ?? []) }
}

/// The spellings that one diff needs.
struct Spellings {
    let shown: DiffSpelling
    let hasFilters: Bool

    func text(_ make: (DiffSpelling) -> LogText) -> SpelledText {
        SpelledText(shown: make(shown), other: hasFilters ? make(shown.other) : nil)
    }

    /// The name of the state, as it begins the path of a field.
    func root(_ name: String) -> SpelledText {
        text { LogText(escaping: $0 == .swiftRex ? " " + name : name) }
    }

    /// A field; `label` is the label in the mirror.
    func field(_ label: String?, _ index: Int) -> SpelledText {
        text { spelling in
            spelling == .swiftRex
                ? LogText(escaping: "." + (label ?? "#")) : LogText("." + labelText(label, index))
        }
    }

    func element(_ index: Int) -> SpelledText {
        text { LogText($0 == .swiftRex ? ".#" : "[\(index)]") }
    }

    /// The part of a path that leads into `count` optionals.
    func some(_ count: Int) -> SpelledText {
        text { LogText($0 == .swiftRex ? String(repeating: ".some", count: count) : "") }
    }

    /// The text of a value that one side does not have.
    var absent: SpelledText { text { LogText($0 == .swiftRex ? "nil" : "∅") } }

    /// The text of a value inside `optionals` optionals that the path does not name.
    func value(_ value: Any, _ text: LogText, optionals: Int) -> SpelledText {
        self.text { spelling in
            guard spelling == .swiftRex else { return text }
            guard optionals == 0 else {
                let (begin, end) = (
                    String(repeating: "Optional(", count: optionals), String(repeating: ")", count: optionals)
                )
                return begin + text + end
            }
            return (value as? any StringProtocol).map { LogText(escaping: String($0)) } ?? text
        }
    }
}
