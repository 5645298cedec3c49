// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// Lets the threads of one program sync a folder one after the other, and makes the first failure final.
///
/// A folder has one descriptor, and the system reports a failed write of names to one of the syncs of a descriptor
/// only. Without this class, the sync of a snapshot could take the error, and the sync of a new segment would then
/// return although the segment's name is lost.
package final class FolderSyncs: Sendable {
    /// The first failure.
    private let failure = Locked<FileError?>(nil)
    /// Held during a sync.
    private let turn = Lock()
    /// The same in a world.
    private let isSyncing = Locked(false)
    private let world: (any StoreWorld)?

    package init(in world: (any StoreWorld)?) {
        self.world = world
    }

    /// Calls `sync`, which syncs the folder. Waits before that until no other thread syncs it.
    func run(_ sync: () throws(FileError) -> Void) throws(FileError) {
        let result: Result<Void, FileError> =
            if let world { run(in: world, sync) } else { runInTurn(sync) }
        try result.get()
    }

    private func runInTurn(_ sync: () throws(FileError) -> Void) -> Result<Void, FileError> {
        turn.lock()
        defer { turn.unlock() }
        return runOnce(sync)
    }

    /// A thread of a world may stop in the middle of a sync, so the others wait where the world sees it.
    private func run(in world: any StoreWorld, _ sync: () throws(FileError) -> Void) -> Result<Void, FileError> {
        func isFree() -> Bool { isSyncing.withLock { !$0 } }
        while !isFree(), !world.isOver {
            _ = world.block("waits for another sync of the folder", atMost: .max, until: isFree)
        }
        isSyncing.withLock { $0 = true }
        defer { isSyncing.withLock { $0 = false } }
        return runOnce(sync)
    }

    private func runOnce(_ sync: () throws(FileError) -> Void) -> Result<Void, FileError> {
        if let failure = failure.withLock({ $0 }) { return .failure(failure) }
        do throws(FileError) {
            try sync()
            return .success(())
        } catch {
            if error.meaning != .full { failure.withLock { $0 = error } }
            return .failure(error)
        }
    }
}
