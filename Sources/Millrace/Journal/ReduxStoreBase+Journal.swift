// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
import Synchronization

extension ReduxStoreBase {
    /// The connection with the journal; nil in a store without one.
    package final var journalPort: JournalPort? { core.consumer.journal }

    /// Dispatches an action that a producer has numbered.
    @inlinable
    package final func dispatch(
        _ action: sending DispatchedAction<ActionType>,
        numbered run: NumberedRun
    ) {
        core.take(action, cause: .none, run: run, flags: 0)
    }

    /// Has a closure called on the pipeline's thread once all actions dispatched before are reduced. It gets the
    /// sequence of the last of them; nil if the store drops them. Returns false if the pipeline has ended or is about
    /// to. Any thread.
    package final func afterReduced(_ body: @escaping @Sendable (UInt64?) -> Void) -> Bool {
        core.sendBarrier(.recorded) { [consumer = core.consumer] in
            body(consumer.isAbandoned ? nil : consumer.counters.pointee.reduced)
        }
    }

    /// Lets the pipeline handle recorded actions again. The journal has begun, and a shard knows the others.
    package final func connected() {
        guard let port = journalPort else { return }
        // Sequentially consistent: it releases, and the consumer looks at it before it sleeps.
        port.isConnected.store(true, ordering: .sequentiallyConsistent)
    }

    /// Lets the effects of recorded actions begin, and the store accept what its middlewares have dispatched so far.
    /// After ``connected()``, when the recorded actions were handled again. With `.caller` the pipeline runs here.
    package final func recovered() {
        guard let port = journalPort else { return }
        core.openContexts(port)
    }

    /// Whether ``recovered()`` returns at once: it neither runs the pipeline nor waits for room.
    package final var opensAtOnce: Bool { core.opensContextsAtOnce }

    /// Closes the store because its recovery has failed: nothing that is held begins. Returns when the pipeline has
    /// ended and the journal is closed.
    package final func giveUp() async {
        core.abandon()
        await ended()
    }

    /// The error of the store's journal, if that has failed and closed the store. Any thread, also after the end.
    package final var journalFailure: (any Error)? { journalPort?.failure.withLock { $0 } }

    /// Waits until the pipeline has ended.
    package final func ended() async { await core.consumer.completion.wait() }

    /// Whether the store has dropped actions that waited when it ended.
    package final var hasDroppedAtEnd: Bool { core.consumer.shared.abandoned.load(ordering: .relaxed) > 0 }

    /// What the journal's thread may ask of the store. The closures do not hold the store: its last reference must not
    /// go on that thread, because the end of the pipeline waits for the journal.
    package final var journalCalls: JournalCalls {
        JournalCalls(
            wake: { [weak core] in core?.host?.wakeElsewhere() },
            stop: { [weak core] in core?.abandon() }
        )
    }
}

/// What the journal's thread may ask of the store.
package struct JournalCalls: Sendable {
    /// Makes the pipeline look for held work that has become durable. Never runs the pipeline on the calling thread.
    package let wake: @Sendable () -> Void
    /// Closes the store, and drops all actions after the current one. Returns at once.
    package let stop: @Sendable () -> Void
}

extension StoreEngine {
    /// Whether a store with this engine can hold work: its pipeline sleeps on a thread of its own, or in a world.
    @usableFromInline package var holdsWork: Bool {
        switch kind {
        case .thread: true
        case .hosted(let factory): factory.world != nil
        case .caller, .queue, .main: false
        }
    }
}
