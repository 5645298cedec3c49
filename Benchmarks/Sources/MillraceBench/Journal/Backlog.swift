// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// Measures the processor time of a pipeline's thread for a backlog: the first action waits until all are dispatched,
/// so that the thread never waits for a producer.
final class Backlog: @unchecked Sendable {
    // Unchecked because the pipeline's thread writes, and the other reads after a drain.
    private let isComplete = DispatchSemaphore(value: 0)
    private var began: UInt64 = 0
    private var ended: UInt64 = 0

    /// The value of an action's third word that begins the measurement, and that ends it.
    private static let first: UInt64 = 100
    private static let last: UInt64 = 101

    var reducer: Reducer<JournaledOrder, OrderCount> {
        .reduce { [self] order, state in
            state.count &+= order.words.1
            guard order.words.2 >= Self.first else { return }
            if order.words.2 == Self.first {
                isComplete.wait()
                began = JournaledStore.processorTime()
            } else {
                ended = JournaledStore.processorTime()
            }
        }
    }

    /// Returns the nanoseconds an action.
    @MainActor
    func time(_ store: JournaledStore.Store, _ batch: [JournaledOrder]) async -> Double {
        var mark = JournaledOrder()
        mark.words.2 = Self.first
        store.dispatch(mark)
        store.dispatch(contentsOf: batch)
        mark.words.2 = Self.last
        store.dispatch(mark)
        isComplete.signal()
        await store.drain()
        return Double(ended - began) / Double(batch.count)
    }
}
