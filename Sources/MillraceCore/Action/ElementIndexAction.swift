// SPDX-License-Identifier: Apache-2.0

/// An action for one element of a collection, at an index.
///
/// ```swift
/// enum AppAction {
///     case row(ElementIndexAction<Int, RowAction>)
/// }
/// store.dispatch(.row(ElementIndexAction(index: 0, action: .select)))
/// ```
///
/// If elements are inserted or removed, the index may refer to another element by the time the action is reduced.
/// Prefer ``ElementIDAction`` there.
///
/// It prints as the index in brackets and the action, so that the action above prints as `row([0].select)`. The index
/// and the action print as in string interpolation, except that strings are quoted.
public struct ElementIndexAction<Index: Comparable, Action> {
    /// The index of the element.
    public let index: Index
    /// The action for the element.
    public let action: Action

    /// Creates an action for the element at an index.
    @inlinable
    public init(index: Index, action: Action) {
        self.index = index
        self.action = action
    }
}

extension ElementIndexAction: Sendable where Index: Sendable, Action: Sendable {}
extension ElementIndexAction: Equatable where Action: Equatable {}
extension ElementIndexAction: Hashable where Index: Hashable, Action: Hashable {}
extension ElementIndexAction: Decodable where Index: Decodable, Action: Decodable {}
extension ElementIndexAction: Encodable where Index: Encodable, Action: Encodable {}

extension ElementIndexAction: CustomStringConvertible {
    /// The index in brackets, and the action: `[0].select`.
    public var description: String { elementDescription(index, action) }
}

/// Returns the description of an action for one element. Strings are quoted and escaped as in a payload that `print`
/// writes, so that the brackets and the action can be told from them.
func elementDescription(_ place: some Any, _ action: some Any) -> String {
    func text(_ value: some Any) -> String {
        if let string = value as? any StringProtocol { String(string).debugDescription } else { "\(value)" }
    }
    return "[\(text(place))].\(text(action))"
}
