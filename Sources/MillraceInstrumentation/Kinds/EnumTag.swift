// SPDX-License-Identifier: Apache-2.0

/// Reads which case a value of an enumeration is, by the function that the compiler has made for the type.
///
/// The layout is part of Swift's stable ABI: before a type's metadata lies the address of its value witness table;
/// that of an enumeration says so in its flags, and goes on with `getEnumTag`.
struct EnumTag: @unchecked Sendable {
    // Unchecked because the pointer is to a type's metadata, which are constant and never freed.
    private typealias Witness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

    private let metadata: UnsafeRawPointer
    private let witness: Witness

    /// Kinds of metadata.
    private static let enumeration = 0x201
    private static let optional = 0x202
    /// `any P`, and `Any`.
    private static let existential = 0x303
    /// `any P.Type`.
    private static let existentialMetatype = 0x306
    /// `any P<Int>`: with constraints.
    private static let extendedExistential = 0x307

    /// Words of a value witness table: eight functions, size, stride, flags, then those of enumerations.
    private static let flagsAt = 10 * 8
    private static let getEnumTagAt = 11 * 8
    private static let hasEnumWitnesses: UInt32 = 0x0020_0000

    /// Nil for a type that is no enumeration.
    init?<Value>(_ type: Value.Type) {
        let kind = Self.metadataKind(of: type)
        guard kind == Self.enumeration || kind == Self.optional else { return nil }
        metadata = Self.metadata(of: type)
        let table = metadata.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
        guard table.load(fromByteOffset: Self.flagsAt, as: UInt32.self) & Self.hasEnumWitnesses != 0 else { return nil }
        witness = unsafeBitCast(
            table.load(fromByteOffset: Self.getEnumTagAt, as: UnsafeRawPointer.self),
            to: Witness.self
        )
    }

    /// Whether values of the type are boxes around values of other types.
    static func isExistential<Value>(_ type: Value.Type) -> Bool {
        [existential, existentialMetatype, extendedExistential].contains(metadataKind(of: type))
    }

    private static func metadataKind<Value>(of type: Value.Type) -> Int {
        metadata(of: type).load(as: Int.self)
    }

    private static func metadata<Value>(of type: Value.Type) -> UnsafeRawPointer {
        unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    }

    /// The case of the value at an address, from 0.
    func callAsFunction(_ value: UnsafeRawPointer) -> Int {
        Int(witness(value, metadata))
    }
}

/// The Swift runtime's own, which is what prints a case.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Its name as text; nil for what is no enumeration.
func caseName<Value>(of value: Value) -> String? {
    enumCaseName(value).map { String(cString: $0) }
}
