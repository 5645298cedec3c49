// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting

/// Shards that dispatch to each other while the store is drained, shut down or released: every chain goes to its end, and
/// the actions of a key keep their order.
struct Shards: Scenario {
    struct Action: Sendable {
        let key: Int
        let producer: Int
        let number: Int
        /// The keys of the actions that follow.
        var next: [Int]
    }

    struct Values: Sendable {
        var handled = 0
        var busyProducers = 2
        /// Waits for the producers.
        var ending: CheckedContinuation<Void, Never>?
        var last: [[Int]: Int] = [:]
    }

    private enum End: CaseIterable { case drain, shutdown, release }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(Values())
        var random = world.random
        let capacities: [StoreCapacity] = [.unbounded, .bounded(2), .bounded(1)]
        let capacity = capacities.randomElement(using: &random)!
        let order: ActionOrder = Bool.random(using: &random) ? .internalFirst : .fifo
        var store: ShardedStore<Action, Int, Int>? = ShardedStore(
            shards: Int.random(in: 2..<4, using: &random),
            by: { (action: Action) in action.key },
            initialState: { _ in 0 },
            reducer: Reducer.reduce { action, count in
                count += 1
                reduced(action, book)
            },
            middleware: { _ in
                AnyMiddleware<Action, Action, Int> { action, _, _ in
                    guard let key = action.next.first else { return .pure() }
                    let next = Action(key: key, producer: -1, number: 0, next: Array(action.next.dropFirst()))
                    return IO { $0.dispatch(next) }
                }
            },
            engine: { _ in .simulated(in: world) },
            capacity: capacity,
            order: order
        )
        var total = 0
        for producer in 0..<2 {
            let actions = (0..<6).map { number in
                Action(
                    key: Int.random(in: 0..<5, using: &random),
                    producer: producer,
                    number: number,
                    next: (0..<Int.random(in: 0..<8, using: &random)).map { _ in Int.random(in: 0..<5, using: &random) }
                )
            }
            total += actions.reduce(0) { $0 + 1 + $1.next.count }
            world.thread("producer \(producer)") { [store] in
                for action in actions { store?.dispatch(action) }
                let ending = book.change { values in
                    values.busyProducers -= 1
                    return values.busyProducers == 0 ? values.ending.take() : nil
                }
                ending?.resume()
            }
        }
        let end = End.allCases.randomElement(using: &random)!
        if end != .release {
            world.task("end") { [store, total] in
                // What comes from outside is all there; what it causes is not.
                await withCheckedContinuation { task in
                    let isOver = book.change { values in
                        if values.busyProducers > 0 { values.ending = task }
                        return values.busyProducers == 0
                    }
                    if isOver { task.resume() }
                }
                if end == .drain { await store?.drain() } else { _ = await store?.shutdown(deadline: .seconds(1_000)) }
                if end == .shutdown, time == .whenIdle, book.now.handled != total {
                    book.breaks("a shutdown waits for every chain: \(book.now.handled) of \(total)")
                }
            }
        }
        store = nil
        try book.run(world)
        try expect(
            time == .anytime || book.now.handled == total,
            "every chain goes to its end: \(book.now.handled) of \(total)"
        )
    }

    private static func reduced(_ action: Action, _ book: Notebook<Values>) {
        let before = book.change { values in
            values.handled += 1
            guard action.producer >= 0 else { return -1 }
            return values.last.updateValue(action.number, forKey: [action.key, action.producer]) ?? -1
        }
        if action.producer >= 0, action.number <= before { book.breaks("the actions of a key keep their order") }
    }
}
