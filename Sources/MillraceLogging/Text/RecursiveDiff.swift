// SPDX-License-Identifier: Apache-2.0

/// Goes through two values side by side, and makes a line of each leaf that differs.
struct RecursiveDiff {
    private(set) var lines: [LogText] = []
    private let prefix: String
    private let filters: [String]
    private let mostLines: Int
    /// How many places are looked at at most: a state may hold millions.
    private var placesLeft = 1_000_000
    private var around: [ObjectIdentifier] = []
    private var depth = 0

    init(_ before: Any, _ after: Any, name: String, prefix: String, filters: [String], mostLines: Int) {
        self.prefix = prefix
        self.filters = filters
        self.mostLines = mostLines
        compare(before, after, path: LogText(escaping: name))
        if lines.count > mostLines {
            lines.removeSubrange(mostLines...)
            lines.append(LogText(prefix + "… more than \(mostLines) changes"))
        } else if placesLeft <= 0 {
            lines.append(LogText(prefix + "… the rest of the state was not compared, as it is too large"))
        }
    }

    private mutating func compare(_ before: Any, _ after: Any, path makePath: @autoclosure () -> LogText) {
        guard lines.count <= mostLines, placesLeft > 0 else { return }
        placesLeft -= 1
        // Most of a state is: that costs neither a path nor a mirror.
        if areSame(hidden: before, after) { return }
        let path = makePath()
        let (before, after) = (unwrapped(before), unwrapped(after))
        let (oldLeaf, newLeaf) = (leafText(before), leafText(after))
        if let oldLeaf, let newLeaf {
            if oldLeaf != newLeaf { put(path, oldLeaf, newLeaf) }
            return
        }
        guard depth < mostDepth else { return put(path, "… deeper than \(mostDepth) levels, not compared") }
        depth += 1
        defer { depth -= 1 }
        let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        guard oldLeaf == nil, newLeaf == nil, type(of: before) == type(of: after), old.displayStyle == new.displayStyle
        else {
            return put(path, oneLine(before), oneLine(after))
        }
        switch old.displayStyle {
        case .collection: compareElements(old, new, path)
        case .dictionary, .set: compareParts(before, after, path, isSet: old.displayStyle == .set)
        case .enum where kindOfAnything(before) != kindOfAnything(after):
            put(path, oneLine(before), oneLine(after))
        case .class:
            let object = ObjectIdentifier(after as AnyObject)
            guard (before as AnyObject) !== (after as AnyObject), !around.contains(object) else { return }
            around.append(object)
            compareChildren(old, new, path)
            around.removeLast()
        default: compareChildren(old, new, path)
        }
    }

    private mutating func compareChildren(_ old: Mirror, _ new: Mirror, _ path: LogText) {
        if let oldParent = old.superclassMirror, let newParent = new.superclassMirror {
            compareChildren(oldParent, newParent, path)
        }
        for (index, pair) in zip(old.children, new.children).enumerated() {
            compare(pair.0.value, pair.1.value, path: path + ".\(labelText(pair.0.label, index))")
        }
    }

    private mutating func compareElements(_ old: Mirror, _ new: Mirror, _ path: LogText) {
        let (oldElements, newElements) = (old.children.makeIterator(), new.children.makeIterator())
        var index = 0
        while lines.count <= mostLines, placesLeft > 0 {
            var place: LogText { path + "[\(index)]" }
            switch (oldElements.next(), newElements.next()) {
            case (let before?, let after?): compare(before.value, after.value, path: place)
            case (let before?, nil): put(place, oneLine(before.value), Self.absent)
            case (nil, let after?): put(place, Self.absent, oneLine(after.value))
            case (nil, nil): return
            }
            index += 1
        }
    }

    private mutating func compareParts(_ before: Any, _ after: Any, _ path: LogText, isSet: Bool) {
        for (label, change) in namedChanges(before, after, isSet: isSet) {
            let place = isSet ? path : path + "[" + label + "]"
            switch (change.before, change.after) {
            case (let old?, let new?) where isSet:
                let (old, new) = (oneLine(old), oneLine(new))
                if old != new { put(place, old, new) }
            case (let old?, let new?): compare(old, new, path: place)
            case (let old?, nil): put(place, oneLine(old), Self.absent)
            case (nil, let new?): put(place, Self.absent, oneLine(new))
            case (nil, nil): break
            }
            guard lines.count <= mostLines else { return }
        }
    }

    /// What differs, in the order of the texts of the keys. The text is for the reader alone: keys may share one.
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
        // Keys that equal nothing, not even themselves, are known by their text after all.
        var removed: [LogText: [Int]] = [:]
        for change in changes ?? [] {
            guard placesLeft > 0 else { break }
            placesLeft -= 1
            let label = (change.key as? AnyHashable)?.base as? LogText ?? oneLine(change.key)
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

    /// What is on the one side only; an element that is nil is told as "nil".
    private static var absent: LogText { LogText("∅") }

    private mutating func put(_ path: LogText, _ before: LogText, _ after: LogText) {
        put(path, before + " → " + after)
    }

    private mutating func put(_ path: LogText, _ what: LogText) {
        let line = prefix + path + ": " + what
        if !filters.contains(where: line.shown.contains) { lines.append(line) }
    }

    private mutating func put(_ path: LogText, _ note: String) { put(path, LogText(note)) }
}
