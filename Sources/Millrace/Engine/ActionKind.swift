// SPDX-License-Identifier: Apache-2.0

/// What kind of action this is: the name of its case, of a protocol the type of the value, else its type. Runs no code of
/// the user's, as a description or a custom mirror would.
@usableFromInline
func kindOfAction<Action>(_ action: Action) -> String {
    if let name = enumCaseName(action) { return String(cString: name) }
    // The type of the value is another one only for a protocol, and for an object of a subclass, which is not meant.
    return Action.self is AnyObject.Type ? "\(Action.self)" : "\(type(of: action as Any))"
}

/// The Swift runtime's own, which is what prints a case; nil for what is no enumeration.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
