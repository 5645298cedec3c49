// SPDX-License-Identifier: Apache-2.0

extension RecursiveDiff {
    mutating func compareElements(
        _ before: Any,
        _ after: Any,
        _ old: Mirror,
        _ new: Mirror,
        _ path: LogText
    ) {
        if let elements = before as? any ElementParts { return compareElements(elements, after, path) }
        let (oldElements, newElements) = (old.children.makeIterator(), new.children.makeIterator())
        var index = 0
        while lines.count <= mostLines, placesLeft > 0 {
            var place: LogText { path + "[\(index)]" }
            switch (oldElements.next(), newElements.next()) {
            case (let before?, let after?): compare(before.value, after.value, path: place)
            case (let before?, nil): put(place, text(before.value), Self.absent)
            case (nil, let after?): put(place, Self.absent, text(after.value))
            case (nil, nil): return
            }
            index += 1
        }
    }

    /// Skips the equal elements at both ends, so that an insertion is one line. The elements between are compared index
    /// by index.
    private mutating func compareElements(_ before: any ElementParts, _ after: Any, _ path: LogText) {
        guard let difference = before.difference(to: after, places: &placesLeft) else { return }
        var (from, to) = (difference.old.lowerBound, difference.new.lowerBound)
        while lines.count <= mostLines, placesLeft > 0 {
            let (isOld, isNew) = (from < difference.old.upperBound, to < difference.new.upperBound)
            if isOld, isNew {
                compare(before.element(at: from), difference.after.element(at: to), path: path + "[\(to)]")
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
                put(path + "[\(from)]", text(before.element(at: from)), Self.absent)
                from += 1
            } else if isNew {
                put(path + "[\(to)]", Self.absent, text(difference.after.element(at: to)))
                to += 1
            } else {
                return
            }
        }
    }

    mutating func compareParts(_ before: Any, _ after: Any, _ path: LogText, isSet: Bool) {
        for (label, change) in namedChanges(before, after, isSet: isSet) {
            let place = isSet ? path : path + "[" + label + "]"
            switch (change.before, change.after) {
            case (let old?, let new?) where isSet:
                let (old, new) = (text(old), text(new))
                if old != new { put(place, old, new) }
            case (let old?, let new?): compare(old, new, path: place)
            case (let old?, nil): put(place, text(old), Self.absent)
            case (nil, let new?): put(place, Self.absent, text(new))
            case (nil, nil): break
            }
            guard lines.count <= mostLines else { return }
        }
    }

    /// Returns the differences, sorted by the texts of the keys. The text is only for the reader: several keys may have
    /// the same.
    private mutating func namedChanges(
        _ before: Any,
        _ after: Any,
        isSet: Bool
    ) -> [(label: LogText, change: KeyedChange)] {
        var changes = (before as? any KeyedParts)?.changes(to: after, places: &placesLeft)
        if changes == nil {
            let old = keyedParts(Mirror(reflecting: before), isSet: isSet, places: &placesLeft)
            let new = keyedParts(Mirror(reflecting: after), isSet: isSet, places: &placesLeft)
            changes = old.changes(to: new, places: &placesLeft)
        }
        var named: [(label: LogText, change: KeyedChange)] = []
        // Keys that do not even equal themselves are matched by their text.
        var removed: [LogText: [Int]] = [:]
        for change in changes ?? [] {
            guard placesLeft > 0 else { break }
            placesLeft -= 1
            let label = (change.key as? AnyHashable)?.base as? LogText ?? text(change.key)
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
