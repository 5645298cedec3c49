// SPDX-License-Identifier: Apache-2.0

/// An action for one element of a collection, which its id names.
///
/// ```swift
/// enum AppAction {
///     case todo(ElementIDAction<Todo.ID, TodoAction>)
/// }
/// store.dispatch(.todo(ElementIDAction(id: 7, action: .toggle)))
/// ```
///
/// In a dictionary the id is the key.
public struct ElementIDAction<ID: Hashable, Action>: Identifiable {
    /// Which element.
    public let id: ID
    /// What is to happen to it.
    public let action: Action

    /// An action for the element of an id.
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
