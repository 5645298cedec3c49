// SPDX-License-Identifier: Apache-2.0

/// An action that was read from a file, or that is to be written to one.
public struct RecordedAction<Action> {
    /// The number, cause, time and source of the action.
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
