// SPDX-License-Identifier: Apache-2.0

/// Goes through two values side by side, and makes a line of each leaf that differs.
struct RecursiveDiff {
    private(set) var lines: [LogText] = []
    private let prefix: String
    private let filters: [String]
    let mostLines: Int
    /// How many places are looked at at most: a state may hold millions. A line costs as much as ten of them.
    var placesLeft = 1_000_000
    /// What came of the pairs of objects that were compared: each is, once, as objects may hold each other, or one of them
    /// twice.
    private var pairs: [ObjectPair: Verdict] = [:]
    /// How many differences were found, also those that a filter left out.
    private var found = 0
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

    mutating func compare(_ before: Any, _ after: Any, path makePath: @autoclosure () -> LogText) {
        guard lines.count <= mostLines, placesLeft > 0 else { return }
        placesLeft -= 1
        // Most of a state is: that costs neither a path nor a mirror.
        if areSame(hidden: before, after) { return }
        let path = makePath()
        let (before, after) = (unwrapped(before), unwrapped(after))
        let (oldLeaf, newLeaf) = (leafText(before), leafText(after))
        if let oldLeaf, let newLeaf {
            // Also if they only differ in what a description hides.
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
        case .collection: compareElements(before, after, old, new, path)
        case .dictionary, .set: compareParts(before, after, path, isSet: old.displayStyle == .set)
        case .enum where kindOfAnything(before) != kindOfAnything(after):
            put(path, oneLine(before), oneLine(after))
        default:
            if let old = objectIn(before), let new = objectIn(after) { return compareObjects(old, new, path) }
            let count = found
            compareChildren(old, new, path)
            if found == count, before is any CustomReflectable, areUnequal(before, after) {
                put(path, "… changed where its mirror shows nothing")
            }
        }
    }

    private mutating func compareObjects(_ before: AnyObject, _ after: AnyObject, _ path: LogText) {
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

    /// By their places, which a mirror of a type's own may have more or less of than before.
    private mutating func compareChildren(_ old: Mirror, _ new: Mirror, _ path: LogText) {
        if let oldParent = old.superclassMirror, let newParent = new.superclassMirror {
            compareChildren(oldParent, newParent, path)
        }
        let (oldChildren, newChildren) = (old.children.makeIterator(), new.children.makeIterator())
        var index = 0
        while lines.count <= mostLines, placesLeft > 0 {
            let (before, after) = (oldChildren.next(), newChildren.next())
            var place: LogText { path + ".\(labelText(before?.label ?? after?.label, index))" }
            switch (before, after) {
            case (let before?, let after?): compare(before.value, after.value, path: place)
            case (let before?, nil): put(place, oneLine(before.value), Self.absent)
            case (nil, let after?): put(place, Self.absent, oneLine(after.value))
            case (nil, nil): return
            }
            index += 1
        }
    }

    /// What is on the one side only; an element that is nil is told as "nil".
    static var absent: LogText { LogText("∅") }

    mutating func put(_ path: LogText, _ before: LogText, _ after: LogText) {
        put(path, before + " → " + after)
    }

    private mutating func put(_ path: LogText, _ what: LogText) {
        found += 1
        placesLeft -= 10
        let line = prefix + path + ": " + what
        if !filters.contains(where: line.shown.contains) { lines.append(line) }
    }

    private mutating func put(_ path: LogText, _ note: String) { put(path, LogText(note)) }
}

/// Two objects that were compared. They are held, so that no other gets the address of one.
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

/// Whether a type says of two values by `==` that they differ; values that do not even equal themselves say nothing.
private func areUnequal(_ left: Any, _ right: Any) -> Bool {
    func areUnequalHere<Value: Equatable>(_ left: Value) -> Bool {
        guard let right = right as? Value else { return false }
        return left != right && left == left && right == right
    }
    return (left as? any Equatable).map { areUnequalHere($0) } ?? false
}
