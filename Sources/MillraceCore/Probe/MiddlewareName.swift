// SPDX-License-Identifier: Apache-2.0

/// The name under which a middleware is measured, reported and installed as a plugin.
///
/// ```swift
/// let middleware = Auth().named("auth")
/// try await store.plugins.install(Audit(), as: MiddlewareName(interning: "audit of \(tenant)"))
/// ```
///
/// Names are compared and hashed by text. A copy is only an address: a name is given once and read at every action.
public struct MiddlewareName: @unchecked Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    // Unchecked because the bytes never change and are never freed: they are in the binary or interned.

    /// The text in UTF-8. The memory lives as long as the process.
    public let utf8: UnsafeBufferPointer<UInt8>

    /// Creates a name from text in the code, at no cost.
    public init(_ text: StaticString) {
        // A single Unicode scalar has no permanent bytes.
        utf8 =
            text.hasPointerRepresentation
            ? UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            : InternedNames.shared.utf8(of: text.description)
    }

    /// Creates a name from text in the code.
    public init(stringLiteral text: StaticString) {
        self.init(text)
    }

    /// Creates a name from text made at run time, such as text from a configuration.
    ///
    /// The process keeps one copy of each text for ever. Use this for names, not for text that differs each time. Takes
    /// a lock.
    public init(interning text: String) {
        utf8 = InternedNames.shared.utf8(of: text)
    }

    /// Creates a name from the bytes of another name.
    package init(permanent utf8: UnsafeBufferPointer<UInt8>) {
        self.utf8 = utf8
    }

    /// The name as a string, built at each read.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// Whether both names have the same text.
    public static func == (lhs: MiddlewareName, rhs: MiddlewareName) -> Bool {
        lhs.utf8.count == rhs.utf8.count
            && (lhs.utf8.baseAddress == rhs.utf8.baseAddress || lhs.utf8.elementsEqual(rhs.utf8))
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: UnsafeRawBufferPointer(utf8))
    }
}

/// The names that were made at run time.
private final class InternedNames: Sendable {
    static let shared = InternedNames()

    private let known = Locked<[[UInt8]: UnsafeSendableBytes]>([:])

    func utf8(of text: String) -> UnsafeBufferPointer<UInt8> {
        // Looked up by bytes, as names are compared: two equal strings may differ in their bytes.
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

/// Bytes that never change.
private struct UnsafeSendableBytes: @unchecked Sendable {
    // Unchecked for the same reason as `MiddlewareName`.
    let utf8: UnsafeBufferPointer<UInt8>
}
