// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
import Synchronization

/// The effects of a store that are under way, by the actions that they answer. The journal writes down which have ended, so
/// that a recovery can begin the others again.
///
/// An effect is **open** until it is **settled**: it has ended, and every action that it had dispatched was reduced. An
/// end must not be on the disk before the effect's last answer. Otherwise a crash could lose the answer for ever.
///
/// **Invariant.** `open` holds the effects that are not settled, in the order of their actions. `through` is an action
/// whose effects are all in `open` or settled. So all effects of actions up to ``finished`` are settled.
package final class EffectLedger: EffectReceipts {
    /// One effect: its action, and its place among the effects of that action.
    package struct Place: Hashable, Sendable {
        package let sequence: UInt64
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
        var through: UInt64
        /// What the journal was told last of ``finished``; nil: nothing yet.
        var taken: UInt64?
        var last = Place(sequence: 0, index: 0)
        /// The effects that had ended before the recovery.
        var before: Set<Place>
        /// Returns the tail of the store's queue; nil if the store may have rejected an answer. Nil: the store has ended,
        /// or the journal has failed.
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

    private let contents: Locked<Contents>
    private let journal: (low: UInt64, high: UInt64)
    /// The most effects that may run at a time.
    private let most: Int
    /// The number of effects that have begun and not ended.
    private let running = Atomic<Int>(0)
    /// The smallest position of the effects that have ended and are not settled. Sequentially consistent, as the consumer
    /// looks at it before it sleeps.
    private let nextPosition = Atomic<UInt64>(.max)
    /// Whether the journal has ends to take. Sequentially consistent: the journal's thread looks at it before it sleeps.
    private let hasUntaken = Atomic<Bool>(false)

    /// - Parameters:
    ///   - finished: All effects of actions up to this one have ended.
    ///   - ended: The effects of later actions that have ended.
    package init(journal: (low: UInt64, high: UInt64), most: Int, finished: UInt64, ended: Set<Place>) {
        self.journal = journal
        self.most = most
        contents = Locked(Contents(through: finished, before: ended))
    }

    /// Connects the ledger with its journal, before the store is shared.
    package func connect(wakeStore: @escaping @Sendable () -> Void, wakeJournal: @escaping @Sendable () -> Void) {
        contents.withLock { ($0.wakeStore, $0.wakeJournal) = (wakeStore, wakeJournal) }
    }

    /// Connects the ledger with its store, before the store is shared.
    func connect(tail: @escaping @Sendable (_ wasImmediate: Bool) -> UInt64?) { contents.withLock { $0.tail = tail } }

    /// The number of effects that have begun and not ended.
    package var count: Int { running.load(ordering: .relaxed) }

    // MARK: Effects

    /// Notes an effect of an action. The consumer only.
    func begin(at sequence: UInt64) -> EffectReceipt {
        let (place, hasEnded) = contents.withLock { contents in
            let index = contents.last.sequence == sequence ? contents.last.index + 1 : 0
            let place = Place(sequence: sequence, index: index)
            contents.last = place
            let hasEnded = contents.before.contains(place)
            if !hasEnded { contents.open.append(place) }
            return (place, hasEnded)
        }
        if !hasEnded { running.add(1, ordering: .relaxed) }
        return EffectReceipt(self, journal: journal, sequence: sequence, index: place.index, hasEnded: hasEnded)
    }

    package func ended(_ receipt: EffectReceipt, wasCancelled: Bool, wasImmediate: Bool) {
        let wasFull = running.subtract(1, ordering: .sequentiallyConsistent).oldValue >= most
        let wake = contents.withLock { contents -> (@Sendable () -> Void)? in
            guard let position = contents.tail?(wasImmediate) else {
                // The store is closed. The effect begins again after the next recovery, but the pipeline may wait for room.
                return wasFull ? contents.wakeStore : nil
            }
            let place = Place(sequence: receipt.sequence, index: receipt.index)
            contents.ended.append(End(place: place, wasCancelled: wasCancelled, position: position))
            let isFirst = contents.ended.count == 1
            if isFirst { nextPosition.store(position, ordering: .sequentiallyConsistent) }
            return isFirst || wasFull ? contents.wakeStore : nil
        }
        wake?()
    }

    /// Whether the pipeline must wait until an effect ends.
    var isFull: Bool { running.load(ordering: .sequentiallyConsistent) >= most }

    // MARK: The consumer

    /// Whether ``settle(at:_:)`` has something to do when the queue was consumed up to this position.
    func canSettle(at position: UInt64) -> Bool { nextPosition.load(ordering: .sequentiallyConsistent) <= position }

    /// Notes that the effects of all actions up to `reduced` were begun, and settles those that have ended.
    ///
    /// - Parameter position: The queue was consumed up to here; nil if urgent or internal actions wait.
    func settle(at position: UInt64?, _ reduced: UInt64) {
        let wake = contents.withLock { contents -> (@Sendable () -> Void)? in
            contents.through = max(contents.through, reduced)
            guard let position else { return nil }
            let count = contents.ended.firstIndex { $0.position > position } ?? contents.ended.count
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

    /// Forgets what had ended before the recovery: no effect from then begins any more.
    func recovered() { contents.withLock { $0.before = [] } }

    /// Takes no more ends: the store has ended, or the journal has failed. Any thread.
    package func close() {
        let released = contents.withLock { contents in
            defer { (contents.tail, contents.wakeStore, contents.wakeJournal) = (nil, nil, nil) }
            // Their answers may be among the actions that the store now drops.
            contents.ended = []
            return (contents.tail, contents.wakeStore, contents.wakeJournal)
        }
        withExtendedLifetime(released) {}
    }

    // MARK: The journal's thread

    /// Whether there are ends that the journal has not taken.
    package var hasEnds: Bool { hasUntaken.load(ordering: .sequentiallyConsistent) }

    /// Takes what a frame must say whose last action is `last`: up to which action all effects have ended (nil: as the
    /// frame before said), and which later ones have.
    package func take(upTo last: UInt64) -> (finished: UInt64?, ends: [End]) {
        contents.withLock { contents in
            let count = contents.untaken.firstIndex { $0.settledAt > last } ?? contents.untaken.count
            // The answers of the others are not in this frame.
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
