// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// How the values of a type are hashed. Made once for each type and kept.
final class HashPlan: @unchecked Sendable {
    // Unchecked because of `form`, which is written under the lock of `known` before the plan leaves it.

    /// Combines the value at an address.
    typealias Leaf = (UnsafeRawPointer, inout CanonicalHasher) throws(CanonicalHashError) -> Void

    private enum Form {
        case leaf(Leaf)
        case fields([(name: String, hash: UInt64, offset: Int, plan: HashPlan)])
        case cases(TypeMetadata, isSingle: Bool, [(name: String, hash: UInt64, boxOffset: Int?, payload: HashPlan?)])
        case refused(CanonicalHashError)
    }

    private var form: Form

    private static let known = Locked<[ObjectIdentifier: HashPlan]>([:])

    private init(_ form: Form) {
        self.form = form
    }

    /// The plan of a type.
    static func of(_ type: Any.Type) -> HashPlan {
        known.withLock { known in
            if let plan = known[ObjectIdentifier(type)] { return plan }
            return make(type, &known)
        }
    }

    /// Makes the plans of a type and of all types in it. A type may contain itself, so its plan is added before it is
    /// complete.
    private static func make(_ type: Any.Type, _ known: inout [ObjectIdentifier: HashPlan]) -> HashPlan {
        if let plan = known[ObjectIdentifier(type)] { return plan }
        let plan = HashPlan(.fields([]))
        known[ObjectIdentifier(type)] = plan
        plan.form = form(of: type, &known)
        return plan
    }

    private static func form(of type: Any.Type, _ known: inout [ObjectIdentifier: HashPlan]) -> Form {
        if let leaf = leaf(of: type) { return .leaf(leaf) }
        let metadata = TypeMetadata(type)
        func refused(_ reason: String) -> Form {
            .refused(CanonicalHashError(path: "", type: metadata.name, reason: reason))
        }
        switch metadata.kind {
        case .structure, .tuple:
            guard metadata.kind == .tuple || !metadata.isImported else { return refused("it comes from C") }
            guard let fields = metadata.fields else { return refused("its fields are not known") }
            return .fields(
                fields.compactMap { field in
                    field.type.map { type in
                        let plan = field.isUnowned ? unowned(type) : make(type.type, &known)
                        return (field.name, hash(of: field.name), field.offset, plan)
                    }
                }
            )
        case .enumeration:
            guard !metadata.isImported else { return refused("it comes from C") }
            guard let fields = metadata.fields else { return refused("its cases are not known") }
            return .cases(
                metadata,
                isSingle: fields.count { $0.type != nil } <= 1,
                fields.map { field in
                    let plan = field.type.map { field.isUnowned ? unowned($0) : make($0.type, &known) }
                    let boxOffset = field.isIndirect ? field.type.map { max(16, $0.alignment) } : nil
                    return (field.name, hash(of: field.name), boxOffset, plan)
                }
            )
        case .array:
            let (element, count) = metadata.arrayElements
            let plan = make(element.type, &known)
            return .fields((0..<count).map { ("\($0)", UInt64($0), $0 * element.stride, plan) })
        case .existential:
            guard let leaf = existential(metadata) else {
                return refused("it is a class or a parameterised protocol type")
            }
            return .leaf(leaf)
        case .object: return refused("it is a class, whose identity means nothing in another process")
        case .function: return refused("it is a closure")
        case .metatype: return refused("it is a type")
        case .opaque: return refused("it is a pointer, or of the runtime")
        }
    }

    private static func unowned(_ type: TypeMetadata) -> HashPlan {
        HashPlan(
            .refused(CanonicalHashError(path: "", type: type.name, reason: "it is a weak or unowned reference"))
        )
    }

    private static func hash(of name: String) -> UInt64 {
        var hasher = CanonicalHasher()
        hasher.combine(text: name)
        return hasher.finish()
    }

    private static func leaf<Value>(of type: Value.Type) -> Leaf? {
        (type as? any CanonicallyHashable.Type).map { leaf(ofHashable: $0) }
    }

    private static func leaf<Value: CanonicallyHashable>(ofHashable type: Value.Type) -> Leaf {
        { (place, hasher) throws(CanonicalHashError) in
            try place.assumingMemoryBound(to: Value.self).pointee.canonicallyHash(into: &hasher)
        }
    }

    /// Combines the value at an address.
    func run(_ value: UnsafeRawPointer, into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.depth += 1
        defer { hasher.depth -= 1 }
        // Each level is a call, so a limit with an error prevents an overflow of the stack.
        if hasher.depth > CanonicalHasher.deepest {
            throw CanonicalHashError(path: "", type: "…", reason: "it is nested in more than 1,000 others")
        }
        switch form {
        case .leaf(let leaf): try leaf(value, &hasher)
        case .fields(let fields):
            for field in fields {
                hasher.combine(word: field.hash)
                do {
                    try field.plan.run(value + field.offset, into: &hasher)
                } catch {
                    throw error.inside(field.name)
                }
            }
        case .cases(let type, let isSingle, let cases):
            let chosen = cases[Int(type.getTag(value, type.address))]
            hasher.combine(word: chosen.hash)
            guard let payload = chosen.payload else { return }
            do {
                try type.lendPayload(of: value, isOnly: isSingle, boxOffset: chosen.boxOffset) {
                    (place) throws(CanonicalHashError) in
                    try payload.run(place, into: &hasher)
                }
            } catch {
                throw error.inside(chosen.name)
            }
        case .refused(let error): throw error
        }
    }
}
