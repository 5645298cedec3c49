// SPDX-License-Identifier: Apache-2.0

/// The older versions that a codec reads, from the newest to the oldest, without a gap.
struct Upcasters<Action>: Sendable {
    private struct Older: Sendable {
        let versions: ClosedRange<Int>
        let route: @Sendable (String, RecordType) throws(CodecError) -> Int?
        let decode: @Sendable (UnsafeRawBufferPointer, Int) throws(CodecError) -> Action
    }

    private var all: [Older] = []

    /// The oldest version that a codec can read if it writes `version`.
    func oldest(_ version: Int) -> Int {
        all.last?.versions.lowerBound ?? version
    }

    /// Adds an upcaster below the others.
    mutating func add<Codec: ActionCodec>(
        _ codec: Codec,
        oldest: Int,
        below version: Int,
        _ convert: @escaping @Sendable (Codec.Action) throws -> Action
    ) throws(CodecError) {
        let from = codec.schema.type.version
        guard from == self.oldest(version) - 1 else { throw .gap(from: from, expected: self.oldest(version) - 1) }
        let name = _typeName(Action.self, qualified: false)
        all.append(
            Older(versions: oldest...from) { (kind, type) throws(CodecError) in
                try codec.route(for: kind, of: type)
            } decode: { (bytes, route) throws(CodecError) in
                let old = try codec.decode(bytes, route: route)
                do {
                    return try convert(old)
                } catch {
                    throw .notDecodable(
                        type: name,
                        reason: "its upcaster from version \(from) threw \(error)",
                        offset: nil
                    )
                }
            }
        )
    }

    // route = (route of the older codec) × 65,536 + (number of the upcaster, from 1)

    func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        guard let index = all.firstIndex(where: { $0.versions.contains(type.version) }) else { return nil }
        return try all[index].route(kind, type).map { ($0 << 16) + index + 1 }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action {
        try all[(route & 0xFFFF) - 1].decode(bytes, route >> 16)
    }
}
