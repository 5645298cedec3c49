// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Logging
public import MillraceCore
internal import MillraceRuntime
public import Synchronization

/// Carries the actions of one pipeline to the queue that formats them, in a ring of fixed size. The actions in it are
/// unchanged.
///
/// `tail` counts the entries that were put in; the pipeline writes it. `head` counts the entries that were taken out;
/// the queue writes it. The pipeline never waits: if there is no room, it counts the action as skipped and goes on.
///
/// While there are entries in the ring, a block that retains this object is submitted to the queue. So this object is
/// released only after all entries are written.
@usableFromInline
final class LogChannel<Action, State>: @unchecked Sendable {
    // Unchecked because an entry belongs to the pipeline until `tail` is beyond it, and then to the queue until `head`
    // is beyond it. Actions and states need not be Sendable: the documentation says what this means for classes in
    // them.

    /// The time in milliseconds after which the queue looks at the ring once more before it rests. So at a steady rate,
    /// no action has to wake the queue.
    private static var linger: Int { 1 }

    @usableFromInline let options: LogOptions<Action, State>
    @usableFromInline let capacity: UInt64
    @usableFromInline let entries: UnsafeMutablePointer<LogEntry<Action>>
    /// The number of entries that may wait: `capacity`, or fewer if the actions hold much memory.
    @usableFromInline let budget: LogBudget
    /// The states; nil if no change of the state is logged.
    @usableFromInline let states: LogStates<State>?
    let counts = LogCounts()
    /// Returns the number and the cause of the action; nil outside of a store.
    @usableFromInline let position: (@Sendable () -> ActionPosition)?
    @usableFromInline let isThrottled: Bool
    private let queue: LogQueue
    private let clock: @Sendable () -> Ticks

    // Used by the pipeline only.
    @usableFromInline @exclusivity(unchecked) var put: UInt64 = 0
    /// A copy of the budget's last allowance, because the budget is elsewhere in memory.
    @usableFromInline @exclusivity(unchecked) var room: UInt64
    /// The number of entries put in at which the budget checks the next action. It is a copy, too.
    @usableFromInline @exclusivity(unchecked) var nextCheck: UInt64
    /// The last value of `head` that the pipeline read.
    @usableFromInline @exclusivity(unchecked) var taken: UInt64 = 0
    @usableFromInline @exclusivity(unchecked) var skipped: UInt64 = 0
    /// The level of the pending action, whose state before is stored, and whose state after is still missing; nil if
    /// there is no pending action.
    @usableFromInline @exclusivity(unchecked) var pending: Logger.Level?
    @exclusivity(unchecked) private var throttle: LogThrottle

    // On cache lines of their own, because another thread reads them. The queue reads `tail` and writes `head` only
    // once for many entries.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let tail = Atomic<UInt64>(0)
    /// Whether a block is submitted that takes the entries out of the ring.
    @usableFromInline let isAwake = Atomic<Bool>(false)
    private let morePadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let head = Atomic<UInt64>(0)

    // Used by the queue only.
    @exclusivity(unchecked) private var formatter: LogFormatter<Action, State>
    /// The number of entries until the memory of an action is measured again.
    @exclusivity(unchecked) private var untilMeasured = 0

    /// - Parameter world: The simulated world of the store; nil: the system.
    @usableFromInline
    init(
        _ options: LogOptions<Action, State>,
        position: (@Sendable () -> ActionPosition)?,
        world: (any StoreWorld)? = nil
    ) {
        self.options = options
        queue =
            world.map { .world($0) } ?? .dispatch(DispatchQueue(label: "millrace.logging", target: options.queue))
        clock = options.clock(in: world)
        self.position = position
        var size = 2
        while size < min(options.capacity, 1 << 24) { size *= 2 }
        capacity = UInt64(size)
        entries = .allocate(capacity: size)
        let memory = options.memory
        budget = LogBudget(
            bytes: memory.bytes,
            most: UInt64(size),
            isNeeded: !_isPOD(Action.self),
            queueInterval: 1_024,
            clock: clock
        )
        nextCheck = budget.nextCheck
        states = options.wantsStates ? LogStates(memory, wantsBefore: options.wantsBefore, clock: clock) : nil
        room = capacity
        throttle = LogThrottle(sampling: options.sampling, limit: options.rateLimit)
        isThrottled = !throttle.isOpen
        formatter = LogFormatter(options)
        options.log.add(self, counts)
    }

