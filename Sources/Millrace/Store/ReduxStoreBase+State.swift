// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceCore
import MillraceRuntime
import Synchronization

// On the pipeline's thread all of these tell of the live state: in `handle` the one before the reducers, in an IO the
// one after. Elsewhere, of the latest published one. Reading inside this store's own reducer stops the program.
extension ReduxStoreBase where StateType: Sendable {
    /// The state, copied.
    ///
    /// Any thread; waits for nobody, except with ``Publication/onDemand``: then for what was dispatched before. It does
    /// not wait on a pipeline's thread, nor in a job on the store's own queue, where it gives the state published last.
    @inlinable
    public final var state: StateType {
        if core.isReadOnDemand { core.freshen() }
        return core.cell.read()
    }

    /// The state, and how many actions it tells of.
    public final var versionedState: VersionedState<StateType> {
        if core.isReadOnDemand { core.freshen() }
        if core.cell.isRunningHere {
            return VersionedState(state: core.cell.read(), version: core.consumer.counters.pointee.reduced)
        }
        if core.cell.external != nil {
            // The version first: the state may tell of more actions, never of fewer.
            let version = core.consumer.shared.reduced.load(ordering: .acquiring)
            return VersionedState(state: core.cell.read(), version: version)
        }
        return core.cell.snapshot.withLatest { VersionedState(state: copy $0, version: $1) }
    }

    /// Lends the state to a closure: no copy, no reference counts.
    ///
    /// The closure must not block, drain or wait for the pipeline: while it runs, no memory that any store of the
    /// process retires can be freed. Debug builds stop a drain inside it.
    @inlinable @inline(__always)
    public final func withState<Result>(_ body: (borrowing StateType) throws -> Result) rethrows -> Result {
        if core.isReadOnDemand { core.freshen() }
        return try core.cell.withState(body)
    }
}

extension StoreCore {
    /// Has the pipeline publish what was dispatched until now, and waits for it.
    @usableFromInline
    func freshen() {
        // A pipeline that waits for another may be waited for by it; nobody may wait inside a read section; and a queue
        // that waits for a turn of its own waits for ever.
        guard !millrace_frame_runs_any(), !millrace_read_ongoing(), !waitsForItself else { return }
        guard millrace_queue_claimed(queue.raw) > consumer.shared.snapshotPosition.load(ordering: .acquiring) else {
            return
        }
        let gate = Latch()
        let isOpen = send { [self] in
            consumer.publishIfDirty()
            gate.open()
        }
        // Closed: what is pending will be finished and published.
        if isOpen { gate.wait() } else { consumer.finished.wait() }
    }
}
