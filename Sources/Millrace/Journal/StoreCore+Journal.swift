// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

extension StoreCore {
    /// Connects the store with a journal. Before its middlewares are bound.
    @usableFromInline
    func connect(_ port: JournalPort) {
        let cell = cell
        port.capture = { StateBox(cell.live.pointee) }
        port.exchange = { box in
            let box = unsafeDowncast(box, to: StateBox<State>.self)
            swap(&cell.live.pointee, &box.state)
        }
        consumer.connect(port)
    }

    /// The same for a store whose state is in a subject. Nothing is exchanged there: the pipeline waits for the journal
    /// instead of holding work, so all work reads the live state.
    @usableFromInline
    func connect(_ port: JournalPort, capturing subject: UnfailableReplayLastSubjectType<State>) {
        port.capture = { StateBox(subject.value()) }
        consumer.connect(port)
    }
}

package final class StateBox<State>: @unchecked Sendable {
    // Unchecked because one thread at a time uses it.
    package fileprivate(set) var state: State

    init(_ state: State) {
        self.state = state
    }
}

extension Consumer {
    func connect(_ port: JournalPort) {
        journal = port
        port.clock = BatchClock(world)
        counters.pointee.reduced = port.base
        shared.base = port.last
        shared.reduced.store(port.base, ordering: .releasing)
        if let admission, let effects = port.openEffects {
            admission.wakePipeline = { effects.wakePipeline() }
            port.hasWaitingEffects = { admission.hasWaitingEffects }
        }
        // `OpenEffects` releases this closure when the pipeline ends, before the queue is destroyed.
        let own = UInt(bitPattern: counters)
        port.openEffects?.connect { [queue] wasImmediate in
            // A closed store accepts the answers only from its pipeline's thread.
            let isAccepted = !queue.isClosed || (wasImmediate && UInt(bitPattern: Frames.counters) == own)
            return isAccepted ? queue.claimed : nil
        }
    }

    /// Holds the bodies of effects until their action is durable; nil in a store without a journal.
    var holder: (@Sendable (@escaping () -> Void) -> Bool)? {
        guard journal != nil else { return nil }
        return { [self] in hold($0) }
    }

    /// Ends a batch in a store with a journal. Out of line, because most stores have none.
    @inline(never)
    func endJournaledBatch() { journal?.batchEnded(at: hasBesides ? nil : queue.position) }

    /// Numbers a middleware, and returns a closure that records each of its effects; nil in a store whose effects do
    /// not begin again.
    var makeTracker: (@Sendable () -> @Sendable () -> EffectReceipt?)? {
        guard journal?.openEffects != nil else { return nil }
        return { [self] in
            let middleware = journal?.openEffects?.addMiddleware() ?? 0
            return { [self] in
                // Only on this pipeline's thread, and not while held work runs.
                guard let journal, Frames.counters == counters, !journal.isReleasing else { return nil }
                return journal.openEffects?.begin(at: journal.recorded, by: middleware)
            }
        }
    }

    /// Keeps the body of an effect until the current action is durable. Returns false if it may run now. Any thread.
    func hold(_ body: @escaping () -> Void) -> Bool {
        // Another thread runs an effect of an action that is durable: its IO was kept and is run there.
        guard let journal, Frames.counters == counters else { return false }
        return journal.hold(body)
    }
}
