// SPDX-License-Identifier: Apache-2.0

/// What kind of action this is: the name of its case, or its type. By reflection, so not for the path of an action.
@usableFromInline
func kindOfAction<Action>(_ action: Action) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "\(Action.self)" }
    // A case without a payload is told by its description alone.
    return mirror.children.first?.label ?? String(describing: action)
}
