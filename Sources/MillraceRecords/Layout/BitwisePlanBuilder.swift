// SPDX-License-Identifier: Apache-2.0

/// Visits every field of a type, and collects the steps of a ``BitwisePlan``, or finds the field that cannot be
/// written.
struct BitwisePlanBuilder {
    var steps: [BitwisePlan.Step] = []
    var choices: [BitwisePlan.Choice] = []
    var cases: [BitwisePlan.Case] = []
    var masks: [UInt8] = []
    var text = LayoutText()

    /// The types of which every bit pattern is a value.
    private static let numbers: Set<UInt> = Set(
        [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
            Float.self, Double.self,
        ].map { (type: Any.Type) in UInt(bitPattern: TypeMetadata(type).address) }
    )

    /// Returns the steps for a value of a type that begins at offset 0, in ascending order.
    mutating func walk(_ type: TypeMetadata, path: String) throws(LayoutError) -> [BitwisePlan.Step] {
        if Self.numbers.contains(UInt(bitPattern: type.address)) { return [] }
        if type == TypeMetadata(Bool.self) { return [.init(kind: .below, offset: 0, argument: 2)] }
        if type == TypeMetadata(Unicode.Scalar.self) { return [.init(kind: .scalar, offset: 0, argument: 0)] }

        func refused(_ reason: LayoutError.Reason) -> LayoutError {
            LayoutError(path: path, type: type.name, reason: reason)
        }
        switch type.kind {
        case .structure where type.type is any _Pointer.Type: throw refused(.reference)
        case .structure:
            if type.isImported { throw refused(.importedFromC) }
            guard let fields = type.fields else { throw refused(.unknownFields) }
            return try walk(type, fields: fields, word: "struct", path: path)
        case .tuple:
            return try walk(type, fields: type.fields ?? [], word: "tuple", path: path)
        case .array:
            return try walkArray(type, path: path)
        case .enumeration:
            if type.isImported { throw refused(.importedFromC) }
            guard let fields = type.fields else { throw refused(.unknownFields) }
            return try walkEnum(type, cases: fields, path: path)
        case .opaque:
            throw refused(type.name.contains("Pointer") ? .reference : .unknownFields)
        case .function, .existential, .metatype, .object:
            throw refused(.reference)
        }
    }

    private mutating func walk(
        _ type: TypeMetadata,
        fields: [TypeField],
        word: String,
        path: String
    ) throws(LayoutError) -> [BitwisePlan.Step] {
        var found: [BitwisePlan.Step] = []
        var described: [String] = []
        var end = 0
        for field in fields {
            guard let fieldType = field.type else { continue }
            let name = "\(path).\(field.name)"
            if field.isUnowned { throw LayoutError(path: name, type: fieldType.name, reason: .reference) }
            let inner = try walk(fieldType, path: name)
            if field.offset > end {
                found.append(.init(kind: .zero, offset: Int32(end), argument: Int32(field.offset - end)))
            }
            found += inner.map { $0.moved(by: field.offset) }
            end = field.offset + fieldType.size
            described.append("\(field.name) \(reference(to: fieldType)) @\(field.offset)")
        }
        describe(
            type,
            "\(word) \(type.name) size \(type.size) stride \(type.stride) { \(described.joined(separator: "; ")) }"
        )
        return found
    }

    private mutating func walkArray(_ type: TypeMetadata, path: String) throws(LayoutError) -> [BitwisePlan.Step] {
        let (element, count) = type.arrayElements
        let inner = try walk(element, path: "\(path)[0]")
        let padding = element.stride - element.size
        var found: [BitwisePlan.Step] = []
        for index in 0..<max(count, 0) where !inner.isEmpty || padding > 0 {
            found += inner.map { $0.moved(by: index * element.stride) }
            if padding > 0, index + 1 < count {
                let offset = Int32(index * element.stride + element.size)
                found.append(.init(kind: .zero, offset: offset, argument: Int32(padding)))
            }
        }
        describe(type, "array of \(count) size \(type.size) { \(reference(to: element)) }")
        return found
    }

    /// Returns the name of a number type, Boolean or scalar, or the line number of another type.
    mutating func reference(to type: TypeMetadata) -> String {
        if Self.numbers.contains(UInt(bitPattern: type.address)) || type == TypeMetadata(Bool.self)
            || type == TypeMetadata(Unicode.Scalar.self)
        {
            return type.name
        }
        return "#\(text.number(of: type).number)"
    }

    mutating func describe(_ type: TypeMetadata, _ line: String) {
        text.set(line, of: text.number(of: type).number)
    }

    /// Whether the steps change nothing when a value is written.
    func isPlain(_ steps: [BitwisePlan.Step]) -> Bool {
        steps.allSatisfy { step in
            switch step.kind {
            case .zero: false
            case .below, .scalar: true
            case .choice: choices[Int(step.argument)].isPlain
            }
        }
    }
}

extension BitwisePlan.Step {
    func moved(by distance: Int) -> BitwisePlan.Step {
        BitwisePlan.Step(kind: kind, offset: offset + Int32(distance), argument: argument)
    }
}
