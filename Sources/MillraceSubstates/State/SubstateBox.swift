// SPDX-License-Identifier: Apache-2.0

/// One substate, as the tree of a state holds it. Snapshots share the box, so it is changed only while one state alone
/// holds it.
@usableFromInline
class AnySubstateBox {
    @usableFromInline
    init() {}

    /// The substate; nil only in this base class.
    var substate: (any SubstateType)? { nil }

    /// Whether the substates are equal. Substates that are not Equatable are equal only if they are in the same box.
    func isEqual(to other: AnySubstateBox) -> Bool { self === other }
}

@usableFromInline
final class SubstateBox<Substate: SubstateType>: AnySubstateBox {
    // Exclusivity is off because only a state that alone holds the box changes it, as with the elements of an array.
    @usableFromInline @exclusivity(unchecked) var value: Substate

    @inlinable
    init(_ value: Substate) {
        self.value = value
        super.init()
    }

    override var substate: (any SubstateType)? { value }

    override func isEqual(to other: AnySubstateBox) -> Bool {
        if self === other { return true }
        guard let other = other as? SubstateBox<Substate> else { return false }
        return areEqual(value, other.value)
    }
}

/// Whether two values have the same type, are Equatable, and are equal.
func areEqual<Value>(_ first: Value, _ second: Any) -> Bool {
    guard let first = first as? any Equatable else { return false }
    return isEqual(first, second)
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
    guard let second = second as? Value else { return false }
    return first == second
}
