// SPDX-License-Identifier: Apache-2.0

extension StoreState: RandomAccessCollection, MutableCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral {
    /// Creates a state of these substates, in this order.
    public init(arrayLiteral elements: any SubstateType...) {
        self.init()
        append(contentsOf: elements)
    }

    /// The index of the first substate: 0.
    public var startIndex: Int { 0 }

    /// The number of substates.
    public var endIndex: Int { tree.count }

    /// The substate at an index, in the order of registration. The setter also accepts a substate of another type.
    public subscript(position: Int) -> any SubstateType {
        get {
            precondition(indices.contains(position), "there is no substate at place \(position): there are \(count)")
            // Every box in the tree has a substate.
            return tree.box(at: position).substate!
        }
        set {
            precondition(indices.contains(position), "there is no substate at place \(position): there are \(count)")
            let old = boxTypeID(of: self[position])
            tree.ownedSlot(at: position).pointee = makeBox(newValue)
            if old != boxTypeID(of: newValue) { findPlaces() }
        }
    }

    /// Registers a substate after the others. If a substate of the same type is registered already, both are kept, and
    /// look-ups by type return the first one.
    public mutating func append(_ substate: any SubstateType) {
        let type = boxTypeID(of: substate)
        if places[type] == nil { places.set(tree.count, for: type) }
        tree.append(makeBox(substate))
    }

    /// Registers substates after the others, in their order.
    public mutating func append<Substates: Sequence>(contentsOf substates: Substates)
    where Substates.Element == any SubstateType {
        for substate in substates { append(substate) }
    }

    /// Removes all substates.
    public mutating func removeAll(keepingCapacity: Bool = false) {
        self = StoreState()
    }

    /// Replaces some substates by others. All substates are put into a new table: the cost grows with their number.
    public mutating func replaceSubrange<Substates: Collection>(_ range: Range<Int>, with substates: Substates)
    where Substates.Element == any SubstateType {
        var all = Array(self)
        all.replaceSubrange(range, with: substates)
        self = StoreState()
        append(contentsOf: all)
    }

    private mutating func findPlaces() {
        places = TypeTable()
        for place in indices.reversed() { places.set(place, for: boxTypeID(of: self[place])) }
    }
}

/// Returns the type of a substate that its existential, and therefore its box, stores. `type(of:)` would return the
/// subclass if a variable of a class type holds an object of a subclass.
private func boxTypeID(of substate: any SubstateType) -> ObjectIdentifier {
    func open<Actual: SubstateType>(_ substate: Actual) -> ObjectIdentifier { ObjectIdentifier(Actual.self) }
    return open(substate)
}

private func makeBox<Substate: SubstateType>(_ substate: Substate) -> AnySubstateBox {
    SubstateBox(substate)
}
