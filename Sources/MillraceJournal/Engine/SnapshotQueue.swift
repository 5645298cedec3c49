// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore
import MillraceRecords
import Synchronization

/// Writes snapshots on a thread other than the journal's, one at a time. If they come faster than they can be written,
/// only the newest one that waits is written.
final class SnapshotQueue<Folder: JournalFolder>: Sendable {
    typealias Write = @Sendable (SnapshotFolder<Folder>, _ syncedThrough: UInt64) throws(JournalError) -> Void

    private struct Waiting {
        let sequence: UInt64
        let write: Write
    }

    private struct Contents {
        var waiting: Waiting?
        var isWriting = false
        var isEnded = false
    }

    private let contents = Locked(Contents())
    private let folder: Folder
    private let keep: Int
    private let removesSegments: Bool
    private let state: JournalState
    private let queue = DispatchQueue(label: "millrace-snapshots", qos: .utility)

    init(_ folder: Folder, keep: Int, removesSegments: Bool, _ state: JournalState) {
        self.folder = folder
        self.keep = keep
        self.removesSegments = removesSegments
        self.state = state
    }

    /// Whether a snapshot waits that can be written once the actions up to this one are synced.
    func canWrite(upTo written: UInt64) -> Bool {
        contents.withLock { contents in
            guard !contents.isWriting, let waiting = contents.waiting else { return false }
            return waiting.sequence <= written
        }
    }

    /// Adds a snapshot at a sequence. The pipeline's thread.
    func add(at sequence: UInt64, _ write: @escaping Write) {
        let displaced = contents.withLock { contents -> Waiting? in
            guard !contents.isEnded else { return nil }
            defer { contents.waiting = Waiting(sequence: sequence, write: write) }
            return contents.waiting
        }
        // Its state may be large.
        if let displaced { queue.async { withExtendedLifetime(displaced) {} } }
    }

    /// Begins to write the snapshot that waits, if the journal is synced to its sequence. The journal's thread.
    ///
    /// - Parameter finished: Called when a snapshot was written, or could not be: the next one may be written now.
    func write(
        journal: JournalID,
        epoch: UInt64,
        syncedThrough: UInt64,
        finished: @escaping @Sendable () -> Void
    ) {
        let taken = contents.withLock { contents -> Waiting? in
            guard !contents.isWriting, let waiting = contents.waiting, waiting.sequence <= syncedThrough else {
                return nil
            }
            contents.waiting = nil
            contents.isWriting = true
            return waiting
        }
        guard let taken else { return }
        queue.async { [self] in
            let folder = SnapshotFolder(folder, journal: journal, epoch: epoch)
            do throws(JournalError) {
                try taken.write(folder, syncedThrough)
                state.snapshots.add(1, ordering: .relaxed)
                state.newestSnapshot.store(taken.sequence, ordering: .relaxed)
                try folder.retain(keep, removingSegments: removesSegments)
            } catch {
                // No action is lost, because the journal has all of them. The queue tries again with the next snapshot.
                state.failedSnapshots.add(1, ordering: .relaxed)
            }
            contents.withLock { $0.isWriting = false }
            finished()
        }
    }

    /// Waits for the snapshot that is being written.
    func settle() { queue.sync {} }

    /// Takes no more snapshots, and waits for the one that is being written. Drops the one that waits.
    func end() {
        let waiting = contents.withLock { contents -> Waiting? in
            contents.isEnded = true
            return contents.waiting.take()
        }
        withExtendedLifetime(waiting) {}
        queue.sync {}
    }
}
