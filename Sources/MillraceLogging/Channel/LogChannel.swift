// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Logging
public import MillraceCore
public import Synchronization

/// The way of one pipeline's actions to the queue where they are formatted: a ring of fixed size, in which actions and
/// states lie as they are.
///
/// `tail` counts what was put in, and belongs to the pipeline; `head` counts what was taken out, and belongs to the
/// queue. The pipeline never waits: where there is no room it counts, and goes on.
///
/// As long as there is something in the ring, somebody is on the way who holds this object: so the last reference is
/// let go when everything is written.
@usableFromInline
final class LogChannel<Action, State>: @unchecked Sendable {
    // Unchecked because an entry belongs to the pipeline until `tail` is beyond it, and then to the queue until `head`
    // is. Actions and states need not be Sendable: what a class among them means is told in the documentation.

    /// Looks again so much later, before it goes to rest: at a steady rate nobody has to be woken.
    private static var linger: DispatchTimeInterval { .milliseconds(1) }

    @usableFromInline let options: LogOptions<Action, State>
    @usableFromInline let capacity: UInt64
    @usableFromInline let entries: UnsafeMutablePointer<LogEntry<Action>>
    /// How many entries may wait: `capacity`, or less if actions hold much memory.
    @usableFromInline let budget: LogBudget
    /// Nil: nobody wants them.
    @usableFromInline let states: LogStates<State>?
    let counts = LogCounts()
    /// Tells the number and the cause; nil outside of a store.
    @usableFromInline let position: (@Sendable () -> ActionPosition)?
    @usableFromInline let isThrottled: Bool
    let queue: DispatchQueue

    // The pipeline's alone.
    @usableFromInline @exclusivity(unchecked) var put: UInt64 = 0
    /// How many may wait, as the budget said last: it is asked seldom, as it is elsewhere in memory.
    @usableFromInline @exclusivity(unchecked) var room: UInt64
    /// `head`, as it was seen last.
    @usableFromInline @exclusivity(unchecked) var taken: UInt64 = 0
    @usableFromInline @exclusivity(unchecked) var skipped: UInt64 = 0
    /// The level of the action whose state before is in the ring, and whose state after is to come.
    @usableFromInline @exclusivity(unchecked) var pending: Logger.Level?
    @exclusivity(unchecked) private var throttle: LogThrottle

    // On a line of their own: the queue reads `tail` once in many entries, and writes `head` as seldom.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let tail = Atomic<UInt64>(0)
    /// Whether somebody is on the way to take out what is in the ring.
    @usableFromInline let isAwake = Atomic<Bool>(false)
    private let morePadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let head = Atomic<UInt64>(0)

    // The queue's alone.
    @exclusivity(unchecked) private var formatter: LogFormatter<Action, State>
    /// How many entries go by before the next look at the memory that an action holds.
    @exclusivity(unchecked) private var untilMeasured = 0

