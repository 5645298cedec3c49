// SPDX-License-Identifier: Apache-2.0

extension BitwisePlanBuilder {
    /// Finds the bits in which an enum stores the tags of its cases. It has the runtime write each tag over zeros and
    /// over ones: the bits that are equal in both results belong to the tag.
    mutating func walkEnum(
        _ type: TypeMetadata,
        cases fields: [TypeField],
        path: String
    ) throws(LayoutError) -> [BitwisePlan.Step] {
        let size = type.size
        var payloads: [[BitwisePlan.Step]] = []
        for field in fields {
            let name = "\(path).\(field.name)"
            if field.isIndirect || field.isUnowned {
                throw LayoutError(path: name, type: field.type?.name ?? type.name, reason: .reference)
            }
            payloads.append(try field.type.map { payload throws(LayoutError) in try walk(payload, path: name) } ?? [])
        }

        var tags: [(mask: [UInt8], bits: [UInt8])] = []
        for tag in fields.indices {
            let zeros = Self.injected(tag, of: type, over: 0)
            let ones = Self.injected(tag, of: type, over: 0xFF)
            let mask = zip(zeros.bytes, ones.bytes).map { ~($0 ^ $1) }
            // The runtime must read the same tag back, and must clear exactly the bits of the tag in the payload.
            let payload = fields[tag].type?.size ?? 0
            guard zeros.tag == tag, payload <= size,
                (0..<payload).allSatisfy({ ones.projected[$0] == ~mask[$0] })
            else { throw LayoutError(path: path, type: type.name, reason: .unknownTags) }
            tags.append((mask, zeros.bytes))
        }

        describe(type, line(of: type, cases: fields, tags: tags))
        if fields.count == 1, !tags[0].mask.contains(where: { $0 != 0 }), fields[0].type?.size ?? 0 == size {
            return payloads[0]
        }
        // A payload of no bytes may have steps, too: those of a type without values, such as Never.
        let isCounted =
            size == 1 && fields.count <= 256 && payloads.allSatisfy(\.isEmpty)
            && tags.enumerated().allSatisfy { $1.mask == [0xFF] && $1.bits == [UInt8($0)] }
        if isCounted { return [.init(kind: .below, offset: 0, argument: Int32(fields.count))] }

        var made: [BitwisePlan.Case] = []
        var isPlain = true
        for (index, field) in fields.enumerated() {
            let (mask, bits) = tags[index]
            var own = payloads[index]
            // Bits that neither the payload nor the tag uses are padding.
            for byte in (field.type?.size ?? 0)..<size where mask[byte] != 0xFF {
                own.append(.init(kind: .zero, offset: Int32(byte), argument: 1))
            }
            if !self.isPlain(own) { isPlain = false }
            let low = mask.firstIndex { $0 != 0 } ?? 0
            let high = (mask.lastIndex { $0 != 0 } ?? -1) + 1
            made.append(
                .init(
                    low: Int32(min(low, high)),
                    high: Int32(high),
                    mask: Int32(masks.count),
                    firstStep: Int32(steps.count),
                    stepCount: Int32(own.count)
                )
            )
            if high > low { masks += mask[low..<high] + bits[low..<high] }
            steps += own
        }
        choices.append(
            .init(
                metadata: type.address,
                getTag: type.getTag,
                size: Int32(size),
                firstCase: Int32(cases.count),
                caseCount: Int32(made.count),
                payloadCount: Int32(fields.prefix { $0.type != nil }.count),
                isPlain: isPlain
            )
        )
        cases += made
        return [.init(kind: .choice, offset: 0, argument: Int32(choices.count - 1))]
    }

    private mutating func line(
        of type: TypeMetadata,
        cases: [TypeField],
        tags: [(mask: [UInt8], bits: [UInt8])]
    ) -> String {
        var described: [String] = []
        for (field, tag) in zip(cases, tags) {
            let hex = (tag.mask + tag.bits).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            let payload = field.type.map { " " + reference(to: $0) } ?? ""
            described.append("\(field.name)\(payload) tag \(String(hex as UInt64, radix: 16))")
        }
        return "enum \(type.name) size \(type.size) stride \(type.stride) { \(described.joined(separator: "; ")) }"
    }

    /// Writes a tag over a payload of equal bytes.
    private static func injected(
        _ tag: Int,
        of type: TypeMetadata,
        over byte: UInt8
    ) -> (bytes: [UInt8], tag: Int, projected: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: type.stride, alignment: max(16, type.alignment))
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: byte)
        let start = memory.baseAddress!
        type.inject(start, UInt32(tag), type.address)
        let bytes = Array(memory.prefix(type.size))
        // The tag is read only over zeros, which are a valid payload of every type.
        let found = byte == 0 ? Int(type.getTag(start, type.address)) : tag
        type.project(start, type.address)
        return (bytes, found, Array(memory.prefix(type.size)))
    }
}
