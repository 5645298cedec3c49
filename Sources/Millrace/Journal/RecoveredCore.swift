// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A core whose recorded actions were handled again.
struct RecoveredCore<Action, State>: Sendable {
    let core: StoreCore<Action, State>
    let port: JournalPort

    /// Lets the effects of recorded actions begin.
    func begin() {
        // Sequentially consistent: it releases, and the consumer looks at it before it sleeps.
        port.isRecovered.store(true, ordering: .sequentiallyConsistent)
    }

    /// Has the pipeline look at it. With `.caller` the pipeline runs here.
    func wake() { core.host?.wake() }
}
