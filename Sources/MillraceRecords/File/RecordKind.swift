// SPDX-License-Identifier: Apache-2.0

/// A kind of record in a file.
public struct RecordKind: Hashable, Sendable {
    /// What records of the kind are.
    public enum Role: UInt16, Hashable, Sendable {
        /// An action, with a sequence.
        case action = 0
        /// A state, without a sequence.
        case state = 1
    }

    /// The name of the enum's case, or of the type.
    public var name: String
    /// The index of its type in ``RecordFileHeader/types``.
    public var type: Int
    /// What records of the kind are.
    public var role: Role
}
