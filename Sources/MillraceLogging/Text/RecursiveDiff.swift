// SPDX-License-Identifier: Apache-2.0

/// Compares two values part by part, and makes a line for each leaf that differs.
struct RecursiveDiff {
    private(set) var lines: [LogText] = []
    private let prefix: String
    private let filters: [String]
    let mostLines: Int
    /// The number of parts that may still be compared, because a state may have millions. A line counts as ten
    /// of them, and each part of its texts as one.
    var placesLeft = 1_000_000
    /// The results of the pairs of objects that were compared. Each pair is compared once, because objects may refer to
    /// each other, or be referred to twice.
    private var pairs: [ObjectPair: Verdict] = [:]
    /// The number of differences found, including those that a filter left out.
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
        // Most parts of a state are the same. For these, no path and no mirror are made.
        if areSame(hidden: before, after) { return }
        let path = makePath()
        let (before, after) = (unwrapped(before), unwrapped(after))
        let (oldLeaf, newLeaf) = (leafText(before), leafText(after))
        if let oldLeaf, let newLeaf {
            // Also true if they only differ in contents that a description hides.
            if oldLeaf != newLeaf { put(path, oldLeaf, newLeaf) }
            return
        }
        guard depth < mostDepth else { return put(path, "… deeper than \(mostDepth) levels, not compared") }
        depth += 1
        defer { depth -= 1 }
        let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
        guard oldLeaf == nil, newLeaf == nil, type(of: before) == type(of: after), old.displayStyle == new.displayStyle
        else {
            return put(path, text(before), text(after))
        }
        switch old.displayStyle {
        case .collection: compareElements(before, after, old, new, path)
        case .dictionary, .set: compareParts(before, after, path, isSet: old.displayStyle == .set)
        case .enum where kindOfAnything(before) != kindOfAnything(after):
            put(path, text(before), text(after))
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

    /// Compares the children by their index. A custom mirror may have more or fewer of them than before.
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
            case (let before?, nil): put(place, text(before.value), Self.absent)
            case (nil, let after?): put(place, Self.absent, text(after.value))
            case (nil, nil): return
            }
            index += 1
        }
    }

    /// Returns a value as text in one line. Its parts count as compared parts, because they take as long.
    mutating func text(_ value: Any) -> LogText { oneLine(value, places: &placesLeft) }

    /// The text for a part that one side does not have. An element that is nil is printed as "nil".
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

/// Returns whether two values differ by the `==` of their type. Values that do not even equal themselves do not count.
private func areUnequal(_ left: Any, _ right: Any) -> Bool {
    func areUnequalHere<Value: Equatable>(_ left: Value) -> Bool {
        guard let right = right as? Value else { return false }
        return left != right && left == left && right == right
    }
    return (left as? any Equatable).map { areUnequalHere($0) } ?? false
}
