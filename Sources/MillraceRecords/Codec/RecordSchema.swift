// SPDX-License-Identifier: Apache-2.0

/// What a codec writes: one type, and the kinds of its values.
public struct RecordSchema: Hashable, Sendable {
    /// The type of the values.
    public var type: RecordType
    /// The names of the kinds: the cases of an enum, or the type's own name. A record holds the index of its kind.
    public var kinds: [String]

    /// Creates a schema of a type and its kinds. A file has room for 65,280 kinds.
    public init(type: RecordType, kinds: [String]) {
        self.type = type
        self.kinds = kinds
    }
}
