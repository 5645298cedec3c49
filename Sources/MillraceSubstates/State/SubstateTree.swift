// SPDX-License-Identifier: Apache-2.0

/// A tree of the boxes of the substates, in their order. Two copies of the tree share all branches that neither has
/// changed.
///
/// To change a box, the tree copies the branches on the path to it that another copy of the tree also holds. These are
/// at most four branches of eight places, for up to 4,096 boxes. So a change costs the same for 10 substates as for
/// 1,000.
@usableFromInline
struct SubstateTree: @unchecked Sendable {
    // Unchecked because branches and boxes are changed only while one tree alone holds them.
    private var root = Branch()
    /// The number of branches on the path to a box.
    private var height = 4
    private(set) var count = 0

    private static var bits: Int { Branch.bits }

    /// Returns the box at a place below `count`.
    @usableFromInline
    func box(at place: Int) -> AnySubstateBox {
        var branch = root
        var level = height - 1
        while level > 0 {
            branch = branch.branch(Self.digit(place, level))
            level -= 1
        }
        return branch.box(Self.digit(place, 0))
    }

    /// Returns the address of the box at a place. First it copies the branches on the path that other trees also hold.
    /// The address is valid until the next use of the tree. The box itself may still be shared.
    @usableFromInline
    mutating func ownedSlot(at place: Int) -> UnsafeMutablePointer<AnyObject?> {
        if !isKnownUniquelyReferenced(&root) { root = Branch(root) }
        var slots = root.slots
        var level = height - 1
        while level > 0 {
            slots = Branch.owned(slots + Self.digit(place, level)).slots
            level -= 1
        }
        return slots + Self.digit(place, 0)
    }

    mutating func append(_ box: AnySubstateBox) {
        if count == 1 << (height * Self.bits) {
            let taller = Branch()
            taller.slots[0] = root
            root = taller
            height += 1
        }
        count += 1
        ownedSlot(at: count - 1).pointee = box
    }

    private static func digit(_ place: Int, _ level: Int) -> Int {
        (place >> (level * bits)) & (Branch.width - 1)
    }
}

/// A node with eight places for branches, or on the lowest level for boxes.
private final class Branch {
    static var bits: Int { 3 }
    static var width: Int { 1 << bits }

    // A tuple and not a buffer, so that the compiler can copy and destroy it without calls of the runtime. Exclusivity
    // is off because only a tree that alone holds the branch changes it, as with the elements of an array.
    @exclusivity(unchecked) private var places:
        (AnyObject?, AnyObject?, AnyObject?, AnyObject?, AnyObject?, AnyObject?, AnyObject?, AnyObject?)

    /// The address of the places. Readers on several threads use it: `&places` would be an access that changes them.
    @exclusivity(unchecked) private var address: UnsafeMutablePointer<AnyObject?>?

    /// Creates an empty branch.
    init() {
        places = (nil, nil, nil, nil, nil, nil, nil, nil)
        takeAddress()
    }

    /// Creates a copy of a branch, which shares what is below it.
    init(_ branch: Branch) {
        places = branch.places
        takeAddress()
    }

    /// A stored property has its own memory, which lives as long as the branch. The elements of a tuple of one type lie
    /// side by side.
    private func takeAddress() {
        address = withUnsafeMutablePointer(to: &places) {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: AnyObject?.self)
        }
    }

    /// The places.
    var slots: UnsafeMutablePointer<AnyObject?> { address.unsafelyUnwrapped }

    /// The box at a place of the lowest level.
    func box(_ place: Int) -> AnySubstateBox { unsafeDowncast(slots[place]!, to: AnySubstateBox.self) }

    /// The branch at a place of a higher level.
    func branch(_ place: Int) -> Branch { unsafeDowncast(slots[place]!, to: Branch.self) }

    /// Returns the branch at a place. If there is none, creates it; if another tree also holds it, copies it.
    static func owned(_ slot: UnsafeMutablePointer<AnyObject?>) -> Branch {
        guard slot.pointee != nil else {
            let branch = Branch()
            slot.pointee = branch
            return branch
        }
        if !isKnownUniquelyReferenced(&slot.pointee) {
            slot.pointee = Branch(unsafeDowncast(slot.pointee!, to: Branch.self))
        }
        return unsafeDowncast(slot.pointee!, to: Branch.self)
    }
}
