// SPDX-License-Identifier: Apache-2.0

/// The name under which a middleware is measured, reported and plugged in.
///
/// ```swift
/// let middleware = Auth().named("auth")
/// try await store.plugins.install(Audit(), as: MiddlewareName(interning: "audit of \(tenant)"))
/// ```
///
/// Compared and hashed by text. Copying it copies an address: a name is given once and read at every action.
public struct MiddlewareName: @unchecked Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    // Unchecked because the bytes are never changed and never freed: they are the program's or interned.

    /// The text in UTF-8. Lives as long as the process.
    public let utf8: UnsafeBufferPointer<UInt8>

    /// A name written in the code. Costs nothing.
    public init(_ text: StaticString) {
        // A scalar has no bytes that last.
        utf8 =
            text.hasPointerRepresentation
            ? UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            : InternedNames.shared.utf8(of: text.description)
    }

    /// A name written in the code.
    public init(stringLiteral text: StaticString) {
        self.init(text)
    }

    /// A name made while the program runs, such as one read from a configuration.
    ///
    /// The process keeps one copy of each text for ever: use it for names, not for what is different each time. Takes a
    /// lock.
    public init(interning text: String) {
        utf8 = InternedNames.shared.utf8(of: text)
    }

    /// The name. Built when read.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// Whether both have the same text.
    public static func == (lhs: MiddlewareName, rhs: MiddlewareName) -> Bool {
        lhs.utf8.count == rhs.utf8.count
            && (lhs.utf8.baseAddress == rhs.utf8.baseAddress || lhs.utf8.elementsEqual(rhs.utf8))
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: UnsafeRawBufferPointer(utf8))
    }
}

/// The names that were made while the program runs.
private final class InternedNames: Sendable {
    static let shared = InternedNames()

    private let known = Locked<[[UInt8]: UnsafeSendableBytes]>([:])

    func utf8(of text: String) -> UnsafeBufferPointer<UInt8> {
        // By bytes, as names are compared: strings that differ in them may be equal.
        let bytes = Array(text.utf8)
        return known.withLock { known in
            if let known = known[bytes] { return known.utf8 }
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
            let end = copy.initialize(fromContentsOf: bytes)
            let utf8 = UnsafeBufferPointer(rebasing: copy[..<end])
            known[bytes] = UnsafeSendableBytes(utf8: utf8)
            return utf8
        }
    }
}

/// Bytes that nobody changes.
private struct UnsafeSendableBytes: @unchecked Sendable {
    // Unchecked: see above.
    let utf8: UnsafeBufferPointer<UInt8>
}
