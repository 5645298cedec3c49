// SPDX-License-Identifier: Apache-2.0

/// The substates of a store, in the order in which they were registered.
///
/// ```swift
/// let state: StoreState = [Tasks(), Filter.all]
/// state[Tasks.self]                       // Optional(Tasks())
/// try state.substate(Tasks.self)          // throws if there is none
/// ```
///
/// It is a collection of `any SubstateType`, like RxState's `[SubstateType]`. If two substates of a type are
/// registered, both are kept, and look-ups by type return the first one.
///
/// **Cost.** A look-up by type is one look-up in a hash table. Changing a substate in place costs the same whether
/// there are ten others or a thousand. Only the substate and at most four small nodes are copied, and only if a
/// published state or another copy shares them. Registering substates copies the hash table of the types, if another
/// copy of the state shares it.
public struct StoreState: Sendable {
    @usableFromInline var tree = SubstateTree()
    /// The first place of each type.
    @usableFromInline var places = TypeTable<Int>()

    /// Creates a state without substates.
    public init() {}

    /// The substate of a type, the first one if there are several; nil if there is none.
    @inlinable
    public subscript<Substate: SubstateType>(_ type: Substate.Type) -> Substate? {
        box(of: type)?.value
    }

    /// Whether a substate of a type is registered.
    public func contains<Substate: SubstateType>(_ type: Substate.Type) -> Bool {
        places[ObjectIdentifier(type)] != nil
    }

    /// Returns the substate of a type, the first one if there are several.
    ///
    /// - Throws: ``SubstateError/missingSubstate(_:action:)`` if there is none.
    public func substate<Substate: SubstateType>(_ type: Substate.Type = Substate.self) throws(SubstateError)
        -> Substate
    {
        guard let box = box(of: type) else { throw .missing(type) }
        return box.value
    }

    /// Changes the substate of a type in place, the first one if there are several.
    ///
    /// ```swift
    /// try state.update(Tasks.self) { $0.titles.append("milk") }
    /// ```
    ///
    /// - Throws: ``SubstateError/missingSubstate(_:action:)`` if there is none, and what the closure throws.
    @discardableResult
    @inlinable
    public mutating func update<Substate: SubstateType, Result>(
        _ type: Substate.Type,
        _ change: (inout Substate) throws -> Result
    ) throws -> Result {
        guard let place = places[ObjectIdentifier(type)] else { throw SubstateError.missing(type) }
        return try change(&ownedBox(at: place, of: type).value)
    }

    @inlinable
    func box<Substate: SubstateType>(of type: Substate.Type) -> SubstateBox<Substate>? {
        guard let place = places[ObjectIdentifier(type)] else { return nil }
        return unsafeDowncast(tree.box(at: place), to: SubstateBox<Substate>.self)
    }

    /// Returns the box at a place for changes. The substate at this place must have this type.
    @inlinable
    mutating func ownedBox<Substate: SubstateType>(
        at place: Int,
        of type: Substate.Type
    ) -> SubstateBox<Substate> {
        let slot = tree.ownedSlot(at: place)
        if !isKnownUniquelyReferenced(&slot.pointee) {
            slot.pointee = SubstateBox(unsafeDowncast(slot.pointee!, to: SubstateBox<Substate>.self).value)
        }
        return unsafeDowncast(slot.pointee!, to: SubstateBox<Substate>.self)
    }
}

extension StoreState: Equatable {
    /// Whether both states have equal substates in the same order. Substates whose type is not Equatable are equal only
    /// if both states share the same substate, that is, neither has changed it.
    public static func == (lhs: StoreState, rhs: StoreState) -> Bool {
        lhs.count == rhs.count && lhs.indices.allSatisfy { lhs.tree.box(at: $0).isEqual(to: rhs.tree.box(at: $0)) }
    }
}

extension StoreState: CustomStringConvertible {
    /// The substates in one line: `[Tasks(titles: []), Filter.all]`.
    public var description: String { "\(Array(self))" }
}
