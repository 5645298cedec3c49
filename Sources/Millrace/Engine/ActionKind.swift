// SPDX-License-Identifier: Apache-2.0

/// What kind of action this is: the name of its case, or its type. Runs no code of the user's, as a description or a
/// custom mirror would.
@usableFromInline
func kindOfAction<Action>(_ action: Action) -> String {
    enumCaseName(action).map { String(cString: $0) } ?? "\(Action.self)"
}

/// The Swift runtime's own, which is what prints a case; nil for what is no enumeration.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
