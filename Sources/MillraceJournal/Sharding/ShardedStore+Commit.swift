// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore

// A producer numbers its actions for each shard by itself: 1, 2, 3, … for those that go to shard 0, and so on. Numbers
// over all shards would leave gaps in each one, and a shard could not tell a gap from an action that is missing.
extension ShardedStore {
    /// Returns the number of the shard of an action, 0 or more.
    public func shardNumber(of action: borrowing ActionType) -> Int { index(copy action) }

    /// Dispatches a numbered action to its shard, and returns when it is durable there: see
    /// ``Millrace/ReduxStoreBase/commit(_:producer:number:file:function:line:info:)``.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - producer: The name of the producer.
    ///   - number: The next number of this producer in the shard of the action (``shardNumber(of:)``).
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - info: More about the origin of the action.
    /// - Throws: ``CommitError``.
    @discardableResult
    public func commit(
        _ action: sending ActionType,
        producer: String,
        numberInShard number: UInt64,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) async throws(CommitError) -> CommitReceipt {
        if isClosed { throw .notAccepted }
        return try await shards[index(action)].commit(
            action,
            producer: producer,
            number: number,
            file: file,
            function: function,
            line: line,
            info: info
        )
    }

    /// Dispatches a numbered action to its shard, and does not wait for it.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - producer: The name of the producer.
    ///   - number: The next number of this producer in the shard of the action (``shardNumber(of:)``).
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - info: More about the origin of the action.
    public func dispatch(
        _ action: sending ActionType,
        producer: String,
        numberInShard number: UInt64,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        let shard = shards[index(action)]
        // Counted as rejected.
        if isClosed { return dispatch(action) }
        shard.dispatch(
            action,
            producer: producer,
            number: number,
            file: file,
            function: function,
            line: line,
            info: info
        )
    }

    /// Returns the last number of a producer in each shard, by the number of the shard; 0 where it is unknown.
    public func lastNumbers(of producer: String) async -> [UInt64] {
        var numbers: [UInt64] = []
        for shard in shards { numbers.append(await shard.lastNumber(of: producer)) }
        return numbers
    }

    /// Returns when everything that was dispatched before is durable, in every shard. What the shards dispatch to each
    /// other meanwhile is not waited for: call `drain()` first.
    ///
    /// - Throws: ``CommitError`` of the first shard in which that can no longer happen.
    public func journaled() async throws(CommitError) {
        let shards = shards
        var errors: [CommitError] = []
        await withTaskGroup(of: CommitError?.self) { group in
            for shard in shards {
                group.addTask {
                    do throws(CommitError) {
                        try await shard.journaled()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await error in group {
                if let error { errors.append(error) }
            }
        }
        if let error = errors.first { throw error }
    }
}
