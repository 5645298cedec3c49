// SPDX-License-Identifier: Apache-2.0

/// A rule about the state that must hold, whatever actions come.
///
/// ```swift
/// let rules: [StateProperty<BankAction, Bank>] = [
///     .always("the balance is never negative") { $0.balance >= 0 },
///     .change("a closed account stays closed") { before, _, after in !before.isClosed || after.isClosed },
/// ]
/// ```
public struct StateProperty<Action, State>: Sendable {
    /// The rule in words.
    public let name: String
    let holds: @Sendable (_ before: State, _ action: Action, _ after: State) -> Bool
    /// Nil for a rule about changes.
    let holdsAtFirst: (@Sendable (State) -> Bool)?

    /// Returns a rule about every state, the first one included.
    public static func always(
        _ name: String,
        _ holds: @escaping @Sendable (State) -> Bool
    ) -> StateProperty {
        StateProperty(name: name, holds: { _, _, after in holds(after) }, holdsAtFirst: holds)
    }

    /// Returns a rule about every change: the state before an action, the action, and the state after it.
    public static func change(
        _ name: String,
        _ holds: @escaping @Sendable (_ before: State, _ action: Action, _ after: State) -> Bool
    ) -> StateProperty {
        StateProperty(name: name, holds: holds, holdsAtFirst: nil)
    }
}