    @usableFromInline
    init(_ options: LogOptions<Action, State>, position: (@Sendable () -> ActionPosition)?) {
        self.options = options
        self.position = position
        var size = 2
        while size < min(options.capacity, 1 << 24) { size *= 2 }
        capacity = UInt64(size)
        entries = .allocate(capacity: size)
        let memory = options.memory
        budget = LogBudget(bytes: memory.bytes, most: UInt64(size), isNeeded: !_isPOD(Action.self), interval: 64)
        states = options.wantsStates ? LogStates(memory, wantsBefore: options.wantsBefore, clock: options.clock) : nil
        room = capacity
        throttle = LogThrottle(sampling: options.sampling, limit: options.rateLimit)
        isThrottled = !throttle.isOpen
        queue = DispatchQueue(label: "millrace.logging", target: options.queue)
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

// The pipeline's side.
extension LogChannel {
    /// Before the reducers. Hands over at once if nobody wants the states.
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

    /// After the reducers, if there is something pending.
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

    /// Without its change of the state.
    @usableFromInline
    func leaveOut(
        _ action: Action,
        _ source: ActionSource,
        _ level: Logger.Level,
        _ change: LogChange,
        _ states: LogStates<State>
    ) {
        counts.addChangeLeftOut()
        let waiting = UInt32(truncatingIfNeeded: states.put &- states.seen)
        handOver(action, source, level, change, waiting)
    }

    @inlinable
    func hasRoom() -> Bool {
        if put &- taken < room { return true }
        // Acquiring, pairs with take: the queue has moved the entry out whose place is used again.
        taken = head.load(ordering: .acquiring)
        room = budget.allowance(waiting: put &- taken)
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
        if put & 63 == 0 { updateRoom(entry.action) }
        (entries + index(put)).initialize(to: entry)
        put &+= 1
        // Sequentially consistent, both, as in rest(): either this sees that nobody is awake, or who goes to rest sees
        // the entry. The store also orders the entry before itself; pairs with take().
        tail.store(put, ordering: .sequentiallyConsistent)
        if !isAwake.load(ordering: .sequentiallyConsistent) { wake() }
    }

    @usableFromInline
    func updateRoom(_ action: Action) {
        if budget.isDue(put, waiting: put &- taken) { budget.note(HeldBytes.of(action, besides: nil)) }
        room = budget.allowance(waiting: put &- taken)
    }

    @usableFromInline
    func passesThrottle() -> Bool {
        switch throttle.verdict(at: options.clock) {
        case .admitted: return true
        case .sampledOut: counts.addSampledOut()
        case .limited: counts.addLimited()
        }
        return false
    }

    /// Of an action whose `after` never came.
    @usableFromInline
    func dropPending() {
        guard pending != nil, let states else { return }
        pending = nil
        states.dropBefore()
        counts.addDropped()
    }

    @usableFromInline
    func wake() {
        // Acquiring and releasing: only orders itself; who finds it false is the one to send somebody.
        guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { self.work() }
    }
}

// The queue's side.
extension LogChannel: LogFlushing {
    private func work() {
        let isFull = take()
        // Nothing is gained by a rest where entries come faster than they are formatted; a flush has its turn between.
        if isFull { queue.async { self.work() } } else { lookLater() }
    }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + Self.linger) {
            // Relaxed: only the queue writes `head`; what is in the ring is looked at again below.
            if self.tail.load(ordering: .acquiring) == self.head.load(ordering: .relaxed) {
                self.rest()
            } else {
                self.work()
            }
        }
    }

    private func rest() {
        // Sequentially consistent, both: see handOver.
        isAwake.store(false, ordering: .sequentiallyConsistent)
        if tail.load(ordering: .sequentiallyConsistent) != head.load(ordering: .relaxed) { wake() }
    }

    /// Formats what is in the ring now. Returns whether the ring was more than half full.
    @discardableResult
    private func take() -> Bool {
        // Relaxed: only the queue writes it.
        let begin = head.load(ordering: .relaxed)
        // Acquiring, pairs with handOver: the entries are whole.
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
            // Seldom, as the pipeline reads it. Releasing, pairs with hasRoom.
            if next % 32 == 0 { head.store(next, ordering: .releasing) }
        }
        head.store(next, ordering: .releasing)
        counts.addWritten(end &- begin)
        // Of actions that come after what was printed; if there are entries again, they tell what came before them.
        let skipped = counts.skipped
        if tail.load(ordering: .acquiring) == end { formatter.tell(skipped: skipped) }
        formatter.finish()
        return end &- begin > capacity / 2
    }

    /// Looks, once in a while, at the memory that an entry holds: not at the one that is next, as what has come meanwhile
    /// may be much larger. A look takes microseconds. There is an entry.
    private func measure() {
        defer { untilMeasured &-= 1 }
        guard untilMeasured & 31 == 0 else { return }
        // Acquiring, pairs with handOver: the entry is whole.
        let newest = index(tail.load(ordering: .acquiring) &- 1)
        if entries[newest].change == .states {
            states?.measure(slot: entries[newest].slot, isNext: entries[newest].isNext)
        }
        guard untilMeasured == 0 else { return }
        untilMeasured = 1_024
        if budget.isNeeded { budget.publish(HeldBytes.of(entries[newest].action, besides: nil)) }
    }

    func flush() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.take()
                continuation.resume()
            }
        }
    }
}
