// SPDX-License-Identifier: Apache-2.0

/// The name under which a middleware is measured, given by ``MiddlewareProtocol/named(_:)``.
///
/// Compared and hashed by text. Copying it copies a pointer into the binary.
public struct MiddlewareName: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it was written.
    public let text: StaticString

    /// A name written in the code.
    @inlinable
    public init(_ text: StaticString) {
        self.text = text
    }

    /// A name written in the code.
    @inlinable
    public init(stringLiteral text: StaticString) {
        self.text = text
    }

    /// The name. Built when read.
    public var description: String { text.description }

    /// Whether both have the same text.
    public static func == (lhs: MiddlewareName, rhs: MiddlewareName) -> Bool {
        lhs.text.withUTF8Buffer { left in
            rhs.text.withUTF8Buffer { right in
                (left.baseAddress == right.baseAddress && left.count == right.count) || left.elementsEqual(right)
            }
        }
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        text.withUTF8Buffer { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
