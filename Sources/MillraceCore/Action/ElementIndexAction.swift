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
/// Where elements come and go an index may name another element by the time the action is reduced: prefer
/// ``ElementIDAction`` there.
public struct ElementIndexAction<Index: Comparable, Action> {
    /// Where the element is.
    public let index: Index
    /// What is to happen to it.
    public let action: Action

    /// An action for the element at an index.
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
