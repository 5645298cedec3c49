// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
import Synchronization

/// The effects of a store that are under way, by the actions that they answer. The journal writes down which have
/// ended, so that a recovery can begin the others again.
///
/// An effect is **open** until it is **settled**: it has ended, and every action that it had dispatched was reduced. An
/// end must not be on the disk before the effect's last answer. Otherwise a crash could lose the answer for ever.
///
/// An effect of one shard may dispatch to another shard, which has a journal of its own. So an end waits first until
/// all that was dispatched to the other shards is durable (``OtherShards``): it is **unsure** until then. One such wait
/// is under way at a time, for all effects that had ended when it began.
///
/// **Invariant.** Every effect that is not settled is in `open`, in the order of the actions. `through` is an action
/// whose effects are all in `open` or settled. So all effects of actions up to ``finished`` are settled.
package final class OpenEffects: EffectReceipts {
    /// One effect: its action, and its place among the effects of that action.
    package struct Place: Hashable, Sendable {
        package let sequence: UInt64
        /// The number of the middleware, then the number of the effect among those that the middleware started for the
        /// action. So a recovery gives the effect the same number, even if another middleware starts other effects (for
        /// example because its gate is closed).
        package let index: UInt32

        package init(sequence: UInt64, index: UInt32) {
            self.sequence = sequence
            self.index = index
        }
    }

    /// The end of one effect, for the journal.
    package struct End: Sendable {
        package let place: Place
        package let wasCancelled: Bool
        /// The last action that was reduced when the effect was settled.
        fileprivate var settledAt: UInt64 = 0
        /// The tail of the store's queue when the effect ended: its answers are before it.
        fileprivate let position: UInt64
    }

    private struct Contents {
        var open: [Place] = []
        /// The settled effects that are still in `open`.
        var settled: Set<Place> = []
        /// The effects that have ended and are not settled, in the order of their ends.
        var ended: [End] = []
        /// The ends that the journal has not taken.
        var untaken: [End] = []
        /// The effects of a shard that have ended, and whose answers to other shards may not be durable, in the order
        /// of their ends.
        var unsure: [End] = []
        /// How many ends, from the front of `unsure`, the present wait for the other shards covers; 0: there is no wait.
        var awaited = 0
        var others: OtherShards?
        var through: UInt64
        /// The last value of ``finished`` that the journal took; nil: none yet.
        var taken: UInt64?
        /// The last effect of each middleware, by the middleware's number.
        var last: [Place] = []
        /// The effects that had ended before the recovery.
        var before: Set<Place>
        /// Returns the tail of the store's queue, or nil if the store may have rejected an answer. There is no closure
        /// after the store has ended or the journal has failed.
        var tail: (@Sendable (_ wasImmediate: Bool) -> UInt64?)?
        var wakeStore: (@Sendable () -> Void)?
        var wakeJournal: (@Sendable () -> Void)?

        var finished: UInt64 {
            #if MILLRACE_PLANTED
                if Planted.has(.watermarkTooHigh) { return min(open.first?.sequence ?? .max, through) }
            #endif
            return min(open.first.map { $0.sequence &- 1 } ?? .max, through)
        }
    }

    /// The bits of an index that number the effects of one middleware for one action.
    private static var indexBits: UInt32 { 22 }
    private static var mostMiddlewares: Int { 1 << (32 - 22) }

    private let contents: Locked<Contents>
    private let journal: (low: UInt64, high: UInt64)
    /// The most effects that may run at a time.
    private let most: Int
    /// The number of effects that have begun and not ended.
    private let running = Atomic<Int>(0)
    /// The smallest position of the effects that have ended and are not settled. Sequentially consistent, as the
    /// consumer looks at it before it sleeps.
    private let nextPosition = Atomic<UInt64>(.max)
    /// Whether the journal has ends to take. Sequentially consistent: the journal's thread looks at it before it
    /// sleeps.
    private let hasUntaken = Atomic<Bool>(false)

    /// - Parameters:
    ///   - finished: All effects of actions up to this one have ended.
    ///   - ended: The effects of later actions that have ended.
    package init(journal: (low: UInt64, high: UInt64), most: Int, finished: UInt64, ended: Set<Place>) {
        self.journal = journal
        self.most = most
        contents = Locked(Contents(through: finished, before: ended))
    }

    /// Connects the effects with their journal, before the store is shared.
    package func connect(wakeStore: @escaping @Sendable () -> Void, wakeJournal: @escaping @Sendable () -> Void) {
        contents.withLock { ($0.wakeStore, $0.wakeJournal) = (wakeStore, wakeJournal) }
    }

    /// Connects the effects with their store, before the store is shared.
    func connect(tail: @escaping @Sendable (_ wasImmediate: Bool) -> UInt64?) { contents.withLock { $0.tail = tail } }

    /// Connects the effects of a shard with the other shards, before the store handles an action.
    func connect(others: OtherShards) { contents.withLock { $0.others = others } }

    /// Whether an effect has ended, and the other shards have not said yet that its answers are durable.
    var hasUnsure: Bool { contents.withLock { !$0.unsure.isEmpty } }

    /// The number of effects that have begun and not ended.
    package var count: Int { running.load(ordering: .relaxed) }

    // MARK: Effects

    /// Numbers a middleware that starts effects, in the order in which the store binds its middlewares. Plugins come
    /// last, and with them the numbers end: the last one is that of all later plugins.
    func addMiddleware() -> Int {
        contents.withLock { contents in
            let number = contents.last.count
            guard number < Self.mostMiddlewares else { return number - 1 }
            contents.last.append(Place(sequence: 0, index: UInt32(number) << Self.indexBits))
            return number
        }
    }

    /// Notes an effect of an action. The consumer only.
    func begin(at sequence: UInt64, by middleware: Int) -> EffectReceipt {
        let (place, hasEnded) = contents.withLock { contents in
            let last = contents.last[middleware]
            let first = UInt32(middleware) << Self.indexBits
            let place = Place(sequence: sequence, index: last.sequence == sequence ? last.index + 1 : first)
            contents.last[middleware] = place
            let hasEnded = contents.before.contains(place)
            // Without `tail` no end is noted, so the effect would never leave `open`.
            if !hasEnded, contents.tail != nil { contents.open.append(place) }
            return (place, hasEnded)
        }
        if !hasEnded { running.add(1, ordering: .relaxed) }
        return EffectReceipt(self, journal: journal, sequence: sequence, index: place.index, hasEnded: hasEnded)
    }

    package func ended(_ receipt: EffectReceipt, wasCancelled: Bool, wasImmediate: Bool) {
        let wasFull = running.subtract(1, ordering: .sequentiallyConsistent).oldValue >= most
        let wake = contents.withLock { contents -> (@Sendable () -> Void)? in
            guard let position = contents.tail?(wasImmediate) else {
                // The store is closed. The effect begins again after the next recovery, but the pipeline may wait for
                // room.
                return wasFull ? contents.wakeStore : nil
            }
            let place = Place(sequence: receipt.sequence, index: receipt.index)
            let end = End(place: place, wasCancelled: wasCancelled, position: position)
            if let others = contents.others {
                // A closed shard may have rejected an answer.
                guard others.areOpen(wasImmediate) else { return wasFull ? contents.wakeStore : nil }
                contents.unsure.append(end)
                let wait = beginWait(&contents)
                return { [wakeStore = wasFull ? contents.wakeStore : nil] in
                    wakeStore?()
                    wait?()
                }
            }
            let isFirst = append([end], to: &contents)
            return isFirst || wasFull ? contents.wakeStore : nil
        }
        wake?()
    }

    /// Adds effects that have ended. Returns whether the store must be woken.
    private func append(_ ends: some Collection<End>, to contents: inout Contents) -> Bool {
        guard let first = ends.first else { return false }
        let isFirst = contents.ended.isEmpty
        contents.ended += ends
        if isFirst { nextPosition.store(first.position, ordering: .sequentiallyConsistent) }
        return isFirst
    }

    // MARK: The other shards

    /// Returns the closure that begins the wait for the other shards, which the caller calls outside of the lock. Nil:
    /// there is nothing to wait for, or a wait is under way.
    private func beginWait(_ contents: inout Contents) -> (@Sendable () -> Void)? {
        guard contents.awaited == 0, !contents.unsure.isEmpty, let others = contents.others else { return nil }
        contents.awaited = contents.unsure.count
        return { others.whenDurable { self.othersAnswered($0) } }
    }

    /// Called when what was dispatched to the other shards is durable, or when a shard has failed.
    private func othersAnswered(_ areDurable: Bool) {
        // That is final. The effects begin again after the next recovery.
        if !areDurable { return stopNoting() }
        let (wake, wait) = contents.withLock { contents -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            let isFirst = append(contents.unsure[..<contents.awaited], to: &contents)
            contents.unsure.removeFirst(contents.awaited)
            contents.awaited = 0
            return (isFirst ? contents.wakeStore : nil, beginWait(&contents))
        }
        wake?()
        wait?()
    }

    /// Waits until what was dispatched to the other shards is durable, if an effect has ended that waits for it.
    func waitForOthers() async {
        guard let others = contents.withLock({ $0.unsure.isEmpty ? nil : $0.others }) else { return }
        await withCheckedContinuation { continuation in
            others.whenDurable { _ in continuation.resume() }
        }
    }

    /// Whether the pipeline must wait until an effect ends.
    var isFull: Bool { running.load(ordering: .sequentiallyConsistent) >= most }

    /// Wakes the pipeline if it waits for effects. Any thread.
    func wakePipeline() { contents.withLock { $0.wakeStore }?() }

    // MARK: The consumer

    /// Whether ``settle(at:_:)`` has something to do when the queue was consumed up to this position.
    func canSettle(at position: UInt64) -> Bool { nextPosition.load(ordering: .sequentiallyConsistent) <= position }

    /// Notes that the effects of all actions up to `reduced` were begun, and settles those that have ended.
    ///
    /// - Parameter position: The queue was consumed up to here; nil if urgent or internal actions wait.
    func settle(at position: UInt64?, _ reduced: UInt64) {
        let wake = contents.withLock { contents -> (@Sendable () -> Void)? in
            // After that, `open` does not hold the new effects.
            guard contents.tail != nil else { return nil }
            contents.through = max(contents.through, reduced)
            guard let position else { return nil }
            #if MILLRACE_PLANTED
                let reached: UInt64 = Planted.has(.settledTooEarly) ? .max : position
            #else
                let reached = position
            #endif
            let count = contents.ended.firstIndex { $0.position > reached } ?? contents.ended.count
            guard count > 0 else { return nil }
            for var end in contents.ended[..<count] {
                end.settledAt = reduced
                contents.settled.insert(end.place)
                contents.untaken.append(end)
            }
            contents.ended.removeFirst(count)
            nextPosition.store(contents.ended.first?.position ?? .max, ordering: .sequentiallyConsistent)
            hasUntaken.store(true, ordering: .sequentiallyConsistent)
            Self.removeSettled(&contents)
            return contents.wakeJournal
        }
        wake?()
    }

    /// Removes the settled effects at the front, and all of them if they are the greater part.
    private static func removeSettled(_ contents: inout Contents) {
        if contents.settled.count > contents.open.count / 2 {
            contents.open.removeAll { contents.settled.contains($0) }
            contents.settled.removeAll(keepingCapacity: true)
        } else {
            let front = contents.open.prefix { contents.settled.contains($0) }.count
            for place in contents.open[..<front] { contents.settled.remove(place) }
            contents.open.removeFirst(front)
        }
    }

    /// All effects of the actions up to this one have ended, and their answers were reduced.
    package var finished: UInt64 { contents.withLock { $0.finished } }

    /// Forgets the effects that had ended before the recovery. The recovery is over, and begins no more effects.
    func recovered() { contents.withLock { $0.before = [] } }

    /// Takes no more ends, and wakes nobody: the store has ended, or the journal has failed. Any thread.
    package func close() {
        stopNoting()
        let released = contents.withLock { contents in
            defer { (contents.wakeStore, contents.wakeJournal) = (nil, nil) }
            return (contents.wakeStore, contents.wakeJournal)
        }
        withExtendedLifetime(released) {}
    }

    /// Forgets the ends that are not settled, and notes no more: their answers may be lost, or among the actions that
    /// the store now drops.
    private func stopNoting() {
        let released = contents.withLock { contents in
            defer { (contents.tail, contents.others) = (nil, nil) }
            (contents.ended, contents.unsure, contents.awaited) = ([], [], 0)
            nextPosition.store(.max, ordering: .sequentiallyConsistent)
            return (contents.tail, contents.others)
        }
        withExtendedLifetime(released) {}
    }

    // MARK: The journal's thread

    /// Whether there are ends that the journal has not taken.
    package var hasEnds: Bool { hasUntaken.load(ordering: .sequentiallyConsistent) }

    /// Takes what the frame that ends with the action `last` must say: the last action up to which all effects have
    /// ended (nil: unchanged since the last frame), and the later effects that have ended.
    package func take(upTo last: UInt64) -> (finished: UInt64?, ends: [End]) {
        contents.withLock { contents in
            let count = contents.untaken.firstIndex { $0.settledAt > last } ?? contents.untaken.count
            // The other ends were settled after `last`: their answers come in later frames.
            let open = contents.untaken[count...].map(\.place.sequence).min() ?? .max
            let finished = min(contents.finished, last, open &- 1)
            let ends = contents.untaken[..<count].filter { $0.place.sequence > finished }
            contents.untaken.removeFirst(count)
            hasUntaken.store(!contents.untaken.isEmpty, ordering: .sequentiallyConsistent)
            guard contents.taken.map({ finished > $0 }) ?? true else { return (nil, ends) }
            contents.taken = finished
            return (finished, ends)
        }
    }
}
