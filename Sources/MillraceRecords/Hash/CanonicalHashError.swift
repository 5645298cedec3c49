// SPDX-License-Identifier: Apache-2.0

/// The error for a value with a field that has no canonical hash.
public struct CanonicalHashError: Error, Hashable, Sendable {
    /// The field, from the type down: `AppState.session.delegate`.
    public let path: String
    /// The type of that field.
    public let type: String
    /// What is wrong with it.
    public let reason: String
}

extension CanonicalHashError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        """
        The field '\(path)' of type '\(type)' has no canonical hash: \(reason). Conform '\(type)' or the type that holds \
        it to 'CanonicallyHashable', and combine what counts.
        """
    }
}
