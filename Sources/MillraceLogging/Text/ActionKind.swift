// SPDX-License-Identifier: Apache-2.0

/// What kind of action this is: the name of its case, or its type. Runs no code of the user's, as a description or a
/// custom mirror would.
func kindOfAction<Action>(_ action: Action) -> String {
    enumCaseName(action).map { String(cString: $0) } ?? "\(Action.self)"
}

/// The names of the cases down to one that holds no enumeration: `counter.increment`. No payload is in it, and no case
/// that a description may hide.
func pathOfAction<Action>(_ action: Action) -> String {
    var names = [kindOfAction(action)]
    var value: Any = action
    while names.count < 16, let payload = Mirror(reflecting: value).children.first?.value, isEnumeration(payload) {
        names.append(kindOfAnything(payload))
        value = payload
    }
    return names.joined(separator: ".")
}

/// One that does not describe itself.
private func isEnumeration(_ value: Any) -> Bool {
    !describesItself(value) && Mirror(reflecting: value).displayStyle == .enum
}

/// The same of a value whose type is hidden.
func kindOfAnything(_ value: Any) -> String {
    func kind<Value>(_ value: Value) -> String { kindOfAction(value) }
    return _openExistential(value, do: kind)
}

/// The Swift runtime's own, which is what prints a case; nil for what is no enumeration.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
