// SPDX-License-Identifier: Apache-2.0

/// Why the replay of a session did not end as the recording did.
public enum ReplayError: Error, Hashable, Sendable {
    /// The last state has another canonical hash.
    case otherState(recorded: CanonicalHash, replayed: CanonicalHash, actions: Int)
    /// The last state has no canonical hash.
    case notHashable(CanonicalHashError)
}

extension ReplayError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        switch self {
        case .otherState(let recorded, let replayed, let actions):
            """
            After \(actions) actions the state has the hash \(replayed), in the recording \(recorded). The reducers have \
            changed since, or depend on something else than action, time and state: a clock, a random number, a global, \
            the order of a set. Compare 'state(after:_:)' with what you expect, step by step.
            """
        case .notHashable(let error): error.description
        }
    }
}
