// SPDX-License-Identifier: Apache-2.0

/// Returns a value without the optionals and `AnyHashable`s around it. Nil is returned unchanged.
func unwrapped(_ value: Any) -> Any { counted(value).value }

/// Returns a value without the optionals and `AnyHashable`s around it, and the number of optionals.
func counted(_ value: Any) -> (value: Any, optionals: Int) {
    var (value, optionals) = (value, 0)
    // No type has this many optionals, but a custom mirror could be endless.
    for _ in 0..<mostDepth {
        if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
            value = hashable.base
            continue
        }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional, let some = mirror.children.first else { return (value, optionals) }
        value = some.value
        optionals += 1
    }
    return (value, optionals)
}

/// Returns the name of a part. A part without a name, which a mirror calls `.0`, has its index as name.
func labelText(_ label: String?, _ index: Int) -> String {
    guard let label, !label.hasPrefix(".") else { return "\(index)" }
    return escapedForLog(label)
}

/// Returns the name under which a dump prints a value whose parts follow: the case, or the type.
func headText(_ value: Any, _ mirror: Mirror) -> String {
    switch mirror.displayStyle {
    case .enum: escapedForLog(kindOfAnything(value))
    case .tuple: "tuple"
    default: escapedForLog("\(type(of: value))")
    }
}

/// Returns the object if a value is one, otherwise nil; also nil for a value whose mirror only claims to be an object.
func objectIn(_ value: Any) -> AnyObject? {
    type(of: value) is AnyClass ? value as AnyObject : nil
}
