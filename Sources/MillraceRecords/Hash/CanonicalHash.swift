// SPDX-License-Identifier: Apache-2.0

/// A hash of a value that is the same in each process, on each machine, and in each run.
///
/// ```swift
/// let before = try CanonicalHash(of: store.state)
/// let after = try CanonicalHash(of: session.replay(reducer))      // equal, if the reducer depends on nothing else
/// ```
///
/// The hash covers every stored field of the value, which the Swift runtime's metadata list. `Hashable` and `==` do not
/// matter: a field that `==` ignores counts here.
///
/// | value | what is hashed |
/// |---|---|
/// | integer, Boolean | its value |
/// | floating-point number | its bit pattern: 0 and -0 differ |
/// | text | its UTF-8 bytes: texts that are equal only by Unicode's rules differ |
/// | struct, tuple | each field in order, with its name |
/// | enum | the name of the case, then the payload |
/// | array | the count, and the elements in order |
/// | set, dictionary | the count, and the elements, whatever their order |
/// | value of a protocol type, `Any` | the name of its type, then the value |
/// | a type that is ``CanonicallyHashable`` | what its `canonicallyHash(into:)` combines |
/// | a value that is nested in more than 1,000 others | refused |
/// | class, closure, pointer, weak reference | refused: the error names the field |
///
/// The hash has 64 bits and finds accidental differences. It does not protect against people who choose the values.
///
/// **Cost.** Some nanoseconds for each field. The first value of a type also costs an analysis of that type.
/// **Threads.** Any thread may compute a hash; no other thread may change the value meanwhile.
public struct CanonicalHash: Hashable, Sendable, RawRepresentable {
    /// The hash as a number.
    public let rawValue: UInt64

    /// Creates a hash from its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Hashes a value.
    /// - Throws: ``CanonicalHashError``, which names the field that cannot be hashed.
    public init<Value>(of value: Value) throws(CanonicalHashError) {
        var hasher = CanonicalHasher()
        try hasher.combine(value)
        rawValue = hasher.finish()
    }
}

extension CanonicalHash: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Creates a hash from a text that ``description`` returned; nil for any other text.
    public init?(_ description: String) {
        guard description.utf8.count == 16, let value = UInt64(description, radix: 16) else { return nil }
        rawValue = value
    }
}