    deinit {
        dropPending()
        options.log.remove(counts)
        entries.deallocate()
    }

    @inlinable @inline(__always)
    func index(_ position: UInt64) -> Int {
        Int(truncatingIfNeeded: position & (capacity &- 1))
    }
}

// Called by the pipeline.
extension LogChannel {
    /// Stores the state before the reducers run. If no states are needed, hands the action over at once.
    @inlinable
    func before(
        _ action: Action,
        _ source: ActionSource,
        _ level: Logger.Level,
        _ state: @escaping GetState<State>
    ) {
        let printsStates = options.printsStates(at: level)
        guard printsStates || options.printsActions(at: level) else { return }
        if isThrottled, !passesThrottle() { return }
        guard hasRoom() else { return skip() }
        guard printsStates, let states else { return handOver(action, source, level) }
        let change = states.admit()
        guard change == .states else { return leaveOut(action, source, level, change, states) }
        states.putBefore(state())
        pending = level
    }

    /// Hands over the pending action after the reducers have run, if there is one.
    @inlinable
    func after(_ action: Action, _ source: ActionSource, _ state: @escaping GetState<State>) {
        guard let level = pending, let states else { return }
        pending = nil
        let position = position?() ?? .none
        let slot = states.index(states.put)
        let isNext = states.putAfter(state(), number: position.number)
        let entry = LogEntry(
            action: action,
            source: source,
            position: position,
            skipped: skipped,
            level: level,
            change: .states,
            slot: UInt32(truncatingIfNeeded: slot),
            isNext: isNext
        )
        handOver(entry)
    }

    /// Hands over an action without its change of the state.
    @inlinable
    func leaveOut(
        _ action: Action,
        _ source: ActionSource,
        _ level: Logger.Level,
        _ change: LogChange,
        _ states: LogStates<State>
    ) {
        countLeftOut()
        let waiting = UInt32(truncatingIfNeeded: states.put &- states.seen)
        handOver(action, source, level, change, waiting)
    }

    @usableFromInline
    func countLeftOut() { counts.addChangeLeftOut() }

    @inlinable
    func hasRoom() -> Bool {
        if put &- taken < room { return true }
        // Acquiring, pairs with take(): the queue has moved the old entry out of the place that is used again.
        taken = head.load(ordering: .acquiring)
        room = budget.allowance()
        return put &- taken < room
    }

    @usableFromInline
    func skip() {
        skipped &+= 1
        counts.addSkipped()
    }

    @inlinable
    func handOver(
        _ action: Action,
        _ source: ActionSource,
        _ level: Logger.Level,
        _ change: LogChange = .unwanted,
        _ slot: UInt32 = 0
    ) {
        handOver(
            LogEntry(
                action: action,
                source: source,
                position: position?() ?? .none,
                skipped: skipped,
                level: level,
                change: change,
                slot: slot,
                isNext: false
            )
        )
    }

    @inlinable @inline(__always)
    func handOver(_ entry: consuming LogEntry<Action>) {
        if put >= nextCheck { updateRoom(entry.action) }
        (entries + index(put)).initialize(to: entry)
        put &+= 1
        // Sequentially consistent, both, as in rest(): either the pipeline sees that the queue rests, or the queue sees
        // the entry before it rests. The store also orders the entry before itself; pairs with take().
        tail.store(put, ordering: .sequentiallyConsistent)
        if !isAwake.load(ordering: .sequentiallyConsistent) { wake() }
    }

