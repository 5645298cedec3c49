// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime
import Synchronization

// On the pipeline's thread all of these read the live state: in `handle` the state before the reducers, in an IO the
// state after them. On other threads they read the latest published state. Reading inside this store's own reducer
// stops the program.
extension ReduxStoreBase where StateType: Sendable {
    /// A copy of the state.
    ///
    /// Any thread. Reading does not wait, with two exceptions. With ``Publication/onDemand`` it waits until the actions
    /// dispatched before are reduced. With ``StoreEngine/caller`` the first read that finds another thread in the
    /// pipeline does the same. A read never waits on the thread of a pipeline, inside ``withState(_:)``, or in a job on
    /// the store's own queue (``StoreEngine/queue(_:)``): it then gets the state that was published last.
    @inlinable
    public final var state: StateType {
        if core.isReadOnDemand { core.freshen() }
        return core.cell.read()
    }

    /// A copy of the state, and the number of actions that it contains.
    public final var versionedState: VersionedState<StateType> {
        if core.isReadOnDemand { core.freshen() }
        if core.cell.isRunningHere {
            // An IO that was held until its action was durable reads the state of then.
            let version = core.consumer.journal?.shown ?? core.consumer.counters.pointee.reduced
            return VersionedState(state: core.cell.read(), version: version)
        }
        if core.cell.external != nil {
            // The version is read first, so the state may contain more actions than the version says, never fewer.
            // Acquiring: the read of the state comes after; pairs with the release in PublishedCounters.report(_:).
            let version = core.consumer.shared.reduced.load(ordering: .acquiring)
            return VersionedState(state: core.cell.read(), version: version)
        }
        return core.cell.snapshot.withLatest { VersionedState(state: copy $0, version: $1) }
    }

    /// Calls a closure with the state, without a copy and without reference counting.
    ///
    /// The closure must not block, drain or wait for the pipeline: while it runs, no store in the process can free
    /// memory that it no longer needs. Debug builds stop the program at a drain inside the closure.
    @inlinable @inline(__always)
    public final func withState<Result>(_ body: (borrowing StateType) throws -> Result) rethrows -> Result {
        if core.isReadOnDemand { core.freshen() }
        return try core.cell.withState(body)
    }
}
