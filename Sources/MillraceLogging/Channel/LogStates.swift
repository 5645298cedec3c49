// SPDX-License-Identifier: Apache-2.0

internal import MillraceRuntime
public import Synchronization

/// The states before and after the waiting actions. Their number has its own limit, because each waiting state makes
/// the reducers copy what they change.
///
/// `put` counts the changes that the pipeline has put in, `taken` those that the queue has released. A state belongs to
/// the pipeline until its entry is in the ring, then to the queue until `taken` is beyond it.
@usableFromInline
final class LogStates<State>: @unchecked Sendable {
    // Unchecked because a state belongs to the pipeline or to the queue, see above, and so does each other field.

    /// The size up to which the limit does not count a change, so that the log of a small state is complete.
    private static var smallChange: UInt64 { 1 << 10 }

    @usableFromInline let capacity: UInt64
    /// The states before; nil if they are not needed.
    @usableFromInline let befores: UnsafeMutablePointer<State>?
    @usableFromInline let afters: UnsafeMutablePointer<State>
    @usableFromInline let budget: LogBudget
    private let clock: @Sendable () -> Ticks
    /// The ticks that a copied byte costs; nil: copying has no limit.
    private let ticksPerByte: Double?
    private let mostDebt: UInt64

    // Used by the pipeline only.
    @usableFromInline @exclusivity(unchecked) var put: UInt64 = 0
    /// The last value of `taken` that the pipeline read.
    @usableFromInline @exclusivity(unchecked) var seen: UInt64 = 0
    /// The time at which the limit allows as many bytes as were copied so far.
    @exclusivity(unchecked) private var settled: UInt64 = 0
    @exclusivity(unchecked) private var ticks: SteadyTicks
    /// The number of the last action whose state after was stored.
    @usableFromInline @exclusivity(unchecked) var lastNumber: UInt64 = 0

    // On a cache line of its own, because the queue writes it.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let taken = Atomic<UInt64>(0)
    private let morePadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)

    init(_ limit: LogMemoryLimit, wantsBefore: Bool, clock: @escaping @Sendable () -> Ticks) {
        let most = min(max(1, limit.changes), 1 << 24, max(1, limit.bytes / (2 * MemoryLayout<State>.stride)))
        var size = 1
        while size < most { size *= 2 }
        capacity = UInt64(size)
        befores = wantsBefore ? .allocate(capacity: size) : nil
        afters = .allocate(capacity: size)
        budget = LogBudget(
            bytes: limit.bytes,
            most: UInt64(most),
            isNeeded: !_isPOD(State.self),
            queueInterval: 32,
            clock: clock
        )
        self.clock = clock
        // Converted here, because the first conversion takes milliseconds.
        let second = limit.copiedPerSecond == nil ? 0 : Ticks.count(in: .seconds(1))
        ticksPerByte = limit.copiedPerSecond.map { Double(second) / Double(max(1, $0)) }
        mostDebt = second / 4
        ticks = SteadyTicks(tolerance: second / 1_000_000)
    }

    deinit {
        befores?.deallocate()
        afters.deallocate()
    }

    @inlinable @inline(__always)
    func index(_ position: UInt64) -> Int {
        Int(truncatingIfNeeded: position & (capacity &- 1))
    }
}

// Called by the pipeline.
extension LogStates {
    /// Returns `states` if one more change may be put in, otherwise the reason why not.
    @usableFromInline
    func admit() -> LogChange {
        if put &- seen >= budget.allowance() {
            // Acquiring, pairs with take(slot:_:): the queue has moved the states out of the places that are used
            // again.
            seen = taken.load(ordering: .acquiring)
            let waiting = put &- seen
            guard waiting < budget.allowance() else { return .waiting }
        }
        guard let ticksPerByte, budget.applied > Self.smallChange else { return .states }
        let now = ticks.time(of: clock())
        let from = max(settled, now)
        guard from - now <= mostDebt else { return .copied }
        settled = from &+ UInt64(min(Double(budget.applied) * ticksPerByte, 1e18))
        return .states
    }

    @inlinable
    func putBefore(_ state: @autoclosure () -> State) {
        if let befores { (befores + index(put)).initialize(to: state()) }
    }

    /// Stores the state after the action. Returns whether the previous change belongs to the action right before this
    /// one.
    @inlinable
    func putAfter(_ state: State, number: UInt64) -> Bool {
        (afters + index(put)).initialize(to: state)
        let isNext = number > 0 && number == lastNumber &+ 1
        lastNumber = number
        if put >= budget.nextCheck { check(isNext: isNext) }
        put &+= 1
        return isNext
    }

    /// Lets the budget measure the change that was put in last. Out of line, as it is rare.
    @usableFromInline
    func check(isNext: Bool) {
        budget.check(put, taken: taken) { bytes(at: index(put), isNext: isNext) }
    }

    /// Releases the state that `putBefore` put in.
    func dropBefore() {
        if let befores { (befores + index(put)).deinitialize(count: 1) }
    }

    private func bytes(at slot: Int, isNext: Bool) -> UInt64 {
        let bytes = HeldBytes.of(afters[slot], besides: befores.map { $0[slot] })
        // If actions in between were not logged, the state before the action may hold as much again that nothing else
        // shares.
        return isNext || befores == nil ? bytes : 2 * bytes
    }
}

// Called by the queue.
extension LogStates {
    func measure(slot: UInt32, isNext: Bool) {
        if budget.isNeeded { budget.publish(bytes(at: Int(slot), isNext: isNext)) }
    }

    /// Moves the states of the oldest change out. Frees their place after `body` has used them and they are released.
    func take(slot: UInt32, _ body: (_ before: State?, _ after: State) -> Void) {
        let slot = Int(slot)
        body(befores.map { ($0 + slot).move() }, (afters + slot).move())
        // Relaxed: only the queue writes it. Releasing, pairs with admit().
        taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }
}
