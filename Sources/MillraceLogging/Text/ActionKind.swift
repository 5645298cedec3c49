// SPDX-License-Identifier: Apache-2.0

/// Returns the kind of an action: the name of its case, or of its type. Unlike a description or a custom mirror, this
/// runs no code of the user.
func kindOfAction<Action>(_ action: Action) -> String {
    enumCaseName(action).map { String(cString: $0) } ?? "\(Action.self)"
}

/// Returns the names of the cases, down to a case whose payload is not an enumeration: `counter.increment`. The result
/// has no payload. It stops before an enumeration that describes itself, because a description may hide the case.
func pathOfAction<Action>(_ action: Action) -> String {
    var names = [kindOfAction(action)]
    var value: Any = action
    while names.count < 16, let payload = Mirror(reflecting: value).children.first?.value, isEnumeration(payload) {
        names.append(kindOfAnything(payload))
        value = payload
    }
    return names.joined(separator: ".")
}

/// Returns whether a value is an enumeration that does not describe itself.
private func isEnumeration(_ value: Any) -> Bool {
    !describesItself(value) && Mirror(reflecting: value).displayStyle == .enum
}

/// Returns the kind of a value whose static type is `Any`.
func kindOfAnything(_ value: Any) -> String {
    func kind<Value>(_ value: Value) -> String { kindOfAction(value) }
    return _openExistential(value, do: kind)
}

/// The function of the Swift runtime that `print` uses for cases. Returns nil for a value that is not an enumeration.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
