// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Synchronization

// What only the consumer calls: the store's thread, or whoever holds the baton.
extension StoreCore {
    /// One batch. Returns how many slots it took.
    func drainOnce() -> Int {
        guard let drainBatch else { return 0 }
        millrace_queue_consumer_enter(queue.raw)
        defer { millrace_queue_consumer_leave(queue.raw) }
        let taken = drainBatch(self, Self.batchLimit)
        if taken > 0 {
            books.pointee.batches += 1
            millrace_queue_report(queue.raw)
            shared.report(books.pointee)
        } else if millrace_queue_is_stalled(queue.raw) {
            books.pointee.stalls += 1
        }
        return taken
    }

    /// Shows the state to everybody, if it may have changed.
    @usableFromInline
    func publishIfDirty() {
        if books.pointee.isDirty { publishState?(self) }
        // What the snapshot tells: everything the consumer has gone past.
        shared.snapshotPosition.store(queue.raw.pointee.position, ordering: .releasing)
    }

    /// Publishes if the pacing asks for it at the end of a batch.
    func publishAfterBatch() {
        switch pacing {
        case .everyAction, .batch: publishIfDirty()
        case .atMost(let ticks): if millrace_clock_ticks() &- books.pointee.published >= ticks { publishIfDirty() }
        case .onDemand: break
        }
    }

    /// Finishes what is pending and gives the pipeline away, hence the middlewares: for the caller to release once this
    /// thread no longer counts as the pipeline's, so that what they dispatch when they go is refused and counted.
    func finish() -> Remains {
        // Every producer that found the store open has published when this returns; nobody comes after it but the pipeline.
        millrace_wait_for_readers()
        while drainOnce() > 0 {}
        publishIfDirty()
        shared.report(books.pointee)
        let remains = Remains(drainBatch: drainBatch, publishState: publishState, subscribers: subscribers, probe: probe)
        (drainBatch, publishState, subscribers, probe) = (nil, nil, [], nil)
        // Sequentially consistent: pairs with the look in drainAsCaller.
        shared.isFinished.store(true, ordering: .sequentiallyConsistent)
        return remains
    }

    /// What a finished pipeline leaves.
    struct Remains {
        let drainBatch: ((StoreCore<Action, State>, Int) -> Int)?
        let publishState: ((StoreCore<Action, State>) -> Void)?
        let subscribers: [(subscription: StateSubscription, body: @Sendable (State) -> Void)]
        let probe: ProbeBox?
    }

    /// Tells the subscribers of a state; those that go meanwhile are not told any more.
    @usableFromInline
    func tellSubscribers(_ state: State) {
        for (subscription, body) in subscribers where !subscription.isCancelled {
            body(state)
        }
    }

    /// A message: takes it, goes past its slot, and delivers it.
    @usableFromInline
    func takeControl(_ slot: UnsafeMutablePointer<UInt8>) {
        let message = Slot.takeControl(UnsafeMutableRawPointer(slot))
        millrace_queue_pop(queue.raw)
        books.pointee.controls += 1
        message.deliver()
    }

    /// Whoever dispatched consumes until nothing is left, unless somebody does already.
    @usableFromInline
    func drainAsCaller() {
        repeat {
            guard millrace_baton_try_take(baton) else { return }
            var frame = millrace_frame()
            millrace_frame_push(&frame, cell.identity)
            while drainOnce() > 0 {}
            if pacing != .onDemand { publishIfDirty() }
            var remains: Remains?
            if isClosed, !isFinished { remains = finish() }
            millrace_frame_pop(&frame)
            withExtendedLifetime(remains) {}
            // A store that was closed while we held the baton, too late for the look above, is finished in the next turn.
        } while millrace_queue_hand_over(queue.raw, baton) || (isClosed && !isFinished)
    }

    private var isFinished: Bool { shared.isFinished.load(ordering: .sequentiallyConsistent) }
}
