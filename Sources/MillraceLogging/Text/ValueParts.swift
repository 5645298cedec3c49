// SPDX-License-Identifier: Apache-2.0

/// Without the optionals and the `AnyHashable`s around it, however many; nil as it is.
func unwrapped(_ value: Any) -> Any {
    var value = value
    // No type nests so deep; a mirror of a type's own could have no end.
    for _ in 0..<mostDepth {
        if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
            value = hashable.base
            continue
        }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional, let some = mirror.children.first else { return value }
        value = some.value
    }
    return value
}

/// The name of a part; of one without a name its place, which a mirror calls `.0`.
func labelText(_ label: String?, _ index: Int) -> String {
    guard let label, !label.hasPrefix(".") else { return "\(index)" }
    return escapedForLog(label)
}

/// What a dump calls a value whose parts follow: the case, or the type.
func headText(_ value: Any, _ mirror: Mirror) -> String {
    switch mirror.displayStyle {
    case .enum: escapedForLog(kindOfAnything(value))
    case .tuple: "tuple"
    default: escapedForLog("\(type(of: value))")
    }
}

/// The object that a value is; nil for any other value, also for one whose mirror says that it is one.
func objectIn(_ value: Any) -> AnyObject? {
    type(of: value) is AnyClass ? value as AnyObject : nil
}
