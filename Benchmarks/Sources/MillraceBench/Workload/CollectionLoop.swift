// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// An element that is small, so that most of the measured memory accesses are those that find it.
struct Item: Identifiable, Sendable {
    let id: UInt32
    var count: UInt32 = 0

    /// Returns an id. Ids are far apart and in no order that a search could use.
    static func id(_ position: Int) -> UInt32 { UInt32(truncatingIfNeeded: position) &* 2_654_435_761 }
}

enum CollectionAction {
    case item(ElementIDAction<UInt32, UInt32>)
    case tick

    var item: ElementIDAction<UInt32, UInt32>? {
        if case .item(let action) = self { action } else { nil }
    }
}

struct CollectionState<Elements> {
    var ticks = 0
    var elements: Elements
}

extension CollectionState: Sendable where Elements: Sendable {}

let itemReducer = Reducer<UInt32, Item>.reduce { action, item in item.count &+= action }

/// A loop that calls a reducer, without a store or middlewares.
enum CollectionLoop {
    /// The elements that a run uses.
    enum Order {
        /// A hundred of them, so that the processor's caches hold all that is used.
        case hundred
        /// All of them.
        case all
    }

    /// The number of ids in a run: a power of two, more than there are elements.
    static let idCount = 1 << 17

    @MainActor
    static func contender<Elements>(
        _ name: String,
        elements: Elements,
        count: Int,
        order: Order,
        share: Double = 1,
        reducer: Reducer<CollectionAction, CollectionState<Elements>>,
        total: @escaping (Elements) -> Int
    ) -> Contender {
        var state = CollectionState(elements: elements)
        let ids = ids(count: count, order: order)
        return Contender(name, share: share) { operations in
            let before = total(state.elements)
            let start = DispatchTime.now().uptimeNanoseconds
            run(reducer, &state, ids: ids, operations: operations)
            let time = DispatchTime.now().uptimeNanoseconds - start
            let found = total(state.elements) - before
            guard found == operations else {
                throw BenchmarkError.wrongResult(contender: name, expected: "\(operations)", found: "\(found)")
            }
            return time
        }
    }

    @inline(never)
    private static func run<Elements>(
        _ reducer: Reducer<CollectionAction, CollectionState<Elements>>,
        _ state: inout CollectionState<Elements>,
        ids: [UInt32],
        operations: Int
    ) {
        ids.withUnsafeBufferPointer { ids in
            for operation in 0..<operations {
                let id = ids[operation & (idCount - 1)]
                reducer.reduce(.item(ElementIDAction(id: id, action: 1)), &state)
            }
        }
    }

    private static func ids(count: Int, order: Order) -> [UInt32] {
        var random = SystemRandomNumberGenerator()
        var positions = Array(0..<count)
        if order == .hundred { positions = Array(positions.shuffled(using: &random).prefix(100)) }
        return (0..<idCount).map { _ in Item.id(positions[Int.random(in: positions.indices, using: &random)]) }
    }
}
