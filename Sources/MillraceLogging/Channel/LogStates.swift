// SPDX-License-Identifier: Apache-2.0

internal import MillraceRuntime
public import Synchronization

/// The states before and after the actions that wait to be formatted: fewer than there are entries in the ring, as each
/// that waits makes the reducers copy what they change.
///
/// `put` counts what the pipeline has put in, `taken` what the queue has let go. A state belongs to the pipeline until
/// its entry is in the ring, then to the queue until `taken` is beyond it.
@usableFromInline
final class LogStates<State>: @unchecked Sendable {
    // Unchecked because a state belongs to one of two, see above, and all other fields to one of them.

    /// Smaller changes cost a reducer too little to be worth a look at the clock.
    private static var smallChange: UInt64 { 16 << 10 }

    @usableFromInline let capacity: UInt64
    /// Nil: nobody wants them.
    @usableFromInline let befores: UnsafeMutablePointer<State>?
    @usableFromInline let afters: UnsafeMutablePointer<State>
    @usableFromInline let budget: LogBudget
    private let clock: @Sendable () -> Ticks
    /// Nil: copying has no limit.
    private let ticksPerByte: Double?
    private let mostDebt: UInt64

    // The pipeline's alone.
    @usableFromInline @exclusivity(unchecked) var put: UInt64 = 0
    /// `taken`, as it was seen last.
    @usableFromInline @exclusivity(unchecked) var seen: UInt64 = 0
    @exclusivity(unchecked) private var takenWhenMeasured: UInt64 = 0
    /// When what was copied will have been allowed for.
    @exclusivity(unchecked) private var settled: UInt64 = 0
    /// The number of the action whose state after was put in last.
    @exclusivity(unchecked) private var lastNumber: UInt64 = 0

    // On a line of its own, as the queue writes it.
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
        budget = LogBudget(bytes: limit.bytes, most: UInt64(most), isNeeded: !_isPOD(State.self), interval: 64)
        self.clock = clock
        // The first conversion takes milliseconds.
        let second = limit.copiedPerSecond == nil ? 0 : Ticks.count(in: .seconds(1))
        ticksPerByte = limit.copiedPerSecond.map { Double(second) / Double(max(1, $0)) }
        mostDebt = second / 4
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

// The pipeline's side.
extension LogStates {
    /// Whether one more change may be put in.
    @usableFromInline
    func admit() -> LogChange {
        if put &- seen >= budget.allowance(waiting: put &- seen) {
            // Acquiring, pairs with take: the queue has moved the states out whose places are used again.
            seen = taken.load(ordering: .acquiring)
            let waiting = put &- seen
            guard waiting < budget.allowance(waiting: waiting) else { return .waiting }
        }
        guard let ticksPerByte, budget.applied > Self.smallChange else { return .states }
        let now = clock().rawValue
        let from = max(settled, now)
        guard from - now <= mostDebt else { return .copied }
        settled = from &+ UInt64(min(Double(budget.applied) * ticksPerByte, 1e18))
        return .states
    }

    @inlinable
    func putBefore(_ state: @autoclosure () -> State) {
        if let befores { (befores + index(put)).initialize(to: state()) }
    }

    /// Returns whether its state before is the one after of the change put in last, by the numbers of their actions.
    @usableFromInline
    func putAfter(_ state: State, number: UInt64) -> Bool {
        (afters + index(put)).initialize(to: state)
        let isNext = number > 0 && number == lastNumber &+ 1
        lastNumber = number
        if budget.isDue(put, waiting: put &- seen) { measure(isNext) }
        put &+= 1
        return isNext
    }

    /// A look takes microseconds, so it is left to the queue as long as that goes on.
    private func measure(_ isNext: Bool) {
        // Relaxed: a count by itself.
        let now = taken.load(ordering: .relaxed)
        // The queue looks at one in 32.
        let hasMeasured = now &- takenWhenMeasured >= 32
        takenWhenMeasured = now
        budget.note(hasMeasured ? budget.lastMeasured : bytes(at: index(put), isNext: isNext))
    }

    /// Lets go what `putBefore` put in.
    func dropBefore() {
        if let befores { (befores + index(put)).deinitialize(count: 1) }
    }

    private func bytes(at slot: Int, isNext: Bool) -> UInt64 {
        let bytes = HeldBytes.of(afters[slot], besides: befores.map { $0[slot] })
        // Otherwise actions that were not logged have changed the state before, too.
        return isNext || befores == nil ? bytes : 2 * bytes
    }
}

// The queue's side.
extension LogStates {
    func measure(slot: UInt32, isNext: Bool) {
        if budget.isNeeded { budget.publish(bytes(at: Int(slot), isNext: isNext)) }
    }

    /// Moves the states of the oldest change out, and gives the place back when they were used and let go.
    func take(slot: UInt32, _ body: (_ before: State?, _ after: State) -> Void) {
        let slot = Int(slot)
        body(befores.map { ($0 + slot).move() }, (afters + slot).move())
        // Relaxed: only the queue writes it. Releasing, pairs with admit.
        taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }
}
