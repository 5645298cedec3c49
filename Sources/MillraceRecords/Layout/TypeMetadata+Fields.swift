// SPDX-License-Identifier: Apache-2.0

/// A field of a struct, an element of a tuple, or a case of an enum.
struct TypeField {
    let name: String
    /// Nil for a case without a payload.
    let type: TypeMetadata?
    /// From the start of the value; 0 for a case.
    let offset: Int
    /// Whether the payload of a case is in a box.
    let isIndirect: Bool
    /// Whether the field is a weak or unowned reference, whose memory differs from that of its type.
    let isUnowned: Bool
}

extension TypeMetadata {
    /// The fields of a struct in the order of declaration, or the cases of an enum in the order of their tags: those
    /// with a payload first. Nil if the metadata do not list them.
    var fields: [TypeField]? {
        switch kind {
        case .tuple: tupleElements
        case .structure, .enumeration: describedFields
        default: nil
        }
    }

    private var tupleElements: [TypeField] {
        let labels = UnsafePointer<CChar>(bitPattern: word(2)).map { String(cString: $0) } ?? ""
        let names = labels.split(separator: " ", omittingEmptySubsequences: false)
        return (0..<Int(word(1))).map { index in
            TypeField(
                name: index < names.count && !names[index].isEmpty ? String(names[index]) : "\(index)",
                type: TypeMetadata(unsafeBitCast(word(3 + 2 * index), to: Any.Type.self)),
                // The offset has 32 bits; the other 32 bits are padding with any contents.
                offset: Int(word(4 + 2 * index) & 0xFFFF_FFFF),
                isIndirect: false,
                isUnowned: false
            )
        }
    }

    private var describedFields: [TypeField]? {
        guard let table = relative(descriptor + 16) else { return nil }
        let size = Int(table.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(table.load(fromByteOffset: 12, as: UInt32.self))
        let isStructure = kind == .structure
        // A struct's descriptor has the number of fields; an enum's has the numbers of cases with and without a
        // payload.
        let first = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self))
        let second = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
        guard size >= 12, count == (isStructure ? first : (first & 0xFF_FFFF) + second) else { return nil }
        let offsets = address + second * 8

        var fields: [TypeField] = []
        for index in 0..<count {
            let record = table + 16 + index * size
            guard let nameAddress = relative(record + 8) else { return nil }
            var type: TypeMetadata?
            var isUnowned = false
            if let mangled = relative(record + 4) {
                let length = Self.length(ofMangled: mangled)
                let bytes = mangled.assumingMemoryBound(to: UInt8.self)
                guard
                    let found = _getTypeByMangledNameInContext(
                        bytes,
                        UInt(length),
                        genericContext: descriptor,
                        genericArguments: address + 16
                    )
                else { return nil }
                type = TypeMetadata(found)
                // The mangled type names of weak, unowned and unowned(unsafe) fields end with Xw, Xo, Xu.
                isUnowned =
                    length > 2 && bytes[length - 2] == UInt8(ascii: "X")
                    && [UInt8(ascii: "w"), UInt8(ascii: "o"), UInt8(ascii: "u")].contains(bytes[length - 1])
            }
            fields.append(
                TypeField(
                    name: String(cString: nameAddress.assumingMemoryBound(to: CChar.self)),
                    type: type,
                    offset: isStructure ? Int(offsets.load(fromByteOffset: index * 4, as: UInt32.self)) : 0,
                    isIndirect: record.load(as: UInt32.self) & 1 != 0,
                    isUnowned: isUnowned
                )
            )
        }
        return fields
    }

    /// The element type and count of a fixed array in the memory of a value.
    var arrayElements: (type: TypeMetadata, count: Int) {
        (TypeMetadata(unsafeBitCast(word(2), to: Any.Type.self)), Int(word(1)))
    }

    /// Follows a reference that is stored as a distance; nil if there is none.
    private func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }

    /// The number of bytes of a mangled name: some of its characters are followed by a reference, which may hold zeros.
    private static func length(ofMangled name: UnsafeRawPointer) -> Int {
        var end = name
        while true {
            switch end.load(as: UInt8.self) {
            case 0: return end - name
            case 0x01...0x17: end += 5
            case 0x18...0x1F: end += 9
            default: end += 1
            }
        }
    }
}
