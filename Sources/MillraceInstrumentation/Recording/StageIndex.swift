// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

/// The index of each stage in a ``Recording``. Only the consumer uses it. Its owner must call `deallocate()`.
struct StageIndex {
    /// The indices of the stages that every store has. The indices of middlewares follow.
    static let queue = 0
    static let reducers = 1
    static let effects = 2
    static let publication = 3
    static let total = 4
    /// The stage shared by the middlewares whose names got no index, and by a middleware that is named `other`.
    static let other = 5
    static let journal = 6
    static let fixed = 7

    /// The number of indices for names that appear later, for example those of plugins, or of a user's container that
    /// does not report its names to the store.
    static let spare = 16

    /// The most stages.
    let limit: Int
    /// The names, by index. Names are only ever added.
    private(set) var names = ["queue", "reducers", "effects", "publication", "total", "other", "journal"]
    /// The addresses of names in the program, with their indices. The same text may have several addresses.
    private let known: UnsafeMutablePointer<(address: UInt, index: Int)>
    private var count = 0
    /// The entry that is compared first: names come in the same order at every action.
    private var cursor = 0

    /// The most addresses. The same text may have one address in each file. A name beyond the limit is looked up by its
    /// text.
    private static let mostKnown = 256

    /// The size of the table of addresses, in bytes.
    static var bytes: Int { mostKnown * MemoryLayout<(address: UInt, index: Int)>.stride }

    init(_ middlewares: [MiddlewareName]) {
        let texts = Set(middlewares.map(\.description)).subtracting([names[Self.other]])
        limit = Self.fixed + texts.count + Self.spare
        known = .allocate(capacity: Self.mostKnown)
        known.initialize(repeating: (0, 0), count: Self.mostKnown)
        for name in middlewares { _ = index(of: name) }
        cursor = 0
    }

    /// Returns the index of a name: its own while indices are free, afterwards `other`.
    @inline(__always)
    mutating func index(of name: MiddlewareName) -> Int {
        let address = UInt(bitPattern: name.utf8.baseAddress)
        if cursor < count, known[cursor].address == address { return found(cursor) }
        return find(name, address)
    }

    /// Returns the index of a stage.
    @inline(__always)
    mutating func index(of timed: UnsafeMutablePointer<TimedStage>) -> Int {
        let stage = timed.pointee.stage
        if known[cursor].address == stage { return found(cursor) }
        return switch stage {
        case TimedStage.reducers: Self.reducers
        case TimedStage.effects: Self.effects
        case TimedStage.publication: Self.publication
        case TimedStage.journal: Self.journal
        default: find(timed.pointee.name, stage)
        }
    }

    @inline(never)
    private mutating func find(_ name: MiddlewareName, _ address: UInt) -> Int {
        for place in 0..<count where known[place].address == address { return found(place) }
        return add(name, address)
    }

    /// Frees the memory. The index must not be used afterwards.
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
        var index = names[Self.fixed...].firstIndex(of: text) ?? Self.other
        if index == Self.other, text != names[Self.other], names.count < limit {
            index = names.count
            names.append(text)
        }
        if count < Self.mostKnown {
            known[count] = (address, index)
            count += 1
        }
        return index
    }

    /// The indices in the order in which reports show the stages, with the stages' roles.
    static func shown(_ names: [String]) -> [(index: Int, role: StageSnapshot.Role)] {
        [(queue, .queue)] + (fixed..<max(fixed, names.count)).map { ($0, .middleware) }
            + [
                (other, .middleware), (reducers, .reducers), (publication, .publication), (effects, .effects),
                (journal, .journal), (total, .total),
            ]
    }
}
