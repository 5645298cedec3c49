// SPDX-License-Identifier: Apache-2.0

/// Returns the part of a state that a filter names and that no state of this type has; nil if there is none, or if the
/// filter names no path: it may match a value.
///
/// Only the fields of structures, classes and tuples are always the same. What is in an optional, a case, a collection or
/// a value with a mirror of its own is not looked into, so a filter for it counts as one that may match.
func missingPart(named filter: String, in state: Any, name: String, prefix: String) -> String? {
    var path = filter[...]
    if !prefix.isEmpty, path.hasPrefix(prefix) { path.removeFirst(prefix.count) }
    path = path.drop { $0 == " " || $0 == "." }
    guard !name.isEmpty, path.hasPrefix(name) else { return nil }
    path.removeFirst(name.count)
    return missingPart(at: path, in: state)
}

/// `path` begins behind the name of the value.
private func missingPart(at path: Substring, in value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    guard path.first == ".", !(value is any CustomReflectable), !describesItself(value) else { return nil }
    switch mirror.displayStyle {
    case .struct, .class, .tuple: break
    default: return nil
    }
    // A label of a tuple without names has a period of its own in SwiftRex's lines.
    let rest = path.drop { $0 == "." }
    let label = rest.prefix { $0 != "." && $0 != "[" && $0 != ":" }
    var isKnown = label.isEmpty
    var index = 0
    var ancestor: Mirror? = mirror
    while let current = ancestor {
        for child in current.children {
            let known = labelText(child.label, index)
            index += 1
            if label == known { return missingPart(at: rest.dropFirst(label.count), in: child.value) }
            // The filter may end in the middle of a name.
            if label.endIndex == rest.endIndex, known.hasPrefix(label) { isKnown = true }
        }
        ancestor = current.superclassMirror
    }
    return isKnown ? nil : String(label)
}
