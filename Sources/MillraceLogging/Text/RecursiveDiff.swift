// SPDX-License-Identifier: Apache-2.0

/// Goes through two values side by side, and makes a line of each leaf that differs.
struct RecursiveDiff {
    private(set) var lines: [String] = []
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
        compare(before, after, path: name)
        if lines.count > mostLines {
            lines.removeSubrange(mostLines...)
            lines.append(prefix + "… more than \(mostLines) changes")
        } else if placesLeft <= 0 {
            lines.append(prefix + "… the rest of the state was not compared, as it is too large")
        }
    }

    private mutating func compare(_ before: Any, _ after: Any, path: String) {
        guard lines.count <= mostLines, placesLeft > 0 else { return }
        placesLeft -= 1
        let (before, after) = (unwrapped(before), unwrapped(after))
        let (oldLeaf, newLeaf) = (leafText(before), leafText(after))
        if let oldLeaf, let newLeaf {
            if oldLeaf != newLeaf { put(path, oldLeaf, newLeaf) }
            return
        }
        guard depth < mostDepth else { return }
        depth += 1
        defer { depth -= 1 }
        let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        guard oldLeaf == nil, newLeaf == nil, type(of: before) == type(of: after), old.displayStyle == new.displayStyle
        else {
            return put(path, oneLine(before), oneLine(after))
        }
        switch old.displayStyle {
        case .collection: compareElements(old, new, path)
        case .dictionary: comparePairs(old, new, path)
        case .set: compareMembers(old, new, path)
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

    private mutating func compareChildren(_ old: Mirror, _ new: Mirror, _ path: String) {
        if let oldParent = old.superclassMirror, let newParent = new.superclassMirror {
            compareChildren(oldParent, newParent, path)
        }
        for (index, pair) in zip(old.children, new.children).enumerated() {
            compare(pair.0.value, pair.1.value, path: "\(path).\(labelText(pair.0.label, index))")
        }
    }

    private mutating func compareElements(_ old: Mirror, _ new: Mirror, _ path: String) {
        let (oldElements, newElements) = (old.children.makeIterator(), new.children.makeIterator())
        var index = 0
        while lines.count <= mostLines, placesLeft > 0 {
            let place = "\(path)[\(index)]"
            switch (oldElements.next(), newElements.next()) {
            case (let before?, let after?): compare(before.value, after.value, path: place)
            case (let before?, nil): put(place, oneLine(before.value), Self.absent)
            case (nil, let after?): put(place, Self.absent, oneLine(after.value))
            case (nil, nil): return
            }
            index += 1
        }
    }

    private mutating func comparePairs(_ old: Mirror, _ new: Mirror, _ path: String) {
        let before = Dictionary(sortedPairs(old), uniquingKeysWith: { first, _ in first })
        let after = Dictionary(sortedPairs(new), uniquingKeysWith: { first, _ in first })
        for key in Set(before.keys).union(after.keys).sorted() {
            let place = "\(path)[\(key)]"
            switch (before[key], after[key]) {
            case (let old?, let new?): compare(old, new, path: place)
            case (let old?, nil): put(place, oneLine(old), Self.absent)
            case (nil, let new?): put(place, Self.absent, oneLine(new))
            case (nil, nil): break
            }
        }
    }

    private mutating func compareMembers(_ old: Mirror, _ new: Mirror, _ path: String) {
        let before = Set(old.children.map { oneLine($0.value) })
        let after = Set(new.children.map { oneLine($0.value) })
        for member in before.symmetricDifference(after).sorted() {
            let isOld = before.contains(member)
            put(path, isOld ? member : Self.absent, isOld ? Self.absent : member)
        }
    }

    /// What is on the one side only; an element that is nil is told as "nil".
    private static var absent: String { "∅" }

    private mutating func put(_ path: String, _ before: String, _ after: String) {
        let line = "\(prefix)\(path): \(before) → \(after)"
        if !filters.contains(where: line.contains) { lines.append(line) }
    }
}
