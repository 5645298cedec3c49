// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore
import MillraceRecords
import Synchronization

/// Writes snapshots on a thread other than the journal's, one at a time. If they come faster than they can be written,
/// only the newest one that waits is written.
final class SnapshotQueue<Folder: JournalFolder>: Sendable {
    typealias Write = @Sendable (SnapshotFolder<Folder>, _ syncedThrough: UInt64) throws(JournalError) -> Void
    /// Brings a second state to the end of a frame, and writes it. Returns false if `goesOn` returned false, or if an
    /// earlier error has stopped the second state.
    typealias WriteShadow =
        @Sendable (
            SnapshotFolder<Folder>, _ syncedThrough: UInt64, _ goesOn: () -> Bool
        ) throws(JournalError) -> Bool

    private struct Waiting {
        let sequence: UInt64
        let write: Write
    }

    private struct Contents {
        var waiting: Waiting?
        var isWriting = false
        var isEnded = false
        /// When the second state is written next.
        var nextShadow: UInt64 = .max
    }

    private let contents = Locked(Contents())
    private let folder: Folder
    private let keep: Int
    private let removesSegments: Bool
    private let state: JournalState
    private let interval: UInt64
    private let writeShadow: WriteShadow?
    private let queue: BackgroundQueue

    /// - Parameter shadow: A second state that follows the journal, with the sequence that it begins after; nil if the
    ///   pipeline adds the snapshots.
    init(
        _ folder: Folder,
        keep: Int,
        removesSegments: Bool,
        _ state: JournalState,
        shadow: (interval: UInt64, after: UInt64, write: WriteShadow)? = nil
    ) {
        interval = shadow?.interval ?? 0
        writeShadow = shadow?.write
        if let shadow, shadow.interval > 0 {
            contents.withLock { $0.nextShadow = (shadow.after / shadow.interval + 1) * shadow.interval }
        }
        self.folder = folder
        queue = BackgroundQueue("millrace-snapshots", qos: .utility, folder.world)
        self.keep = keep
        self.removesSegments = removesSegments
        self.state = state
    }

    /// Whether a snapshot waits that can be written once the actions up to this one are synced.
    func canWrite(upTo written: UInt64) -> Bool {
        contents.withLock { contents in
            guard !contents.isWriting, !contents.isEnded else { return false }
            return min(contents.waiting?.sequence ?? .max, contents.nextShadow) <= written
        }
    }

    /// Adds a snapshot at a sequence. The pipeline's thread.
    func add(at sequence: UInt64, _ write: @escaping Write) {
        let displaced = contents.withLock { contents -> Waiting? in
            guard !contents.isEnded else { return nil }
            defer { contents.waiting = Waiting(sequence: sequence, write: write) }
            return contents.waiting
        }
        // Released on the queue, not here: its state may be large.
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
        if writeShadow != nil {
            return beginShadow(SnapshotFolder(folder, journal: journal, epoch: epoch), syncedThrough, finished)
        }
        #if MILLRACE_PLANTED
            let syncedThrough = Planted.has(.snapshotAhead) ? .max : syncedThrough
        #endif
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
                state.snapshotFailure.withLock { $0 = nil }
                try retain(in: folder)
            } catch {
                // No action is lost, because the journal has all of them. The queue tries again with the next snapshot.
                failed(error)
            }
            contents.withLock { $0.isWriting = false }
            finished()
        }
    }

    /// Begins to write the second state, if the journal is synced to its next snapshot.
    private func beginShadow(
        _ folder: SnapshotFolder<Folder>,
        _ syncedThrough: UInt64,
        _ finished: @escaping @Sendable () -> Void
    ) {
        let isDue = contents.withLock { contents in
            guard !contents.isWriting, !contents.isEnded, contents.nextShadow <= syncedThrough else { return false }
            contents.isWriting = true
            contents.nextShadow = (syncedThrough / interval + 1) * interval
            return true
        }
        guard isDue, let writeShadow else { return }
        queue.async { [self] in
            do throws(JournalError) {
                if try writeShadow(folder, syncedThrough, { contents.withLock { !$0.isEnded } }) {
                    state.snapshots.add(1, ordering: .relaxed)
                    state.newestSnapshot.store(syncedThrough, ordering: .relaxed)
                    state.snapshotFailure.withLock { $0 = nil }
                    try retain(in: folder)
                } else if contents.withLock({ !$0.isEnded }) {
                    // An earlier error has stopped the second state.
                    state.failedSnapshots.add(1, ordering: .relaxed)
                }
            } catch {
                // No action is lost, because the journal has all of them.
                failed(error)
            }
            contents.withLock { $0.isWriting = false }
            finished()
        }
    }

    private func failed(_ error: JournalError) {
        state.snapshotFailure.withLock { $0 = error }
        state.failedSnapshots.add(1, ordering: .relaxed)
    }

    private func retain(in folder: SnapshotFolder<Folder>) throws(JournalError) {
        // Relaxed: an older value keeps more.
        let needed = state.finishedEffects.load(ordering: .relaxed)
        try folder.retain(keep, removingSegments: removesSegments, needed: needed)
    }

    /// Waits for the snapshot that is being written. Not for a second state, which may be far behind.
    func settle() {
        if writeShadow == nil { queue.settle() }
    }

    /// Takes no more snapshots, and waits for the one that is being written. Drops the one that waits.
    func end() {
        let waiting = contents.withLock { contents -> Waiting? in
            contents.isEnded = true
            return contents.waiting.take()
        }
        withExtendedLifetime(waiting) {}
        queue.settle()
    }
}