    @usableFromInline
    func updateRoom(_ action: Action) {
        budget.check(put, taken: head) { HeldBytes.of(action, besides: nil) }
        nextCheck = budget.nextCheck
        room = budget.allowance()
    }

    @usableFromInline
    func passesThrottle() -> Bool {
        switch throttle.verdict(at: clock) {
        case .admitted: return true
        case .sampledOut: counts.addSampledOut()
        case .limited: counts.addLimited()
        }
        return false
    }

    /// Drops a pending action whose `after` was never called.
    @usableFromInline
    func dropPending() {
        guard pending != nil, let states else { return }
        pending = nil
        states.dropBefore()
        counts.addDropped()
    }

    @usableFromInline
    func wake() {
        // Acquiring and releasing: orders no other memory. The thread that reads false submits the block.
        guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { self.work() }
    }
}

// Called by the queue.
extension LogChannel: LogFlushing {
    private func work() {
        let isFull = take()
        // Waiting is useless if entries come faster than they are formatted. Each take is a block of its own, so that a
        // flush can run in between.
        if isFull { queue.async { self.work() } } else { lookLater() }
    }

    private func lookLater() {
        queue.async(afterMilliseconds: Self.linger) {
            // Relaxed: only the queue writes `head`, and the ring is checked again below.
            if self.tail.load(ordering: .acquiring) == self.head.load(ordering: .relaxed) {
                self.rest()
            } else {
                self.work()
            }
        }
    }

    private func rest() {
        // Sequentially consistent, both: see handOver().
        isAwake.store(false, ordering: .sequentiallyConsistent)
        if tail.load(ordering: .sequentiallyConsistent) != head.load(ordering: .relaxed) { wake() }
    }

    /// Formats the entries that are in the ring now. Returns whether the ring was more than half full.
    @discardableResult
    private func take() -> Bool {
        // Relaxed: only the queue writes it.
        let begin = head.load(ordering: .relaxed)
        // Acquiring, pairs with handOver(): the entries are complete.
        let end = tail.load(ordering: .acquiring)
        var next = begin
        while next != end {
            measure()
            let entry = (entries + index(next)).move()
            if entry.change == .states, let states {
                states.take(slot: entry.slot) { formatter.print(entry, before: $0, after: $1) }
            } else {
                formatter.print(entry)
            }
            next &+= 1
            // Not for each entry, because the pipeline reads it. Releasing, pairs with hasRoom().
            if next % 32 == 0 { head.store(next, ordering: .releasing) }
        }
        head.store(next, ordering: .releasing)
        counts.addWritten(end &- begin)
        // Reports the actions that were skipped after the last printed one. If there are new entries, their `skipped`
        // reports them.
        let skipped = counts.skipped
        if tail.load(ordering: .acquiring) == end { formatter.tell(skipped: skipped) }
        formatter.finish()
        return end &- begin > capacity / 2
    }

    /// Measures, once in many entries, the memory that an entry holds. Takes the newest entry and not the next one,
    /// because the newest may be much larger. A measurement takes microseconds. The ring must not be empty.
    private func measure() {
        defer { untilMeasured &-= 1 }
        guard untilMeasured & 31 == 0 else { return }
        // Acquiring, pairs with handOver(): the entry is complete.
        let newest = index(tail.load(ordering: .acquiring) &- 1)
        if entries[newest].change == .states {
            states?.measure(slot: entries[newest].slot, isNext: entries[newest].isNext)
        }
        guard untilMeasured == 0 else { return }
        untilMeasured = 1_024
        if budget.isNeeded { budget.publish(HeldBytes.of(entries[newest].action, besides: nil)) }
    }

    func flush() async {
        await suspend { continuation in
            queue.async {
                self.take()
                continuation.resume()
            }
        }
    }
}
