// SPDX-License-Identifier: Apache-2.0

/// A rule that every state of a journal must obey. `journal bisect --invariant NAME` finds the first action after which
/// a state breaks it.
///
/// ```swift
/// JournalInvariant("no account below zero") { book in book.accounts.values.allSatisfy { $0 >= 0 } }
/// JournalInvariant("no lost order", staysBroken: true) { book in book.lost == 0 }
/// ```
///
/// **Search.** For a rule with `staysBroken`, `bisect` searches the snapshots by halves for the last one that obeys the
/// rule. Then it folds the actions after this snapshot until one breaks the rule. Any other rule may be broken and
/// later obeyed again, so `bisect` folds all actions. If you set `staysBroken` for a rule that does not stay broken,
/// `bisect` may find a later break than the first one. Without snapshots or a `stateCodec()`, it folds all actions for
/// each rule.
public struct JournalInvariant<State>: Sendable {
    /// The name that you give to `--invariant`.
    public let name: String
    /// Whether a state that breaks the rule is followed only by states that break it.
    public let staysBroken: Bool
    let holds: @Sendable (State) -> Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: The name that you give to `--invariant`.
    ///   - staysBroken: Whether a state that breaks the rule is followed only by states that break it. A counter of
    ///     errors that never goes down is such a rule.
    ///   - holds: Returns whether a state obeys the rule. It is called after each action.
    public init(_ name: String, staysBroken: Bool = false, holds: @escaping @Sendable (State) -> Bool) {
        self.name = name
        self.staysBroken = staysBroken
        self.holds = holds
    }
}
