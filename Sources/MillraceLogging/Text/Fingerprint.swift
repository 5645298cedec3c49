// SPDX-License-Identifier: Apache-2.0

/// A hash of the contents of a value, for values whose description hides them. It shows whether two values differ, and
/// is never printed. Equal values have equal hashes in one run of the program.
///
/// Hashes at most 1,000 parts of a value. For a Hashable type it also uses the type's own hash. It does not look into
/// an object, because a lock may guard its fields. An object that is not Hashable is hashed by its identity.
struct Fingerprint {
    private var hasher = Hasher()
    private var placesLeft = 1_000

    static func of(_ value: Any) -> Int {
        var print = Fingerprint()
        if let value = value as? any Hashable { print.hasher.combine(AnyHashable(value)) }
        print.add(value, depth: 0)
        return print.hasher.finalize()
    }

    private mutating func add(_ value: Any, depth: Int) {
        guard placesLeft > 0, depth < mostDepth else { return }
        placesLeft -= 1
        let value = unwrapped(value)
        if let text = value as? any StringProtocol { return hasher.combine(String(text)) }
        if let object = objectIn(value) {
            if let object = value as? any Hashable { return hasher.combine(AnyHashable(object)) }
            return hasher.combine(ObjectIdentifier(object))
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .dictionary, .set: return addUnordered(mirror, depth)
        case .collection: hasher.combine(mirror.children.count)
        case .enum: hasher.combine(kindOfAnything(value))
        default: break
        }
        if mirror.children.isEmpty || isLeafOfFoundation(value, mirror) { return addLeaf(value) }
        for child in mirror.children {
            guard placesLeft > 0 else { return }
            add(child.value, depth: depth + 1)
        }
    }

    /// Adds the children of a dictionary or set. Their order does not matter.
    private mutating func addUnordered(_ mirror: Mirror, _ depth: Int) {
        let count = mirror.children.count
        hasher.combine(count)
        // Each child gets the same share of `placesLeft`. If there are more children than `placesLeft`, only their
        // number is hashed: otherwise their order would decide which of them are hashed.
        guard count > 0, count <= placesLeft else { return }
        let share = placesLeft / count
        placesLeft -= share * count
        var sum = 0
        for child in mirror.children {
            var print = Fingerprint()
            print.placesLeft = share
            print.add(child.value, depth: depth + 1)
            sum &+= print.hasher.finalize()
        }
        hasher.combine(sum)
    }

    private mutating func addLeaf(_ value: Any) {
        if let value = value as? any Hashable { hasher.combine(AnyHashable(value)) }
        if isWellKnownType(of: value), let text = leafText(value) { hasher.combine(text.shown) }
    }

    /// Returns whether to hash the text of a value and not its fields, which may only show where its bytes are stored.
    private func isLeafOfFoundation(_ value: Any, _ mirror: Mirror) -> Bool {
        switch mirror.displayStyle {
        case .struct, .class, nil: isWellKnownType(of: value)
        default: false
        }
    }
}
