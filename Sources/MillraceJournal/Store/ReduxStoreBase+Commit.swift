// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches a numbered action, and returns when it is durable.
    ///
    /// Each producer numbers its actions 1, 2, 3, … If it did not get the receipt of an action, it commits the action
    /// again with the same number, also after a crash of the producer or of this process. The store handles each number
    /// once. The numbers are in the journal and in its snapshots.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - producer: The name of the producer.
    ///   - number: The next number of this producer.
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - info: More about the origin of the action.
    /// - Returns: That the action is durable now, or was before (``CommitReceipt/duplicate(mark:durability:)``).
    /// - Throws: ``CommitError``. The action was not handled, or is not durable (``CommitError/journal(_:)``).
    @discardableResult
    public final func commit(
        _ action: sending ActionType,
        producer: String,
        number: UInt64,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) async throws(CommitError) -> CommitReceipt {
        guard let journal = journalState else { throw .noJournal }
        let source = ActionSource(file: file, function: function, line: line, info: info)
        nonisolated(unsafe) let dispatched = DispatchedAction(action, dispatcher: source)
        let answer: NumberedRun.Answer? = await suspend { task in
            let run = NumberedRun(producer: producer, number: number) { task.resume(returning: $0) }
            self.dispatch(dispatched, numbered: run)
        }
        switch answer {
        case .accepted(let sequence):
            if let error = await journal.waiters.wait(for: sequence) { throw .journal(error) }
            return .committed(sequence: sequence, durability: journal.durability)
        case .duplicate(let mark, let sequence):
            #if MILLRACE_PLANTED
                if Planted.has(.duplicateTooEarly) {
                    return .duplicate(mark: mark, durability: journal.durability)
                }
            #endif
            if let error = await journal.waiters.wait(for: sequence) { throw .journal(error) }
            return .duplicate(mark: mark, durability: journal.durability)
        case .gap(let expected): throw .gap(expected: expected)
        case .unknownProducer: throw .unknownProducer
        case nil:
            if let error = journal.waiters.failure { throw .journal(error) }
            throw .notAccepted
        }
    }

    /// Dispatches a numbered action, and does not wait for it. A number that is not the producer's next one is not
    /// handled; it counts as cancelled.
    @inlinable
    public final func dispatch(
        _ action: sending ActionType,
        producer: String,
        number: UInt64,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        let dispatched = DispatchedAction(action, dispatcher: source)
        dispatch(dispatched, numbered: NumberedRun(producer: producer, number: number, answer: nil))
    }

    /// Dispatches actions with consecutive numbers, and does not wait for them.
    ///
    /// - Parameters:
    ///   - actions: The actions, in their order.
    ///   - producer: The name of the producer.
    ///   - number: The number of the first action.
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - info: More about the origin of the actions.
    @inlinable
    public final func dispatch<Actions: Sequence>(
        contentsOf actions: Actions,
        producer: String,
        number: UInt64,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) where Actions.Element == ActionType {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        var number = number
        for action in actions {
            // Unsafe as in every dispatch of several actions: the caller may have kept parts of them.
            nonisolated(unsafe) let dispatched = DispatchedAction(action, dispatcher: source)
            // Each action has its own number, because the store may drop any of them.
            dispatch(dispatched, numbered: NumberedRun(producer: producer, number: number, answer: nil))
            number &+= 1
        }
    }

    /// Returns when everything that was dispatched before is durable: at the level ``Durability/process`` given to the
    /// operating system, at the other levels on the disk. Actions that a full store has dropped or rejected are not
    /// waited for.
    ///
    /// - Throws: ``CommitError/journal(_:)`` if that can no longer happen, ``CommitError/notAccepted`` if the store was
    ///   closed and dropped actions at the deadline of its shutdown, ``CommitError/noJournal`` if the store has no
    ///   journal.
    public final func journaled() async throws(CommitError) {
        guard let journal = journalState else { throw .noJournal }
        // The sequence of the last action. The inner optional is nil if the store drops the actions, the outer one if
        // the pipeline has ended.
        let reached: UInt64?? = await suspend { task in
            let isOpen = self.afterReduced { task.resume(returning: .some($0)) }
            if !isOpen { task.resume(returning: .none) }
        }
        switch reached {
        case .some(let sequence?):
            if let error = await journal.waiters.wait(for: sequence) { throw .journal(error) }
        case .some(nil):
            if let error = journal.waiters.failure { throw .journal(error) }
            throw .notAccepted
        case .none:
            // The journal is closed after all actions that the pipeline has handled are written.
            let error = await journal.waiters.wait(for: .max)
            if let error, !error.isClosed { throw .journal(error) }
            if hasDroppedAtEnd { throw .notAccepted }
        }
    }

    /// Returns the last number of a producer that is in the state. The producer's next number is one more. 0 for an
    /// unknown producer.
    public final func lastNumber(of producer: String) async -> UInt64 {
        await withPort { $0.lastNumber(of: producer) } ?? 0
    }

    /// Returns the last number of each producer.
    public final func lastNumbers() async -> [String: UInt64] {
        await withPort { $0.lastNumbers } ?? [:]
    }

    /// Forgets a producer: its number leaves memory, and the next snapshots. After that its next number must be 1.
    ///
    /// Each producer costs some bytes in memory and in each snapshot. So forget those that never come back, such as the
    /// connections of a server; see ``lastNumbers()``. The journal records this with the next action, or at the
    /// shutdown. After a crash before that, the producer is known again.
    public final func forget(producer: String) async {
        await withPort { $0.forget(producer) }
    }

    /// Calls a closure with the port while no action is handled; returns nil without a journal.
    @discardableResult
    private final func withPort<Result: Sendable>(
        _ body: @escaping @Sendable (JournalPort) -> Result
    ) async -> Result? {
        guard let port = journalPort else { return nil }
        let result: Result? = await suspend { task in
            let isOpen = self.perform { task.resume(returning: body(port)) }
            if !isOpen { task.resume(returning: nil) }
        }
        if let result { return result }
        // The pipeline uses the port until it has ended.
        await ended()
        return body(port)
    }

    private final var journalState: JournalState? { journalPort?.attachment as? JournalState }
}
