// SPDX-License-Identifier: Apache-2.0

internal import MillraceRecords

extension JournalError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        switch self {
        case .system(let error):
            """
            '\(error.path)': \(error.call) failed: \(error.reason). What was acknowledged before is on the disk. Check the \
            disk and the rights of the folder, then open the journal again.
            """
        case .full(let error):
            """
            '\(error.path)': \(error.call) failed: \(error.reason). Nothing that was acknowledged is lost. Make room on the \
            disk. If the store has ended, open the journal again.
            """
        case .locked(let path, let process):
            """
            Another writer has the journal '\(path)'\(process.map { ": process \($0)" } ?? ""). Stop it first, or open the \
            journal for reading.
            """
        case .takenOver(let path, let reason):
            """
            Another writer has taken over the journal '\(path)': \(reason). What was acknowledged is in it; what came \
            after is not. Stop this writer.
            """
        case .notOnDisk(let path, let fileSystem):
            """
            '\(path)' is on \(fileSystem), which is in memory: a sync makes nothing lasting there. Choose a folder on a \
            disk, or the level '.process'.
            """
        case .corrupt(let place):
            """
            '\(place.path)' is damaged at byte \(place.offset): \(place.reason).\(place.lost) It had been synced to the \
            disk. Put back a copy of the file, or start from a copy of the folder; nothing was changed.
            """
        case .foreign(let path, let journal, let expected):
            """
            '\(path)' belongs to the journal \(journal), the others in the folder to \(expected). Move it away, or give \
            each journal a folder of its own.
            """
        case .removed(let path, let asked, let oldest):
            """
            The journal '\(path)' begins at action \(oldest), and \(asked) was asked for. Read from there, or from a copy \
            that goes back further.
            """
        case .file(let error): error.description
        case .outOfOrder(let expected, let found):
            "The next action of the journal has the sequence \(expected), not \(found). Append actions in their order."
        case .notSynced(let sequence, let syncedThrough):
            """
            A snapshot at \(sequence) needs a journal that is synced to there, and this one is to \(syncedThrough). Sync \
            it first.
            """
        case .otherShards(let path, let found, let expected):
            """
            The journal '\(path)' was made for \(found), and the store wants \(expected). Open it as it was made. For another \
            number of shards make a new journal, and dispatch the recorded actions of each shard to its store.
            """
        case .inUse(let path):
            "A store uses the journal '\(path)' already. Make one journal object for each store."
        case .unsupported(let reason): reason
        case .closed(let path): "The journal '\(path)' was closed by its writer. Open it again."
        }
    }
}

extension CorruptPlace {
    fileprivate var lost: String {
        switch (firstLost, lastLost) {
        case (0, _): ""
        case (let first, let last) where last > first: " The actions \(first) to \(last) are lost or out of reach."
        case (let first, _): " Action \(first) is lost or out of reach."
        }
    }
}
