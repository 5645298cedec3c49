// SPDX-License-Identifier: Apache-2.0

extension RecursiveDiff {
    /// A change with the text of its key.
    typealias NamedChange = (label: LogText, change: KeyedChange)

    mutating func compareElements(
        _ before: Any,
        _ after: Any,
        _ old: Mirror,
        _ new: Mirror,
        _ path: SpelledText
    ) {
        if let elements = before as? any ElementParts { return compareElements(elements, after, path) }
        let (oldElements, newElements) = (old.children.makeIterator(), new.children.makeIterator())
        let spellings = spellings
        var index = 0
        while lines.count <= mostLines, placesLeft > 0 {
            var place: SpelledText { path + spellings.element(index) }
            switch (oldElements.next(), newElements.next()) {
            case (let before?, let after?): compare(before.value, after.value, path: place)
            case (let before?, nil): putOnly(place, before: before.value)
            case (nil, let after?): putOnly(place, after: after.value)
            case (nil, nil): return
            }
            index += 1
        }
    }

    /// Skips the equal elements at both ends, so that an insertion is one line. The elements between are compared index
    /// by index.
    private mutating func compareElements(_ before: any ElementParts, _ after: Any, _ path: SpelledText) {
        guard let difference = before.difference(to: after, places: &placesLeft) else { return }
        let spellings = spellings
        var (from, to) = (difference.old.lowerBound, difference.new.lowerBound)
        while lines.count <= mostLines, placesLeft > 0 {
            let (isOld, isNew) = (from < difference.old.upperBound, to < difference.new.upperBound)
            if isOld, isNew {
                compare(before.element(at: from), difference.after.element(at: to), path: path + spellings.element(to))
                // The next element that is not the same bit for bit. Both ranges may end before it.
                let same = before.countSame(
                    from: from + 1,
                    as: difference.after,
                    from: to + 1,
                    places: &placesLeft
                )
                let step = min(same + 1, difference.old.upperBound - from, difference.new.upperBound - to)
                (from, to) = (from + step, to + step)
            } else if isOld {
                putOnly(path + spellings.element(from), before: before.element(at: from))
                from += 1
            } else if isNew {
                putOnly(path + spellings.element(to), after: difference.after.element(at: to))
                to += 1
            } else {
                return
            }
        }
    }

    mutating func compareParts(_ before: Any, _ after: Any, _ path: SpelledText, isSet: Bool) {
        let changes = namedChanges(before, after, isSet: isSet)
        guard spellings.shown == .indexed else { return putWhole(before, after, changes, path, isSet: isSet) }
        // A filter for SwiftRex's line of the whole dictionary hides all lines of it.
        if let path = path.other, isFiltered(path + ": " + wholeText(before, after, changes, isSet: isSet)) { return }
        compare(changes, path.shown, isSet: isSet)
    }

    /// Makes a line for each pair or member, in the indexed spelling.
    private mutating func compare(_ changes: [NamedChange], _ path: LogText, isSet: Bool) {
        for (label, change) in changes {
            let place = isSet ? path : path + "[" + label + "]"
            let both = SpelledText(shown: place, other: spellings.hasFilters ? place : nil)
            switch (change.before, change.after) {
            case (let old?, let new?) where isSet:
                let (old, new) = (text(of: old), text(of: new))
                if old.shown != new.shown { put(both, old, new) }
            case (let old?, let new?): compare(old, new, path: both)
            case (let old?, nil): putOnly(both, before: old)
            case (nil, let new?): putOnly(both, after: new)
            case (nil, nil): break
            }
            guard lines.count <= mostLines else { return }
        }
    }

    /// Makes one line for a dictionary or a set, as SwiftRex does. The indexed lines show whether there is a
    /// difference. A filter that matches one of them, or the path of a part of a pair, hides this line, too.
    private mutating func putWhole(
        _ before: Any,
        _ after: Any,
        _ changes: [NamedChange],
        _ path: SpelledText,
        isSet: Bool
    ) {
        let indexed = indexedLines { $0.compare(changes, path.other ?? path.shown, isSet: isSet) }
        guard !indexed.isEmpty, !isPairFiltered(before, after, changes, path, isSet: isSet) else { return }
        let line = path.shown + ": " + wholeText(before, after, changes, isSet: isSet)
        put(line, filteredBy: [line] + indexed)
    }

