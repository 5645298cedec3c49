// SPDX-License-Identifier: Apache-2.0

/// What the Swift runtime knows of a type: its kind, size, fields and cases.
///
/// It reads the metadata that the compiler emits for every type. Their form is part of Swift's ABI
/// (docs/ABI/TypeMetadata.rst of the compiler).
struct TypeMetadata: Equatable {
    /// The address of the type's metadata, which the runtime never frees.
    let address: UnsafeRawPointer

    init(_ type: Any.Type) {
        address = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    var type: Any.Type { unsafeBitCast(address, to: Any.Type.self) }

    enum Kind {
        case structure, enumeration, tuple, function, existential, metatype, array, opaque, object
    }

    var kind: Kind {
        switch word(0) {
        case 0x200: .structure
        case 0x201, 0x202: .enumeration
        case 0x300: .opaque
        case 0x301: .tuple
        case 0x302: .function
        case 0x303, 0x307: .existential
        case 0x304, 0x306: .metatype
        case 0x308: .array
        default: .object
        }
    }

    func word(_ index: Int) -> UInt {
        address.load(fromByteOffset: index * 8, as: UInt.self)
    }

    // The value witness table, whose address is before the metadata: eight functions, then size, stride and flags; for
    // enums, three more functions.
    private var witnesses: UnsafeRawPointer { UnsafeRawPointer(bitPattern: word(-1))! }
    var size: Int { witnesses.load(fromByteOffset: 64, as: Int.self) }
    var stride: Int { witnesses.load(fromByteOffset: 72, as: Int.self) }
    var alignment: Int { Int(witnesses.load(fromByteOffset: 80, as: UInt32.self) & 0xFF) + 1 }

    /// Whether an existential stores values of this type in its own three words; if not, they are in a box.
    var isInlineInExistential: Bool { witnesses.load(fromByteOffset: 80, as: UInt32.self) & 0x2_0000 == 0 }

    typealias Destroy = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    typealias Copy =
        @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer
    typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    var destroy: Destroy { witness(8) }
    var copy: Copy { witness(16) }
    var getTag: GetTag { witness(88) }
    var project: Project { witness(96) }
    var inject: Inject { witness(104) }

    private func witness<Function>(_ offset: Int) -> Function {
        witnesses.load(fromByteOffset: offset, as: Function.self)
    }

    /// The description of a struct or an enum that all its specialisations share.
    var descriptor: UnsafeRawPointer { UnsafeRawPointer(bitPattern: word(1))! }

    /// Whether the type comes from C. Its metadata do not describe it completely.
    var isImported: Bool {
        (descriptor.load(as: UInt32.self) >> 16) & 4 != 0
    }

    /// The name without the module, for reports.
    var name: String { _typeName(type, qualified: false) }
}
