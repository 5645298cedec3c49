// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches a control action: an action that is neither rejected nor dropped because the store is full.
    ///
    /// Use it for actions that must get through under load, such as stop, flush or reconfigure. A control action has
    /// its place in the order like any other action, and a closed store rejects it. The capacity does not limit the
    /// number of control actions. An action that must be handled before those that wait is an urgent one:
    /// ``dispatch(urgent:file:function:line:info:)``.
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
    /// An unbounded store is never full. An action that is not accepted counts as rejected.
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

    /// Dispatches as many actions as there is room for, in order, and returns their number. Never waits for room.
    ///
    /// The other actions count as rejected. The method claims slots for up to 256 actions at once; actions of other
    /// threads may come between two such runs.
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
    /// order. In a large queue a producer that has waited may then send some actions without waiting, as many as the
    /// others that were served with it: so all producers that wait again and again get the same part of the queue. On
    /// an unbounded store the method never suspends.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; ``SendError/closed`` when the store
    ///   was closed before the call or closes during it; ``SendError/outOfMemory``. In each case the action counts as
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
        // No suspension between this check and the push, so each thread overshoots the capacity by one action at most.
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
        // The action counts as depth from now on. Ended before `settle`, which may run the pipeline on this thread.
        if isReserved { core.endReservation() }
        core.settle(result)
        switch result {
        case .accepted, .acceptedInternally: return
        case .closed: throw SendError.closed
        case .outOfMemory: throw SendError.outOfMemory
        }
    }
}