    /// Whether a filter names a part of a value that the line of the dictionary prints.
    private func isPairFiltered(
        _ before: Any,
        _ after: Any,
        _ changes: [NamedChange],
        _ path: SpelledText,
        isSet: Bool
    ) -> Bool {
        guard !filters.isEmpty, !isSet else { return false }
        for (label, change) in changes {
            let place = path + spellings.text { _ in "[" + label + "]" }
            for value in [change.before, change.after] {
                if let value, isPartFiltered(of: value, at: place) { return true }
            }
        }
        // The line also has the pairs that did not change, if there are few.
        return [before, after].contains {
            Mirror(reflecting: $0).children.count <= Self.mostWhole && isPartFiltered(of: $0, at: path)
        }
    }

    private mutating func wholeText(
        _ before: Any,
        _ after: Any,
        _ changes: [NamedChange],
        isSet: Bool
    ) -> LogText {
        let (old, new) = (Mirror(reflecting: before).children, Mirror(reflecting: after).children)
        let (begin, end) = isSet ? ("<", ">") : ("[", "]")
        let isWhole = old.count <= Self.mostWhole && new.count <= Self.mostWhole
        let (before, after) =
            isWhole
            ? (parts(old, isSet), parts(new, isSet))
            : (
                parts(changes.map { ($0.change.key, $0.change.before) }, of: old, isSet),
                parts(changes.map { ($0.change.key, $0.change.after) }, of: new, isSet)
            )
        return "📦 " + (begin + before + end) + " → " + (begin + after + end)
    }

    /// The most pairs or members that a line names.
    private static var mostWhole: Int { 64 }

    /// Returns the parts of a dictionary or set, sorted by their texts.
    private mutating func parts(_ children: Mirror.Children, _ isSet: Bool) -> LogText {
        var texts: [LogText] = []
        for child in children {
            let pair = isSet ? [] : Array(Mirror(reflecting: child.value).children)
            texts.append(
                pair.count == 2 ? bare(pair[0].value) + ": " + bare(pair[1].value) : bare(child.value)
            )
        }
        return joined(texts.sorted(by: isBefore))
    }

    /// Returns the first 64 of the changed parts, and the number of all other parts.
    private mutating func parts(
        _ changed: [(key: Any, value: Any?)],
        of children: Mirror.Children,
        _ isSet: Bool
    ) -> LogText {
        var texts: [LogText] = []
        for (key, value) in changed {
            guard let value, texts.count < Self.mostWhole else { continue }
            texts.append(isSet ? bare(value) : bare(key) + ": " + bare(value))
        }
        let others = children.count - texts.count
        return joined(texts + (others > 0 ? [LogText("… \(others) others")] : []))
    }

    private func joined(_ texts: [LogText]) -> LogText {
        texts.dropFirst().reduce(texts.first ?? LogText("")) { $0 + ", " + $1 }
    }

    /// Returns the text of a value as in a string interpolation: a string has no quotes.
    private mutating func bare(_ value: Any) -> LogText {
        let (inner, optionals) = counted(value)
        return Spellings(shown: .swiftRex, hasFilters: false).value(inner, line(inner), optionals: optionals).shown
    }

    /// Returns the differences, sorted by the texts of the keys. The text is only for the reader: several keys may have
    /// the same text.
    private mutating func namedChanges(
        _ before: Any,
        _ after: Any,
        isSet: Bool
    ) -> [NamedChange] {
        var changes = (before as? any KeyedParts)?.changes(to: after, places: &placesLeft)
        if changes == nil {
            let old = keyedParts(Mirror(reflecting: before), isSet: isSet, places: &placesLeft)
            let new = keyedParts(Mirror(reflecting: after), isSet: isSet, places: &placesLeft)
            changes = old.changes(to: new, places: &placesLeft)
        }
        var named: [NamedChange] = []
        // Keys that do not equal themselves, such as NaN, are matched by their text.
        var removed: [LogText: [Int]] = [:]
        for change in changes ?? [] {
            guard placesLeft > 0 else { break }
            placesLeft -= 1
            let label = (change.key as? AnyHashable)?.base as? LogText ?? line(change.key)
            if !change.isReflexive {
                if change.before != nil {
                    removed[label, default: []].append(named.count)
                } else if let index = removed[label]?.popLast() {
                    named[index].change.after = change.after
                    continue
                }
            }
            named.append((label, change))
        }
        return named.sorted { $0.label.shown < $1.label.shown }
    }
}
