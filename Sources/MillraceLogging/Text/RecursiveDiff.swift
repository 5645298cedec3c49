// SPDX-License-Identifier: Apache-2.0

/// Compares two values part by part, and makes a line for each leaf that differs.
struct RecursiveDiff {
    private(set) var lines: [LogText] = []
    private var prefix: String
    private let name: String
    private(set) var filters: [String]
    private(set) var spellings: Spellings
    let mostLines: Int
    /// The number of parts that may still be compared, because a state may have millions of parts. A line counts as ten
    /// parts, and each part of its texts as one.
    var placesLeft = 1_000_000
    /// The results of the pairs of objects that were compared. Each pair is compared once, because objects may refer to
    /// each other, or be referred to twice.
    private var pairs: [ObjectPair: Verdict] = [:]
    /// The number of differences found, including those that a filter left out.
    private var found = 0
    private var depth = 0

    init(
        _ before: Any,
        _ after: Any,
        name: String,
        prefix: String,
        filters: [String],
        spelling: DiffSpelling,
        mostLines: Int
    ) {
        self.prefix = prefix
        self.name = name
        self.filters = filters
        self.mostLines = mostLines
        spellings = Spellings(shown: spelling, hasFilters: !filters.isEmpty)
        let root = spellings.root(name)
        compare(before, after, path: root, isRoot: true)
        if lines.count > mostLines {
            lines.removeSubrange(mostLines...)
            lines.append(LogText(prefix + "… more than \(mostLines) changes"))
        } else if placesLeft <= 0 {
            lines.append(LogText(prefix + "… the rest of the state was not compared, as it is too large"))
        }
    }

    mutating func compare(
        _ before: Any,
        _ after: Any,
        path makePath: @autoclosure () -> SpelledText,
        isRoot: Bool = false
    ) {
        guard lines.count <= mostLines, placesLeft > 0 else { return }
        placesLeft -= 1
        // Most parts of a state are the same. For these, no path and no mirror are made.
        if areSame(hidden: before, after) { return }
        let change = Change(before, after)
        var path: SpelledText {
            // SwiftRex's lines have another path for a state without fields.
            isRoot && change.pathOptionals == 0
                ? spellings.text { LogText(escaping: $0 == .swiftRex ? "." + name : name) }
                : makePath() + spellings.some(change.pathOptionals)
        }
        let (before, after) = (change.before.value, change.after.value)
        let (oldLeaf, newLeaf) = (leafText(before), leafText(after))
        if let oldLeaf, let newLeaf {
            // They also differ if only the contents differ that a description hides.
            if oldLeaf != newLeaf { put(path, text(change.before, oldLeaf), text(change.after, newLeaf)) }
            return
        }
        guard depth < mostDepth else { return put(path, "… deeper than \(mostDepth) levels, not compared") }
        depth += 1
        defer { depth -= 1 }
        let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        let inside = makePath() + spellings.some(change.pathOptionals)
        let isSameKind = type(of: before) == type(of: after) && old.displayStyle == new.displayStyle
        guard oldLeaf == nil, newLeaf == nil, isSameKind,
            old.displayStyle != .enum || kindOfAnything(before) == kindOfAnything(after)
        else {
            // SwiftRex names a case before in the path, so its filters may, too.
            let payload = old.displayStyle == .enum ? old.children.first : nil
            let filtered = payload.map { inside + spellings.field($0.label, 0) }
            return put(
                path,
                text(change.before, at: inside),
                text(change.after, at: inside),
                alsoFiltered: filtered
            )
        }
        switch old.displayStyle {
        case .collection: compareElements(before, after, old, new, inside)
        case .dictionary, .set: compareParts(before, after, path, isSet: old.displayStyle == .set)
        default:
            if let old = objectIn(before), let new = objectIn(after) { return compareObjects(old, new, inside) }
            let count = found
            compareChildren(old, new, inside)
            if found == count, before is any CustomReflectable, areUnequal(before, after) {
                put(path, "… changed where its mirror shows nothing")
            }
        }
    }

    private mutating func compareObjects(_ before: AnyObject, _ after: AnyObject, _ path: SpelledText) {
        guard before !== after else { return }
        let pair = ObjectPair(before: before, after: after)
        if let verdict = pairs[pair] {
            if verdict == .changed { put(path, "… changed as told above") }
            return
        }
        pairs[pair] = .underWay
        let count = found
        compareChildren(Mirror(reflecting: before), Mirror(reflecting: after), path)
        pairs[pair] = found > count ? .changed : .unchanged
    }

    /// Compares the children by their index. A custom mirror may have more or fewer of them than before.
    private mutating func compareChildren(_ old: Mirror, _ new: Mirror, _ path: SpelledText) {
        if let oldParent = old.superclassMirror, let newParent = new.superclassMirror {
            compareChildren(oldParent, newParent, path)
        }
        let (oldChildren, newChildren) = (old.children.makeIterator(), new.children.makeIterator())
        let spellings = spellings
        var index = 0
        while lines.count <= mostLines, placesLeft > 0 {
            let (before, after) = (oldChildren.next(), newChildren.next())
            var place: SpelledText { path + spellings.field(before?.label ?? after?.label, index) }
            switch (before, after) {
            case (let before?, let after?): compare(before.value, after.value, path: place)
            case (let before?, nil): putOnly(place, before: before.value)
            case (nil, let after?): putOnly(place, after: after.value)
            case (nil, nil): return
            }
            index += 1
        }
    }

