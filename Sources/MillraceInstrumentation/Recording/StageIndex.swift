// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Which place in a ``Recording`` a stage has. It belongs to the pipeline's thread, and its
/// memory is the owner's to give back.
struct StageIndex {
    /// The places of the stages that every store has; those of middlewares follow.
    static let queue = 0
    static let reducers = 1
    static let effects = 2
    static let publication = 3
    static let total = 4
    /// Of the middlewares whose names found no place, together; and of one that is called so.
    static let other = 5
    static let fixed = 6

    /// Places for names that are met only later: of plugins, or in a container of the user's that tells a store of none.
    static let spare = 16

    /// The most stages.
    let limit: Int
    /// The names by place; only ever added to.
    private(set) var names = ["queue", "reducers", "effects", "publication", "total", "other"]
    /// Names by their address in the program, and their places: the same text may have several.
    private let known: UnsafeMutablePointer<(address: UInt, index: Int)>
    private var count = 0
    /// Where the next one is looked for: they come in the same order at every action.
    private var cursor = 0

    /// The most addresses: of one text there may be one in each file. A name beyond them is looked up by its text.
    private static let mostKnown = 256

    /// Bytes of the table of addresses.
    static var bytes: Int { mostKnown * MemoryLayout<(address: UInt, index: Int)>.stride }

    init(_ middlewares: [MiddlewareName]) {
        let texts = Set(middlewares.map(\.description)).subtracting([names[Self.other]])
        limit = Self.fixed + texts.count + Self.spare
        known = .allocate(capacity: Self.mostKnown)
        for name in middlewares { _ = index(of: name) }
        cursor = 0
    }

    /// The place of a name: its own, as long as there are any, then that of all others.
    @inline(__always)
    mutating func index(of name: MiddlewareName) -> Int {
        let address = UInt(bitPattern: name.utf8.baseAddress)
        if cursor < count, known[cursor].address == address { return found(cursor) }
        return find(name, address)
    }

    @inline(never)
    private mutating func find(_ name: MiddlewareName, _ address: UInt) -> Int {
        for place in 0..<count where known[place].address == address { return found(place) }
        return add(name, address)
    }

    /// Not to be used any more.
    func deallocate() {
        known.deallocate()
    }

    @inline(__always)
    private mutating func found(_ place: Int) -> Int {
        cursor = place + 1 == count ? 0 : place + 1
        return known[place].index
    }

    private mutating func add(_ name: MiddlewareName, _ address: UInt) -> Int {
        let text = name.description
        var index = names[Self.other...].firstIndex(of: text) ?? Self.other
        if index == Self.other, text != names[Self.other], names.count < limit {
            index = names.count
            names.append(text)
        }
        if count < Self.mostKnown {
            (known + count).initialize(to: (address, index))
            count += 1
        }
        return index
    }

    /// The places in the order in which they are shown, with their roles.
    static func shown(_ names: [String]) -> [(index: Int, role: StageSnapshot.Role)] {
        [(queue, .queue)] + (fixed..<max(fixed, names.count)).map { ($0, .middleware) }
            + [
                (other, .middleware), (reducers, .reducers), (publication, .publication), (effects, .effects),
                (total, .total),
            ]
    }
}
