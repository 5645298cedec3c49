// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension ReduxStoreBase {
    /// The connection with the journal; nil in a store without one.
    package final var journalPort: JournalPort? { core.consumer.journal }

    /// Dispatches an action that a producer has numbered.
    package final func dispatch(
        _ action: sending DispatchedAction<ActionType>,
        numbered run: NumberedRun
    ) {
        core.take(action, cause: .none, run: run, flags: 0)
    }

    /// The number of actions that were handled, those before the recovery included. On the pipeline's thread.
    package final var sequence: UInt64 { core.consumer.counters.pointee.reduced }

    /// Makes the pipeline look for held work that has become durable. Any thread; never runs the pipeline here.
    package final func wakeForJournal() { core.host?.wakeElsewhere() }

    /// Closes the store, and drops all actions after the current one. Any thread; returns at once.
    package final func abandonForJournal() { core.abandon() }
}

extension StoreEngine {
    /// Whether a store with this engine can hold work: its pipeline sleeps on a thread of its own.
    @usableFromInline package var holdsWork: Bool {
        if case .thread = kind { true } else { false }
    }
}
