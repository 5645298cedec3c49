// SPDX-License-Identifier: Apache-2.0

/// An action for the element of a collection that has a certain id.
///
/// ```swift
/// enum AppAction {
///     case todo(ElementIDAction<Todo.ID, TodoAction>)
/// }
/// store.dispatch(.todo(ElementIDAction(id: 7, action: .toggle)))
/// ```
///
/// For a dictionary, the id is the key.
///
/// It prints as the id in brackets and the action, so that the action above prints as `todo([7].toggle)`. The id and
/// the action print as in string interpolation, except that strings are quoted.
public struct ElementIDAction<ID: Hashable, Action>: Identifiable {
    /// The id of the element.
    public let id: ID
    /// The action for the element.
    public let action: Action

    /// Creates an action for the element with an id.
    @inlinable
    public init(id: ID, action: Action) {
        self.id = id
        self.action = action
    }
}

extension ElementIDAction: Sendable where ID: Sendable, Action: Sendable {}
extension ElementIDAction: Equatable where Action: Equatable {}
extension ElementIDAction: Hashable where Action: Hashable {}
extension ElementIDAction: Decodable where ID: Decodable, Action: Decodable {}
extension ElementIDAction: Encodable where ID: Encodable, Action: Encodable {}

extension ElementIDAction: CustomStringConvertible {
    /// The id in brackets, and the action: `[7].toggle`.
    public var description: String { elementDescription(id, action) }
}
