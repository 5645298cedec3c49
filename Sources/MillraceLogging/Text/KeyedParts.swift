// SPDX-License-Identifier: Apache-2.0

/// A key whose value before and value after do not have the same bits.
struct KeyedChange {
    let key: Any
    /// The value before; nil if only the other side has the key.
    let before: Any?
    var after: Any?
    /// Whether the key equals itself. NaN does not.
    let isReflexive: Bool
}

/// A dictionary or a set, which is treated as a dictionary from each member to itself. Keys are compared by `==`.
protocol KeyedParts {
    /// Returns the removed and changed keys, then the inserted ones; nil if the other value is of another type. Each
    /// key subtracts one from `places`, and at 0 the comparison ends.
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

/// Returns the parts of any other value that a mirror shows as a dictionary or a set.
func keyedParts(_ mirror: Mirror, isSet: Bool, places: inout Int) -> [AnyHashable: Any] {
    var parts: [AnyHashable: Any] = [:]
    for child in mirror.children {
        guard places > 0 else { break }
        places -= 1
        let pair = isSet ? [] : Array(Mirror(reflecting: child.value).children)
        guard isSet || pair.count == 2 else { continue }
        let (key, value) = isSet ? (child.value, child.value) : (pair[0].value, pair[1].value)
        // A key that is not Hashable is represented by its text.
        let known = key as? AnyHashable ?? AnyHashable(oneLine(key, places: &places))
        if parts[known] == nil { parts[known] = value }
    }
    return parts
}

/// Returns whether two values are the same bit for bit (for example because they share storage), or are strings with
/// the same text. Then nothing in them can differ. Values that are equal by `==` may still differ in their bits (0.0
/// and -0.0).
func areSame<Value>(_ left: Value, _ right: Value) -> Bool {
    if let left = left as? String, let right = right as? String { return left.utf8.elementsEqual(right.utf8) }
    return withUnsafeBytes(of: left) { left in
        withUnsafeBytes(of: right) { right in left.elementsEqual(right) }
    }
}

/// Returns whether two values with the static type `Any` are the same.
func areSame(hidden left: Any, _ right: Any) -> Bool {
    func areSameHere<Value>(_ left: Value) -> Bool {
        guard let right = right as? Value else { return false }
        return areSame(left, right)
    }
    return type(of: left) == type(of: right) && _openExistential(left, do: areSameHere)
}
