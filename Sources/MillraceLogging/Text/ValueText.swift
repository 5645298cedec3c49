// SPDX-License-Identifier: Apache-2.0

/// The text of a value in a line.
struct ValueText {
    let whole: SpelledText
    /// What is printed: without the parts of the value, if a filter names one of them.
    let shown: SpelledText

    init(_ whole: SpelledText, shown: SpelledText? = nil) {
        self.whole = whole
        self.shown = shown ?? whole
    }
}

// A line may have a whole value, for example an element that was added. A filter for a part of this value matches only
// lines of that part, so this line is not left out. But it must not print the part either.
extension RecursiveDiff {
    /// The text of a value that only one side has.
    mutating func text(of value: Any, at path: SpelledText) -> ValueText {
        let (inner, optionals) = counted(value)
        return valueText(text(of: value), inner, optionals, at: path)
    }

    /// The text of a value inside `optionals` optionals that the path does not name.
    func valueText(_ whole: SpelledText, _ value: Any, _ optionals: Int, at path: SpelledText) -> ValueText {
        guard isPartFiltered(of: value, at: path + spellings.some(optionals)) else { return ValueText(whole) }
        let short = LogText(headText(value, Mirror(reflecting: value)) + "(…)")
        return ValueText(whole, shown: spellings.value(value, short, optionals: optionals))
    }

    /// Whether a filter names a part of a value.
    func isPartFiltered(of value: Any, at path: SpelledText) -> Bool {
        guard !filters.isEmpty else { return false }
        var search = FilteredPart(spellings: spellings, isFiltered: isFiltered)
        return search.isFound(in: value, at: path)
    }
}
