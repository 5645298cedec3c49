// SPDX-License-Identifier: Apache-2.0

/// Returns the part in a filter's path that no state of this type has. Nil if the state has all parts, or if the filter
/// is no path, because it may then match a value.
///
/// Only the fields of structures, classes and tuples are the same in every state. The function does not look into an
/// optional, a case, a collection or a value with a custom mirror: a filter for a part of these may match later.
func missingPart(named filter: String, in state: Any, name: String, prefix: String) -> String? {
    var path = filter[...]
    if !prefix.isEmpty, path.hasPrefix(prefix) { path.removeFirst(prefix.count) }
    path = path.drop { $0 == " " || $0 == "." }
    guard !name.isEmpty, path.hasPrefix(name) else { return nil }
    path.removeFirst(name.count)
    return missingPart(at: path, in: state)
}

/// `path` is the text after the name of the value.
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
