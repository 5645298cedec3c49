// SPDX-License-Identifier: Apache-2.0

/// An action from a file, or for one.
public struct RecordedAction<Action> {
    /// What is known of the action.
    public var head: RecordHead
    /// The name of its kind.
    public var kind: String
    /// The action.
    public var action: Action

    /// Creates a recorded action.
    @inlinable
    public init(head: RecordHead, kind: String, action: Action) {
        self.head = head
        self.kind = kind
        self.action = action
    }
}

extension RecordedAction: Sendable where Action: Sendable {}
extension RecordedAction: Equatable where Action: Equatable {}
