// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The tasks that wait until an action is durable.
final class DurableWaiters: Sendable {
    private struct State {
        var safe: UInt64
        var failure: JournalError?
        /// Whether waiting tasks get the failure.
        var isOver = false
        var tasks: [(sequence: UInt64, task: Resumption<JournalError?>)] = []
    }

    private let state: Locked<State>

    init(safe: UInt64) {
        state = Locked(State(safe: safe))
    }

    /// All actions up to this sequence are durable.
    var safe: UInt64 { state.withLock { $0.safe } }

    /// Waits until an action is durable. Returns the error of the journal if it never will be.
    func wait(for sequence: UInt64) async -> JournalError? {
        await suspend { task in
            let answer: JournalError?? = state.withLock { state in
                if sequence <= state.safe { return .some(nil) }
                if state.isOver, let failure = state.failure { return failure }
                state.tasks.append((sequence, task))
                return nil
            }
            if let answer { task.resume(returning: answer) }
        }
    }

    /// Resumes the tasks whose actions are durable. The journal's thread.
    func advance(to sequence: UInt64) {
        let ready = state.withLock { state in
            state.safe = max(state.safe, sequence)
            guard !state.tasks.isEmpty else { return [Resumption<JournalError?>]() }
            let safe = state.safe
            let ready = state.tasks.filter { $0.sequence <= safe }.map(\.task)
            state.tasks.removeAll { $0.sequence <= safe }
            return ready
        }
        for task in ready { task.resume(returning: nil) }
    }

    /// Sets the error of the journal, unless it has one. No task is resumed before ``fail(_:)``.
    func note(_ error: JournalError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    /// Resumes all tasks with the error of the journal, now and later. That is `error`, unless there was one before.
    func fail(_ error: JournalError) {
        let (first, tasks) = state.withLock { state in
            let first = state.failure ?? error
            state.failure = first
            state.isOver = true
            defer { state.tasks = [] }
            return (first, state.tasks.map(\.task))
        }
        for task in tasks { task.resume(returning: first) }
    }

    /// The error of the journal, after which no action becomes durable; nil if there is none.
    var failure: JournalError? { state.withLock { $0.failure } }
}
