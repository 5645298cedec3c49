// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The number of values that may wait, from an estimate of the memory that one value holds.
@usableFromInline
final class LogBudget: @unchecked Sendable {
    // Unchecked because only the pipeline changes the fields, except `measured`, which is atomic.

    private let bytes: UInt64
    @usableFromInline let most: UInt64
    /// If this number of values wait, the pipeline itself measures one in this number. A power of two.
    @usableFromInline let interval: UInt64
    /// False if values of this type hold no memory outside of the ring.
    @usableFromInline let isNeeded: Bool
    /// The size that the pipeline measured last; 0: nothing yet.
    @usableFromInline @exclusivity(unchecked) var own: UInt64 = 0
    /// The size from which `allowed` was computed.
    @usableFromInline @exclusivity(unchecked) var applied: UInt64 = 0
    @usableFromInline @exclusivity(unchecked) var allowed: UInt64
    /// The size that the queue has measured; 0: nothing yet.
    @usableFromInline let measured = Atomic<UInt64>(0)

    init(bytes: Int, most: UInt64, isNeeded: Bool, interval: UInt64) {
        self.bytes = UInt64(max(1, bytes))
        self.most = most
        self.isNeeded = isNeeded
        self.interval = interval
        allowed = most
    }

    // Called by the pipeline.

    /// Returns the number of values that may wait, at least one, if `waiting` values wait now.
    @inlinable
    func allowance(waiting: UInt64) -> UInt64 {
        guard isNeeded else { return most }
        // Relaxed: the number orders no other memory.
        let measured = measured.load(ordering: .relaxed)
        // If the queue is late, its measurement is old. But then the pipeline has measured one of the waiting values.
        let size = measured == 0 || waiting >= 2 &* interval ? max(measured, own) : measured
        if size != applied { apply(size) }
        return allowed
    }

    /// Returns whether the pipeline has to measure: the first value, and some values while the queue is late.
    @inlinable
    func isDue(_ put: UInt64, waiting: UInt64) -> Bool {
        isNeeded && (own == 0 || put & (interval &- 1) == 0 && waiting >= interval &- 1)
    }

    /// The size that the queue measured last.
    var lastMeasured: UInt64 {
        // Relaxed: the number orders no other memory.
        measured.load(ordering: .relaxed)
    }

    @usableFromInline
    func note(_ size: UInt64) { own = max(1, size) }

    @usableFromInline
    func apply(_ size: UInt64) {
        applied = size
        allowed = size == 0 ? most : min(most, max(1, bytes / size))
    }

    // Called by the queue.

    /// Publishes a measured size. A larger size counts at once; a smaller one lowers the estimate by at most an eighth.
    func publish(_ size: UInt64) {
        // Relaxed, both: only the queue writes the number, and it orders no other memory.
        let known = measured.load(ordering: .relaxed)
        measured.store(max(1, size, known - known / 8), ordering: .relaxed)
    }
}
