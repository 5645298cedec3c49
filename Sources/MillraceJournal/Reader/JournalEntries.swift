// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore
public import MillraceRecords

/// The actions of a journal in their order, from ``Journal/entries(from:)``. It ends where the journal ends at the
/// moment.
public struct JournalEntries<Action>: AsyncSequence, Sendable {
    /// What is read.
    public typealias Element = RecordedAction<Action>
    /// Why the reading may fail.
    public typealias Failure = JournalError

    let source: any JournalSource<Action>
    let first: UInt64

    /// Reads the files in batches, on a thread of libdispatch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: any JournalSource<Action>
        let first: UInt64
        var reader: (any EntryReader<Action>)?
        var batch: [RecordedAction<Action>] = []
        var next = 0
        private static var size: Int { 512 }
        private typealias Read = (reader: any EntryReader<Action>, batch: [RecordedAction<Action>])

        init(source: any JournalSource<Action>, first: UInt64) {
            self.source = source
            self.first = first
        }

        /// Returns the next action; nil at the end.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(JournalError) -> RecordedAction<Action>? {
            if next == batch.count {
                let (source, first, reader) = (source, first, reader)
                let result = await onDisk(source.world) { () throws(JournalError) -> Unchecked<Read> in
                    let reader = if let reader { reader } else { try source.reader(from: first) }
                    return Unchecked((reader: reader, batch: try reader.batch(Self.size)))
                }
                switch result {
                case .success(let read): (self.reader, batch) = read.value
                case .failure(let error): throw error
                }
                next = 0
            }
            guard next < batch.count else { return nil }
            defer { next += 1 }
            return batch[next]
        }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source, first: first) }
}

/// Runs a body that blocks on files, on a thread outside of the thread pool of tasks: of the system, or of a world.
func onDisk<Value: Sendable>(
    _ world: (any StoreWorld)?,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () throws(JournalError) -> Value
) async -> Result<Value, JournalError> {
    await suspend { task in
        let run: @Sendable () -> Void = {
            do throws(JournalError) {
                let value = try body()
                task.resume(returning: .success(value))
            } catch {
                task.resume(returning: .failure(error))
            }
        }
        if let world { world.service("files", run) } else { DispatchQueue.global().async(execute: run) }
    }
}
