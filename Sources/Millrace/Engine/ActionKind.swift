// SPDX-License-Identifier: Apache-2.0

/// Returns the kind of an action: the name of its enum case; for a protocol type, the type of the value; else the name
/// of `Action`. Runs no user code, unlike a description or a custom mirror.
@usableFromInline
package func kindOfAction<Action>(_ action: Action) -> String {
    if let name = enumCaseName(action) { return String(cString: name) }
    // The type of the value differs from `Action` only for a protocol and for an object of a subclass. For a class, the
    // static type is used.
    return Action.self is AnyObject.Type ? "\(Action.self)" : "\(type(of: action as Any))"
}

/// Returns the name of a value's enum case; nil for a value of any other type. The Swift runtime prints cases with it.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
