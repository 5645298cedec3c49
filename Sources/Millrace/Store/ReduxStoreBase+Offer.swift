// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches a control action: an action that is neither rejected nor dropped because the store is full.
    ///
    /// Use it for actions that a full store must accept, too, such as stop, flush or reconfigure. The capacity does not
    /// limit the number of control actions. Otherwise a control action is like any other action: any thread may
    /// dispatch it, the pipeline handles it in its turn, and a closed store rejects it. If the pipeline must handle an
    /// action before those that wait, dispatch it as an urgent one: ``dispatch(urgent:file:function:line:info:)``.
    @inlinable
    public final func dispatch(
        control action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        let dispatched = DispatchedAction(action, file: file, function: function, line: line, info: info)
        core.take(dispatched, cause: .none, run: nil, flags: Slot.beyondCapacity)
    }

    /// Dispatches an action if there is room, and returns the outcome. Never waits for room, whatever the overflow
    /// policy.
    ///
    /// An unbounded store always has room. So has a bounded one for an offer on the pipeline's own thread or queue. On
    /// other threads there is no room for an offer while producers wait for room. An action that the store does not
    /// accept counts as rejected. Any thread may call the method.
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

    /// Dispatches as many actions as there is room for, in order. Returns how many the store has accepted, and why not
    /// more. Never waits for room.
    ///
    /// The other actions count as rejected. The method claims slots for at most 256 actions at once. Between two such
    /// runs the queue may get actions of other threads. A collection that is not contiguous is copied first.
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

    /// Dispatches an action as soon as there is room. Until then the task is suspended, and no thread is blocked.
    ///
    /// Returns when the action is in the queue; the action may not have been reduced yet. Waiting tasks and threads get
    /// places in the order in which they came. Producers that get places at the same time push their actions in any
    /// order. When several producers get a place at the same time, the store divides the other free places equally
    /// among them: each may then dispatch its share of actions without waiting. So producers that wait again and again
    /// get equal parts of the queue. In an unbounded store, and on the pipeline's own thread or queue, the method never
    /// suspends.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; ``SendError/closed`` when the store
    ///   was closed before the call or closes during it; ``SendError/outOfMemory`` when the system has no memory for
    ///   the queue. In each case the action counts as rejected.
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
        // A task that finds room here does not suspend before its push. So each thread exceeds the capacity by at most
        // one action.
        if !core.hasRoomNow {
            switch await core.reserveRoomFromOutside() {
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
        // The action in the queue now counts itself, so the reservation ends. It ends before `settle`, because `settle`
        // may run the pipeline on this thread for a long time.
        if isReserved { core.endReservation() }
        core.settle(result)
        switch result {
        case .accepted, .acceptedInternally: return
        case .closed: throw SendError.closed
        case .outOfMemory: throw SendError.outOfMemory
        }
    }
}
