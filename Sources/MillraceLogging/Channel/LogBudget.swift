// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// How many of something may wait, by an estimate of the memory that one takes.
@usableFromInline
final class LogBudget: @unchecked Sendable {
    // Unchecked because all that changes, but `measured`, is the pipeline's alone.

    private let bytes: UInt64
    @usableFromInline let most: UInt64
    /// While so many wait, the pipeline measures one in so many itself; a power of two.
    @usableFromInline let interval: UInt64
    /// False: of this type nothing is outside of the ring.
    @usableFromInline let isNeeded: Bool
    /// What the pipeline measured last; 0: nothing yet.
    @usableFromInline @exclusivity(unchecked) var own: UInt64 = 0
    /// The size of which `allowed` was made.
    @usableFromInline @exclusivity(unchecked) var applied: UInt64 = 0
    @usableFromInline @exclusivity(unchecked) var allowed: UInt64
    /// What the queue has measured; 0: nothing yet.
    @usableFromInline let measured = Atomic<UInt64>(0)

    init(bytes: Int, most: UInt64, isNeeded: Bool, interval: UInt64) {
        self.bytes = UInt64(max(1, bytes))
        self.most = most
        self.isNeeded = isNeeded
        self.interval = interval
        allowed = most
    }

    // The pipeline's side.

    /// How many may wait while so many do; at least one.
    @inlinable
    func allowance(waiting: UInt64) -> UInt64 {
        guard isNeeded else { return most }
        // Relaxed: a number by itself.
        let measured = measured.load(ordering: .relaxed)
        // If the queue is behind, what it measured is old. Among so many that wait the pipeline has measured one.
        let size = measured == 0 || waiting >= 2 &* interval ? max(measured, own) : measured
        if size != applied { apply(size) }
        return allowed
    }

    /// Whether the pipeline has to measure: the first, and some while the queue is behind.
    @inlinable
    func isDue(_ put: UInt64, waiting: UInt64) -> Bool {
        isNeeded && (own == 0 || put & (interval &- 1) == 0 && waiting >= interval &- 1)
    }

    /// By the queue.
    var lastMeasured: UInt64 {
        // Relaxed: a number by itself.
        measured.load(ordering: .relaxed)
    }

    @usableFromInline
    func note(_ size: UInt64) { own = max(1, size) }

    @usableFromInline
    func apply(_ size: UInt64) {
        applied = size
        allowed = size == 0 ? most : min(most, max(1, bytes / size))
    }

    // The queue's side.

    /// The largest of late: one that is smaller moves the estimate by an eighth.
    func publish(_ size: UInt64) {
        // Relaxed, both: only the queue writes it, and it is a number by itself.
        let known = measured.load(ordering: .relaxed)
        measured.store(max(1, size, known - known / 8), ordering: .relaxed)
    }
}
