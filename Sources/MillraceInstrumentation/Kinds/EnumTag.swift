// SPDX-License-Identifier: Apache-2.0

/// Reads the case of an enum value, with the function that the compiler generated for the type.
///
/// The layout is part of Swift's stable ABI. The word before a type's metadata is the address of its value witness
/// table. The flags in that table say whether the type is an enum. If it is one, `getEnumTag` follows the flags.
struct EnumTag: @unchecked Sendable {
    // Unchecked because the pointer is to a type's metadata, which is constant and never freed.
    private typealias Witness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

    private let metadata: UnsafeRawPointer
    private let witness: Witness

    /// The kinds of metadata.
    private static let enumeration = 0x201
    private static let optional = 0x202
    /// `any P` and `Any`.
    private static let existential = 0x303
    /// `any P.Type`.
    private static let existentialMetatype = 0x306
    /// `any P<Int>`: an existential with constraints.
    private static let extendedExistential = 0x307

    /// Offsets in a value witness table: eight functions, size, stride, flags, then the functions of enums.
    private static let flagsAt = 10 * 8
    private static let getEnumTagAt = 11 * 8
    private static let hasEnumWitnesses: UInt32 = 0x0020_0000

    /// Returns nil if the type is not an enum.
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

    /// Returns whether the type is an existential, whose values hold values of other types.
    static func isExistential<Value>(_ type: Value.Type) -> Bool {
        [existential, existentialMetatype, extendedExistential].contains(metadataKind(of: type))
    }

    private static func metadataKind<Value>(of type: Value.Type) -> Int {
        metadata(of: type).load(as: Int.self)
    }

    private static func metadata<Value>(of type: Value.Type) -> UnsafeRawPointer {
        unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    }

    /// Returns the case of the value at an address, counted from 0.
    func callAsFunction(_ value: UnsafeRawPointer) -> Int {
        Int(witness(value, metadata))
    }
}

/// The Swift runtime's function that returns the name of a value's case.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Returns the name of the value's case; nil if the value is not of an enum type.
func caseName<Value>(of value: Value) -> String? {
    enumCaseName(value).map { String(cString: $0) }
}
