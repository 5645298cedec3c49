// SPDX-License-Identifier: Apache-2.0

extension HashPlan {
    /// How values of a protocol type are hashed: the name of the type that is in it, then the value. Nil for protocols of
    /// classes, and for parameterised protocol types.
    static func existential(_ type: TypeMetadata) -> Leaf? {
        guard type.word(0) == 0x303 else { return nil }
        let flags = UInt32(truncatingIfNeeded: type.word(1))
        if (flags >> 24) & 0x3F == 1 { return combineError }
        // A protocol of classes has this bit off.
        guard flags & 0x8000_0000 != 0 else { return nil }
        return combineOpaque
    }

    /// An error is in a box of its own kind.
    private static func combineError(
        _ place: UnsafeRawPointer,
        _ hasher: inout CanonicalHasher
    ) throws(CanonicalHashError) {
        func combine<Failure: Error>(
            _ error: Failure,
            _ hasher: inout CanonicalHasher
        ) throws(CanonicalHashError) {
            hasher.combine(text: _typeName(Failure.self, qualified: false))
            try hasher.combine(error)
        }
        try combine(place.assumingMemoryBound(to: (any Error).self).pointee, &hasher)
    }

    /// Three words that hold the value or the address of its box, then the type.
    private static func combineOpaque(
        _ place: UnsafeRawPointer,
        _ hasher: inout CanonicalHasher
    ) throws(CanonicalHashError) {
        let type = TypeMetadata(place.load(fromByteOffset: 24, as: Any.Type.self))
        hasher.combine(text: type.name)
        let value =
            type.isInlineInExistential
            ? place : place.load(as: UnsafeRawPointer.self) + max(16, type.alignment)
        do throws(CanonicalHashError) {
            try HashPlan.of(type.type).run(value, into: &hasher)
        } catch {
            throw error.inside(type.name)
        }
    }
}
