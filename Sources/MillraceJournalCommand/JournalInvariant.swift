// SPDX-License-Identifier: Apache-2.0

/// A rule that every state of a journal must obey. `journal bisect --invariant NAME` finds the first action after which
/// a state breaks it.
///
/// ```swift
/// JournalInvariant("no account below zero") { book in book.accounts.values.allSatisfy { $0 >= 0 } }
/// JournalInvariant("no lost order", staysBroken: true) { book in book.lost == 0 }
/// ```
///
/// **Search.** A rule that stays broken is searched for among the snapshots, by halves; then the actions between two
/// snapshots are folded. Any other rule may be broken and mended again, so only a fold over all actions finds the first
/// break. If you say `staysBroken` of a rule that does not stay broken, a later break than the first may be found.
public struct JournalInvariant<State>: Sendable {
    /// The name, as the option names it.
    public let name: String
    /// Whether a state that breaks the rule is followed only by states that break it.
    public let staysBroken: Bool
    let holds: @Sendable (State) -> Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: The name, as the option names it.
    ///   - staysBroken: Whether a state that breaks the rule is followed only by states that break it. A counter of
    ///     errors that never goes down is such a rule.
    ///   - holds: Returns whether a state obeys the rule. It is called after each action.
    public init(_ name: String, staysBroken: Bool = false, holds: @escaping @Sendable (State) -> Bool) {
        self.name = name
        self.staysBroken = staysBroken
        self.holds = holds
    }
}
