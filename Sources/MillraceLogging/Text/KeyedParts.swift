// SPDX-License-Identifier: Apache-2.0

/// What lies under one key before and after, of which not all bits are the same.
struct KeyedChange {
    let key: Any
    /// Nil: only the other has the key.
    let before: Any?
    var after: Any?
    /// Whether the key equals itself, as NaN does not.
    let isReflexive: Bool
}

/// A dictionary, or a set, which holds each member under itself; told apart by `==`, as they do it themselves.
protocol KeyedParts {
    /// What was removed or changed, then what was inserted; nil if the other is of another type. Each key takes a
    /// place, and it ends when there is none.
    func changes(to after: Any, places: inout Int) -> [KeyedChange]?
}

extension Dictionary: KeyedParts {
    func changes(to after: Any, places: inout Int) -> [KeyedChange]? {
        guard let after = after as? Self else { return nil }
        var changes: [KeyedChange] = []
        var common = 0
        for (key, old) in self {
            guard places > 0 else { return changes }
            places -= 1
            guard let index = after.index(forKey: key) else {
                changes.append(KeyedChange(key: key, before: .some(old), after: nil, isReflexive: key == key))
                continue
            }
            common += 1
            let new = after[index].value
            if areSame(old, new) { continue }
            changes.append(KeyedChange(key: key, before: .some(old), after: .some(new), isReflexive: true))
        }
        guard common < after.count else { return changes }
        for (key, new) in after {
            guard places > 0 else { return changes }
            places -= 1
            guard index(forKey: key) == nil else { continue }
            changes.append(KeyedChange(key: key, before: nil, after: .some(new), isReflexive: key == key))
        }
        return changes
    }
}

extension Set: KeyedParts {
    func changes(to after: Any, places: inout Int) -> [KeyedChange]? {
        guard let after = after as? Self else { return nil }
        var changes: [KeyedChange] = []
        var common = 0
        for old in self {
            guard places > 0 else { return changes }
            places -= 1
            guard let index = after.firstIndex(of: old) else {
                changes.append(KeyedChange(key: old, before: .some(old), after: nil, isReflexive: old == old))
                continue
            }
            common += 1
            let new = after[index]
            if areSame(old, new) { continue }
            changes.append(KeyedChange(key: old, before: .some(old), after: .some(new), isReflexive: true))
        }
        guard common < after.count else { return changes }
        for new in after {
            guard places > 0 else { return changes }
            places -= 1
            guard !contains(new) else { continue }
            changes.append(KeyedChange(key: new, before: nil, after: .some(new), isReflexive: new == new))
        }
        return changes
    }
}

/// Any other value that a mirror shows as a dictionary or a set.
func keyedParts(_ mirror: Mirror, isSet: Bool, places: inout Int) -> [AnyHashable: Any] {
    var parts: [AnyHashable: Any] = [:]
    for child in mirror.children {
        guard places > 0 else { break }
        places -= 1
        let pair = isSet ? [] : Array(Mirror(reflecting: child.value).children)
        guard isSet || pair.count == 2 else { continue }
        let (key, value) = isSet ? (child.value, child.value) : (pair[0].value, pair[1].value)
        // Of a key that cannot be compared there is only its text.
        let known = key as? AnyHashable ?? AnyHashable(oneLine(key))
        if parts[known] == nil { parts[known] = value }
    }
    return parts
}

/// Whether nothing in two values can differ, as they are the same bit for bit (storage that is shared, say), or strings
/// with the same text. Finds no more than that: what is equal by `==` may still be told apart (0.0 and -0.0).
func areSame<Value>(_ left: Value, _ right: Value) -> Bool {
    if let left = left as? String, let right = right as? String { return left.utf8.elementsEqual(right.utf8) }
    return withUnsafeBytes(of: left) { left in
        withUnsafeBytes(of: right) { right in left.elementsEqual(right) }
    }
}

/// The same of values whose type is hidden.
func areSame(hidden left: Any, _ right: Any) -> Bool {
    func areSameHere<Value>(_ left: Value) -> Bool {
        guard let right = right as? Value else { return false }
        return areSame(left, right)
    }
    return type(of: left) == type(of: right) && _openExistential(left, do: areSameHere)
}
