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
