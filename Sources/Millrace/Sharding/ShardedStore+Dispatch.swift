// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ShardedStore {
    /// Dispatches an action to the shard of its key. ``ReduxStoreBase/dispatch(_:)`` lists the guarantees.
    @_disfavoredOverload
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        let core = shards[index(dispatchedAction.action)].core
        if closed { return core.reject(1) }
        core.take(dispatchedAction, cause: .none, run: nil, flags: 0)
    }

    /// Dispatches many actions. Actions of one key stay in order. Their source is this call.
    ///
    /// The actions are sorted by shard first, into runs of up to 256.
    @inlinable
    public func dispatch(
        contentsOf actions: some Sequence<ActionType>,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) where ActionType: Sendable {
        let source = ActionSource(file: file, function: function, line: line)
        var runs = Array(repeating: ContiguousArray<ActionType>(), count: shards.count)
        func flush(_ shard: Int) {
            let core = shards[shard].core
            if closed {
                core.reject(UInt64(runs[shard].count))
            } else {
                runs[shard].withUnsafeBufferPointer { core.take(contentsOf: $0, source: source) }
            }
            runs[shard].removeAll(keepingCapacity: true)
        }
        for action in actions {
            let shard = index(action)
            runs[shard].append(action)
            if runs[shard].count == 256 { flush(shard) }
        }
        for shard in runs.indices where !runs[shard].isEmpty { flush(shard) }
    }

    /// Dispatches a control action to the shard of its key: see
    /// ``ReduxStoreBase/dispatch(control:file:function:line:info:)``.
    @inlinable
    public func dispatch(
        control action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        let shard = shards[index(action)]
        if closed { return shard.core.reject(1) }
        shard.dispatch(control: action, file: file, function: function, line: line, info: info)
    }

    /// Dispatches an urgent action to the shard of its key: see
    /// ``ReduxStoreBase/dispatch(urgent:file:function:line:info:)``. Only that shard handles it first.
    @discardableResult
    public func dispatch(
        urgent action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> OfferResult {
        takeUrgent(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action to the shard of its key, and blocks the thread until that shard has room: see
    /// ``ReduxStoreBase/dispatchOrWait(_:file:function:line:info:)``.
    @available(*, noasync, message: "it blocks the thread; in a task use 'try await store.send(action)'")
    public func dispatchOrWait(
        _ action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) throws(SendError) {
        let shard = shards[index(action)]
        if closed {
            shard.core.reject(1)
            throw .closed
        }
        try shard.dispatchOrWait(action, file: file, function: function, line: line, info: info)
    }

    /// Offers an action to the shard of its key: see ``ReduxStoreBase/offer(_:file:function:line:info:)``.
    @inlinable
    public func offer(
        _ action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> OfferResult {
        let shard = shards[index(action)]
        if closed {
            shard.core.reject(1)
            return .closed
        }
        return shard.offer(action, file: file, function: function, line: line, info: info)
    }

    /// Sends an action to the shard of its key as soon as that shard has room: see `send` of ``ReduxStoreBase``.
    public func send(
        _ action: sending ActionType,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) async throws {
        let shard = shards[index(action)]
        if closed {
            shard.core.reject(1)
            throw SendError.closed
        }
        try await shard.send(action, file: file, function: function, line: line, info: info)
    }
}