    /// Returns a value as text in one line. Its parts count as compared parts, because they take as long.
    mutating func line(_ value: Any) -> LogText { oneLine(value, places: &placesLeft) }

    private func text(_ side: Change.Side, _ text: LogText) -> SpelledText {
        spellings.value(side.value, text, optionals: side.optionals)
    }

    /// Returns the text of a value whose optionals the path does not name.
    mutating func text(of value: Any) -> SpelledText {
        let (value, optionals) = counted(value)
        return spellings.value(value, line(value), optionals: optionals)
    }

    private mutating func text(_ side: Change.Side, at path: SpelledText) -> ValueText {
        valueText(text(side, line(side.value)), side.value, side.optionals, at: path)
    }

    /// Makes a line for a value that was removed.
    mutating func putOnly(_ path: SpelledText, before value: Any) {
        put(path, text(of: value, at: path), ValueText(spellings.absent))
    }

    /// Makes a line for a value that was added.
    mutating func putOnly(_ path: SpelledText, after value: Any) {
        put(path, ValueText(spellings.absent), text(of: value, at: path))
    }

    mutating func put(_ path: SpelledText, _ before: SpelledText, _ after: SpelledText) {
        put(path, before + " → " + after)
    }

    /// A filter is compared with the line of the whole values. If none matches, but one names a part of a value, the
    /// line does not have this part.
    private mutating func put(
        _ path: SpelledText,
        _ before: ValueText,
        _ after: ValueText,
        alsoFiltered: SpelledText? = nil
    ) {
        let line = path + ": " + before.whole + " → " + after.whole
        let filtered = alsoFiltered.map { $0 + ": " + before.whole + " → " + after.whole }
        let shown = path + ": " + before.shown + " → " + after.shown
        put(shown.shown, filteredBy: line.all + (filtered?.all ?? []))
    }

    private mutating func put(_ path: SpelledText, _ note: String) {
        put(path, SpelledText(shown: LogText(note), other: nil))
    }

    private mutating func put(_ path: SpelledText, _ what: SpelledText) {
        let line = path + ": " + what
        put(line.shown, filteredBy: line.all)
    }

    /// Appends a line, unless a filter matches one of the texts.
    mutating func put(_ line: LogText, filteredBy texts: @autoclosure () -> [LogText]) {
        found += 1
        placesLeft -= 10
        if filters.isEmpty || !texts().contains(where: isFiltered) { lines.append(prefix + line) }
    }

    /// Whether a filter matches a text, which has no prefix yet.
    func isFiltered(_ text: LogText) -> Bool {
        let line = prefix + text
        return filters.contains(where: line.contains)
    }

    /// Returns the lines of a part in the indexed spelling, without prefix and filters. Its differences count, too.
    mutating func indexedLines(_ compare: (inout RecursiveDiff) -> Void) -> [LogText] {
        var inner = self
        (inner.lines, inner.filters, inner.prefix) = ([], [], "")
        inner.spellings = Spellings(shown: .indexed, hasFilters: false)
        compare(&inner)
        (placesLeft, pairs, found) = (inner.placesLeft, inner.pairs, inner.found)
        return inner.lines
    }
}

/// Two values without the optionals around them.
private struct Change {
    struct Side {
        let value: Any
        /// The number of optionals around the value that the path does not name.
        let optionals: Int
    }

    let before: Side
    let after: Side
    /// The number of optionals that SwiftRex names in the path: those around both values, and one more if a value
    /// becomes nil.
    let pathOptionals: Int

    init(_ before: Any, _ after: Any) {
        let (old, new) = (counted(before), counted(after))
        let common = min(old.optionals, new.optionals)
        pathOptionals = old.optionals > new.optionals ? common + 1 : common
        self.before = Side(value: old.value, optionals: max(0, old.optionals - pathOptionals))
        self.after = Side(value: new.value, optionals: max(0, new.optionals - pathOptionals))
    }
}

/// Two objects that were compared. The pair retains them, so that no other object gets the address of one of them.
private struct ObjectPair: Hashable {
    let before: AnyObject
    let after: AnyObject

    static func == (left: ObjectPair, right: ObjectPair) -> Bool {
        left.before === right.before && left.after === right.after
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(before))
        hasher.combine(ObjectIdentifier(after))
    }
}

private enum Verdict {
    case underWay, unchanged, changed
}

/// Returns whether two values differ by the `==` of their type. False for values that do not equal themselves.
private func areUnequal(_ left: Any, _ right: Any) -> Bool {
    func areUnequalHere<Value: Equatable>(_ left: Value) -> Bool {
        guard let right = right as? Value else { return false }
        return left != right && left == left && right == right
    }
    return (left as? any Equatable).map { areUnequalHere($0) } ?? false
}
