// SPDX-License-Identifier: Apache-2.0

/// A hash of a value that is the same in each process, on each machine, and in each run.
///
/// ```swift
/// let before = try CanonicalHash(of: store.state)
/// let after = try CanonicalHash(of: session.replay(reducer))      // equal, if the reducer depends on nothing else
/// ```
///
/// It walks the value by what the runtime knows of its type. `Hashable` plays no part: a field that `==` leaves out
/// counts here.
///
/// | value | what is hashed |
/// |---|---|
/// | integer, Boolean | its value |
/// | floating-point number | its bit pattern: 0 and -0 differ |
/// | text | its UTF-8 bytes: texts that are equal only by Unicode's rules differ |
/// | struct, tuple | each field in order, with its name |
/// | enum | the name of the case, then the payload |
/// | array | the count, and the elements in order |
/// | set, dictionary | the count, and the elements in no order |
/// | value of a protocol type, `Any` | the name of its type, then the value |
/// | a type that is ``CanonicallyHashable`` | what it says |
/// | a value that is nested in more than 1,000 others | refused |
/// | class, closure, pointer, weak reference | refused: the error names the field |
///
/// It has 64 bits and finds accidents: it is no protection against people who choose the values.
///
/// **Cost.** Some nanoseconds a field. The first value of a type also costs the walk over that type. **Threads.** Any;
/// nobody may change the value meanwhile.
public struct CanonicalHash: Hashable, Sendable, RawRepresentable {
    /// The hash as a number.
    public let rawValue: UInt64

    /// A known hash.
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

    /// The hash that ``description`` gave; nil if the text is none.
    public init?(_ description: String) {
        guard description.utf8.count == 16, let value = UInt64(description, radix: 16) else { return nil }
        rawValue = value
    }
}
