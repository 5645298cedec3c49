// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting

/// Subscribers that come and go: by threads, by tasks that wait for the end, and by other subscribers while they are told.
struct Subscribers: Scenario {
    struct Values: Sendable {
        /// The subscribers that must not be called any more.
        var ended: Set<Int> = []
        var told: [Int: Int] = [:]
        var subscriptions: [Int: StateSubscription] = [:]
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(Values())
        var random = world.random
        let publications: [Publication] = [.batch, .everyAction, .atMost(every: .milliseconds(1))]
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: Reducer.reduce { _, count in count += 1 },
            middleware: IdentityMiddleware<Int, Int, Int>(),
            engine: .simulated(in: world),
            publication: publications.randomElement(using: &random)!
        )
        let count = 5
        for number in 0..<count {
            // Some end the subscription of another one while they are called.
            let other = Int.random(in: 0..<4 * count, using: &random)
            let from = Int.random(in: 1..<12, using: &random)
            let subscription = store.subscribe { state in
                told(number, state, book)
                guard state >= from, other < count else { return }
                let victim = book.change { $0.subscriptions.removeValue(forKey: other) }
                victim?.unsubscribe()
                if victim != nil { book.change { _ = $0.ended.insert(other) } }
            }
            book.change { $0.subscriptions[number] = subscription }
        }
        world.thread("producer") { for number in 0..<20 { store.dispatch(number) } }
        let cancelled = Int.random(in: 0..<count, using: &random)
        let yields = Int.random(in: 0..<20, using: &random)
        world.task("canceller") {
            for _ in 0..<yields { await Task.yield() }
            guard let subscription = book.change({ $0.subscriptions.removeValue(forKey: cancelled) }) else { return }
            await subscription.cancel()
            book.change { _ = $0.ended.insert(cancelled) }
        }
        let left = Int.random(in: 0..<count, using: &random)
        world.thread("leaver") {
            for _ in 0..<yields { world.pause() }
            book.change({ $0.subscriptions.removeValue(forKey: left) })?.unsubscribe()
        }
        try book.run(world)
        let values = book.now
        for number in values.subscriptions.keys {
            try expect(values.told[number] == 20, "who stays is told the last state: \(values.told)")
        }
    }

    private static func told(_ number: Int, _ state: Int, _ book: Notebook<Values>) {
        let (isEnded, before) = book.change { values in
            (values.ended.contains(number), values.told.updateValue(state, forKey: number) ?? 0)
        }
        if isEnded { book.breaks("after its end a subscription is never called") }
        if state < before { book.breaks("states are told in order") }
    }
}
