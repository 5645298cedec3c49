// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches an action that is neither refused nor thrown away because the store is full.
    ///
    /// For what must get through under load: stop, flush, reconfigure. It takes its turn in the order like any other;
    /// only a closed store refuses it. A store that is given nothing else has no bound.
    @inlinable
    public final func dispatch(
        control action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        let dispatched = DispatchedAction(action, file: file, function: function, line: line, info: info)
        core.take(dispatched, cause: .none, run: nil, flags: Slot.exempt)
    }

    /// Dispatches an action if there is room, and says what became of it. Never waits, whatever the overflow policy.
    ///
    /// An unbounded store is never full. What is refused counts as rejected.
    @inlinable
    public final func offer(
        _ action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> OfferResult {
        core.offer(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches as many actions as there is room for, in order, and says how many. Never waits.
    ///
    /// The others count as rejected. Room is claimed for up to 256 actions at once; actions of other threads may come
    /// between two of these runs.
    @inlinable
    public final func offer(
        contentsOf actions: some Collection<ActionType>,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) -> OfferedActions where ActionType: Sendable {
        let source = ActionSource(file: file, function: function, line: line)
        let offered =
            actions.withContiguousStorageIfAvailable { core.offer(contentsOf: $0, source: source) }
            ?? ContiguousArray(actions).withUnsafeBufferPointer { core.offer(contentsOf: $0, source: source) }
        if offered.accepted < actions.count { core.reject(UInt64(actions.count - offered.accepted)) }
        return offered
    }

    /// Dispatches an action as soon as there is room; until then the task is suspended, and no thread is blocked.
    ///
    /// Returns when the action is in the queue, which is not to say that it is reduced. Tasks and threads that wait are
    /// granted places in the order in which they came; of those that are granted places together, any may go in first.
    /// On an unbounded store it never suspends.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; ``SendError/closed`` when the store
    ///   closes before or meanwhile; ``SendError/outOfMemory``. In each case the action did not go in, and counts as
    ///   rejected.
    public final func send(
        _ action: sending ActionType,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) async throws {
        let dispatched = DispatchedAction(action, file: file, function: function, line: line, info: info)
        var isReserved = false
        // No suspension between this look and the push: what is between the two is one action a thread.
        if !core.hasRoomNow {
            switch await core.reserveRoom() {
            case .reserved: isReserved = true
            case .unbounded: break
            case .closed:
                core.reject(1)
                throw SendError.closed
            case .cancelled:
                core.reject(1)
                throw CancellationError()
            }
        }
        let result = core.push(dispatched, cause: .none, run: nil, flags: 0)
        // Before the pipeline may run here: the action counts as depth from now on.
        if isReserved { core.endReservation() }
        core.settle(result)
        switch result {
        case .accepted: return
        case .closed: throw SendError.closed
        case .outOfMemory: throw SendError.outOfMemory
        }
    }
}
