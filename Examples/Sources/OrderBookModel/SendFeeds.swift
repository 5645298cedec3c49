// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceJournal

extension Exchange {
    /// Dispatches all actions of the feeds, by some threads, and returns when the store has handled them. In a store with a
    /// journal each feed goes on where the journal ends, and the actions are durable when this returns.
    package static func send(_ feeds: [Feed], to store: Store, threads: Int = 2) async throws {
        let isNumbered = store.recovery != nil
        let share = max(1, min(threads, feeds.count))
        var feeds = feeds
        if isNumbered {
            let numbers = await store.lastNumbers()
            for index in feeds.indices { feeds[index].goOn(after: numbers[feeds[index].producer, default: 0]) }
        }
        let all = feeds
        // Not tasks: a full store blocks the thread of its producer.
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for thread in 0..<share {
                DispatchQueue.global().async(group: group) {
                    var mine = stride(from: thread, to: all.count, by: share).map { all[$0] }
                    dispatch(&mine, to: store, isNumbered: isNumbered)
                }
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        // With `.fifo` the reports come after the actions that the first drain waits for.
        await store.drain()
        await store.drain()
        if isNumbered { try await store.journaled() }
    }

    /// Takes turns between the feeds, as gateways that work side by side.
    private static func dispatch(_ feeds: inout [Feed], to store: Store, isNumbered: Bool) {
        while feeds.contains(where: { $0.left > 0 }) {
            for index in feeds.indices where feeds[index].left > 0 {
                let first = feeds[index].next
                let actions = feeds[index].take(64)
                if isNumbered {
                    store.dispatch(contentsOf: actions, producer: feeds[index].producer, number: first)
                } else {
                    store.dispatch(contentsOf: actions)
                }
            }
        }
    }
}
