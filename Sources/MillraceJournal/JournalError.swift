// SPDX-License-Identifier: Apache-2.0

public import MillraceRecords

/// Why a journal cannot be opened, written or read.
public enum JournalError: Error, Hashable, Sendable {
    /// The system refused a call. For a writer this is final: what is on the disk is not known any more.
    case system(FileError)
    /// There is no room on the disk. Nothing was lost: the same call may be made again.
    case full(FileError)
    /// Another writer has the journal: the process with this id, as that process sees it. Nil if it is not known.
    case locked(path: String, process: Int32? = nil)
    /// Another writer has taken the journal over: what this one wrote since then does not belong to the journal.
    case takenOver(path: String, reason: String)
    /// The folder is in memory only, so no sync makes its files survive a power cut.
    case notOnDisk(path: String, fileSystem: String)
    /// Bytes that were on the disk are missing or changed.
    case corrupt(at: CorruptPlace)
    /// A file of another journal is in the folder.
    case foreign(path: String, journal: JournalID, expected: JournalID)
    /// The journal no longer has the action that was asked for: older segments were removed.
    case removed(path: String, asked: UInt64, oldest: UInt64)
    /// A file cannot be read.
    case file(RecordFileError)
    /// An action was appended whose sequence is not the next one.
    case outOfOrder(expected: UInt64, found: UInt64)
    /// A snapshot of a sequence that is not on the disk yet.
    case notSynced(sequence: UInt64, syncedThrough: UInt64)
    /// The writer was closed.
    case closed(path: String)
    /// The journal of a sharded store was made for another number of shards, or for another hash of keys.
    case otherShards(path: String, found: String, expected: String)
    /// A store has the journal already: one journal object serves one store.
    case inUse(path: String)
    /// What was asked for does not go together.
    case unsupported(reason: String)
}

extension JournalError {
    /// A folder has a snapshot, but no segment.
    static func noSegment(_ path: String, snapshot: UInt64) -> JournalError {
        .corrupt(
            at: CorruptPlace(path: path, offset: 0, reason: "there is a snapshot at \(snapshot), but no segment")
        )
    }

    /// Whether the journal has ended without a failure.
    var isClosed: Bool {
        if case .closed = self { true } else { false }
    }

    init(_ error: FileError) {
        self = error.meaning == .full ? .full(error) : .system(error)
    }

    init(_ error: RecordFileError) {
        switch error {
        case .damaged(let path, let offset, let first, let last, let reason):
            self = .corrupt(
                at: CorruptPlace(path: path, offset: offset, firstLost: first, lastLost: last, reason: reason)
            )
        default: self = .file(error)
        }
    }
}

/// Makes a call of the system; its errors become those of a journal.
@inline(__always)
func system<Result: ~Copyable>(_ body: @autoclosure () throws(FileError) -> Result) throws(JournalError) -> Result {
    do { return try body() } catch { throw JournalError(error) }
}

/// Makes a call of a reader; its errors become those of a journal.
@inline(__always)
func records<Result: ~Copyable>(_ body: @autoclosure () throws(RecordFileError) -> Result) throws(JournalError)
    -> Result
{
    do { return try body() } catch { throw JournalError(error) }
}
