// SPDX-License-Identifier: Apache-2.0

internal import MillraceRuntime
public import Synchronization

/// Computes how many values may wait, from an estimate of the memory that one value holds.
///
/// The queue measures values while it formats them. While the queue is late, the pipeline measures values, too. The
/// limit can be exceeded only by values that are newer than the newest measurement. This invariant bounds their number:
///
/// *Of the waiting values that are newer than the newest measurement, fewer than twice `stride` were put in outside of
/// the last two pauses.*
///
/// The values that were put in within these pauses hold little memory: in a pause, which is mostly 0.1 ms, a reducer
/// can copy some hundred kilobytes. If the actions bring the memory, so that the reducers do not copy it, that memory
/// was in use at once anyway, and fewer than twice `interval` values are newer.
///
/// A pause is 20 times as long as a measurement, but not shorter than 0.1 ms nor longer than 2 ms. So measuring takes
/// at most a twentieth of the pipeline's time, or the measurement of one value in `interval`. It takes more only if one
/// measurement takes longer than 0.1 ms. Reading the clock costs less than 20 ns per value.
@usableFromInline
final class LogBudget: @unchecked Sendable {
    // Unchecked because only the pipeline changes the fields, except `measured`, which is atomic.

    /// The pipeline reads its clock at one value in this number. The number is odd: if two kinds of values alternate,
    /// both are measured.
    private static var stride: UInt64 { 3 }
    /// While the queue is late, the pipeline measures one value in this number, even if no time passes.
    private static var interval: UInt64 { 63 }

    private let bytes: UInt64
    @usableFromInline let most: UInt64
    /// False if values of this type hold no memory outside of the ring.
    @usableFromInline let isNeeded: Bool
    private let clock: @Sendable () -> Ticks
    private let shortestPause: UInt64
    /// The limit of a pause: another thread may have the processor during a measurement, which makes the measured time
    /// too long.
    private let longestPause: UInt64
    /// The queue measures one value in this number.
    private let queueInterval: UInt64
    /// The pipeline's estimate of the size: the size that it measured last, or a larger one that it lowers step by
    /// step. 0 if it has measured nothing yet.
    @usableFromInline @exclusivity(unchecked) var own: UInt64 = 0
    /// The number of values put in at which the pipeline calls `check` again.
    @usableFromInline @exclusivity(unchecked) var nextCheck: UInt64
    /// The number of the value, and the time, of the last check at which the newest waiting value was measured, or few
    /// values waited.
    @exclusivity(unchecked) private var settled: UInt64 = 0
    @exclusivity(unchecked) private var settledTime: UInt64 = 0
    @exclusivity(unchecked) private var pause: UInt64
    @exclusivity(unchecked) private var takenWhenMeasured: UInt64 = 0
    /// The size from which `allowed` was computed.
    @usableFromInline @exclusivity(unchecked) var applied: UInt64 = 0
    @usableFromInline @exclusivity(unchecked) var allowed: UInt64
    /// The queue's estimate of the size; 0 if it has measured nothing yet.
    @usableFromInline let measured = Atomic<UInt64>(0)

    init(bytes: Int, most: UInt64, isNeeded: Bool, queueInterval: UInt64, clock: @escaping @Sendable () -> Ticks) {
        self.bytes = UInt64(max(1, bytes))
        self.most = most
        self.isNeeded = isNeeded
        self.queueInterval = queueInterval
        self.clock = clock
        allowed = most
        nextCheck = isNeeded ? 0 : .max
        // Here, because the first conversion takes milliseconds.
        shortestPause = isNeeded ? Ticks.count(in: .microseconds(100)) : 0
        longestPause = 20 * shortestPause
        pause = shortestPause
    }

    // Called by the pipeline.

    /// Returns the number of values that may wait, at least one.
    @inlinable
    func allowance() -> UInt64 {
        guard isNeeded else { return most }
        // Relaxed: the number orders no other memory.
        let size = max(measured.load(ordering: .relaxed), own)
        if size != applied { apply(size) }
        return allowed
    }

    /// Maintains the invariant. Must be called for the value number `put` if `put` is not less than `nextCheck`.
    /// - Parameters:
    ///   - taken: The number of values that the queue has taken.
    ///   - size: Measures that value. This takes microseconds.
    @usableFromInline
    func check(_ put: UInt64, taken: borrowing Atomic<UInt64>, _ size: () -> UInt64) {
        nextCheck = put &+ Self.stride
        guard own != 0 else {
            own = max(1, size())
            return
        }
        let now = clock().rawValue
        // The clock of another core may be some ticks behind.
        guard now > settledTime &+ pause || put &- settled >= Self.interval else { return }
        (settled, settledTime) = (put, now)
        // Relaxed, both: the numbers order no other memory.
        let taken = taken.load(ordering: .relaxed)
        let measured = measured.load(ordering: .relaxed)
        let hasMeasured = taken &- takenWhenMeasured >= queueInterval && measured > 0
        if put &- taken < Self.stride || hasMeasured {
            own = max(1, measured, own - own / 8)
        } else {
            own = max(1, size(), own - own / 8)
            pause = min(max(shortestPause, 20 &* (max(clock().rawValue, now) - now)), longestPause)
        }
        takenWhenMeasured = taken
    }

    @usableFromInline
    func apply(_ size: UInt64) {
        applied = size
        allowed = size == 0 ? most : min(most, max(1, bytes / size))
    }

    // Called by the queue.

    /// Publishes a measured size. If it is larger than the estimate, it replaces the estimate; if it is smaller, the
    /// estimate falls by at most an eighth.
    func publish(_ size: UInt64) {
        // Relaxed, both: only the queue writes the number, and it orders no other memory.
        let known = measured.load(ordering: .relaxed)
        measured.store(max(1, size, known - known / 8), ordering: .relaxed)
    }
}
