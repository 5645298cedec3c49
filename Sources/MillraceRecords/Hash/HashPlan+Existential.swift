// SPDX-License-Identifier: Apache-2.0

extension HashPlan {
    /// Returns how values of a protocol type are hashed: the name of the value's type, then the value. Nil for class
    /// protocols, and for parameterised protocol types.
    static func existential(_ type: TypeMetadata) -> Leaf? {
        guard type.word(0) == 0x303 else { return nil }
        let flags = UInt32(truncatingIfNeeded: type.word(1))
        if (flags >> 24) & 0x3F == 1 { return combineError }
        // This bit is not set for a class protocol.
        guard flags & 0x8000_0000 != 0 else { return nil }
        return combineOpaque
    }

    /// The box of an error has another layout.
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
