// SPDX-License-Identifier: Apache-2.0

public import CMillrace
import Synchronization

/// The part of a store that consumes, without its types: whoever runs it needs no generic code.
///
/// Everything that is `var`, and what `books` points to, belongs to the consumer: the store's thread, or whoever
/// holds the baton. The role passes with the doorbell's and the baton's acquire and release, so no access is checked
/// again.
@usableFromInline
final class Consumer: @unchecked Sendable {
    // Unchecked for that reason.
    @usableFromInline let queue: UnsafeMutablePointer<millrace_queue>
    @usableFromInline let books: UnsafeMutablePointer<PipelineBooks>
    @usableFromInline let baton: UnsafeMutablePointer<millrace_baton>
    @usableFromInline let shared = SharedBooks()
    @usableFromInline let pacing: Pacing
    /// Marks the frames of this store's pipeline.
    @usableFromInline let identity: UnsafeRawPointer

    /// The pipeline's two erased entries, specialised where the store was made; nil after the end.
    ///
    /// Drain: takes up to so many slots, and returns less only when it found the queue empty.
    @usableFromInline @exclusivity(unchecked) var drainBatch: ((Int) -> Int)?
    @usableFromInline @exclusivity(unchecked) var publishState: (() -> Void)?
    @usableFromInline @exclusivity(unchecked) var probe: ProbeBox?
    /// Destroys published states that nobody reads any more; returns whether others still wait for their readers.
    @usableFromInline @exclusivity(unchecked) var reclaimStates: (() -> Bool)?
    /// Gives the subscribers away.
    @usableFromInline @exclusivity(unchecked) var removeSubscribers: (() -> Any)?

    /// Slots a batch takes at most: the loop looks at clock and closing that often.
    static var batchLimit: Int { 512 }

    @usableFromInline
    init(queue: UnsafeMutablePointer<millrace_queue>, publication: Publication, identity: UnsafeRawPointer) {
        self.queue = queue
        self.identity = identity
        pacing = Pacing(publication)
        books = .allocate(capacity: 1)
        books.initialize(to: PipelineBooks())
        baton = .allocate(capacity: 1)
        baton.initialize(to: millrace_baton())
    }

    deinit {
        books.deallocate()
        baton.deallocate()
    }

    /// Whether the store was closed.
    @inlinable
    var isClosed: Bool { millrace_queue_mode_now(queue) & UInt32(MILLRACE_MODE_CLOSED) != 0 }

    /// Whether the pipeline has gone.
    var isFinished: Bool {
        // Sequentially consistent: pairs with the store in finish().
        shared.isFinished.load(ordering: .sequentiallyConsistent)
    }

    /// One batch. False: nothing was there, or nothing is left.
    func drainOnce() -> Bool {
        guard let drainBatch else { return false }
        millrace_queue_consumer_enter(queue)
        let before = queue.pointee.position
        let taken = drainBatch(Self.batchLimit)
        if queue.pointee.position != before {
            books.pointee.batches &+= 1
            report()
        } else if millrace_queue_is_stalled(queue) {
            books.pointee.stalls &+= 1
        }
        millrace_queue_consumer_leave(queue)
        return taken == Self.batchLimit
    }

    private func report() {
        millrace_queue_report(queue)
        shared.report(books.pointee)
    }

    /// Shows the state to everybody, if it may have changed.
    func publishIfDirty() {
        if books.pointee.isDirty { publishState?() }
        // What the snapshot tells: everything the consumer has gone past. Releasing, pairs with freshen().
        shared.snapshotPosition.store(queue.pointee.position, ordering: .releasing)
    }

    /// Publishes if the pacing asks for it at the end of a batch.
    func publishAfterBatch() {
        guard books.pointee.isDirty else { return }
        switch pacing {
        case .everyAction, .batch: publishIfDirty()
        case .atMost(let ticks): if millrace_clock_ticks() &- books.pointee.published >= ticks { publishIfDirty() }
        case .onDemand: break
        }
    }

    /// Gives back the memory that a busy time has left. Returns whether some can not be given back yet.
    func tidy() -> Bool {
        millrace_queue_consumer_enter(queue)
        millrace_queue_trim(queue)
        millrace_queue_consumer_leave(queue)
        return reclaimStates?() ?? false
    }

    /// What a finished pipeline leaves, to be released by whoever ran it last.
    struct Remains {
        let drainBatch: ((Int) -> Int)?
        let publishState: (() -> Void)?
        let reclaimStates: (() -> Bool)?
        let probe: ProbeBox?
        let subscribers: Any?
    }

    /// Finishes what is pending and gives the pipeline away, hence the middlewares: for the caller to release once this
    /// thread no longer counts as the pipeline's, so that what they dispatch when they go is refused and counted.
    func finish() -> Remains {
        // Every producer that found the store open has published when this returns; nobody comes after it but the
        // pipeline.
        millrace_wait_for_readers()
        repeat {
            while drainOnce() {}
            publishIfDirty()  // may tell subscribers, which may dispatch
        } while millrace_queue_front(queue) != nil
        let remains = Remains(
            drainBatch: drainBatch,
            publishState: publishState,
            reclaimStates: reclaimStates,
            probe: probe,
            subscribers: removeSubscribers?()
        )
        drainBatch = nil
        publishState = nil
        reclaimStates = nil
        removeSubscribers = nil
        probe = nil
        // Sequentially consistent: pairs with isFinished.
        shared.isFinished.store(true, ordering: .sequentiallyConsistent)
        return remains
    }

    /// A message: takes it, goes past its slot, and delivers it.
    @usableFromInline
    func takeControl(_ slot: UnsafeMutablePointer<UInt8>) {
        let message = Slot.takeControl(UnsafeMutableRawPointer(slot))
        millrace_queue_pop(queue)
        books.pointee.controls &+= 1
        // Who waits for the message reads the books next.
        report()
        message.deliver()
    }
}
