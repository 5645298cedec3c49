// SPDX-License-Identifier: Apache-2.0

public import MillraceRecords

/// What a check of all files of a journal found.
public struct JournalVerification: Hashable, Sendable {
    /// The first action that the segments hold.
    public var firstSequence: UInt64 = 1
    /// The last one.
    public var lastSequence: UInt64 = 0
    /// The number of segments.
    public var segments = 0
    /// The bytes of the segments.
    public var bytes = 0
    /// The snapshots that are whole.
    public var snapshots: [UInt64] = []
    /// Those that are not.
    public var damagedSnapshots: [String] = []
    /// How the journal ends.
    public var end: RecordFileEnd?

    /// Reads each segment and each snapshot to its end: all checksums, and the chain of frames and of segments.
    /// Throws the first damage of a segment. The journal may be written meanwhile.
    package init<Folder: JournalFolder>(_ folder: Folder, maximumFrame: Int = FileFormat.largestFrame)
        throws(JournalError)
    {
        var owners: [(path: String, journal: JournalID)] = []
        for name in try SnapshotName.all(in: folder) {
            do {
                let snapshot = try Snapshot(folder, name)
                snapshots.append(snapshot.sequence)
                owners.append((snapshot.path, snapshot.header.journal))
            } catch {
                damagedSnapshots.append(name.text)
            }
        }
        let chain = try SegmentChain(folder, from: 1, maximumFrame: maximumFrame)
        guard let first = chain.segments.first else {
            // A snapshot alone is not a journal: a recovery would not know what followed it.
            if let newest = snapshots.first { throw .noSegment(folder.path, snapshot: newest) }
            return
        }
        for owner in owners where owner.journal != first.header.journal {
            throw .foreign(path: owner.path, journal: owner.journal, expected: first.header.journal)
        }
        firstSequence = first.name.firstSequence
        // Retention leaves a snapshot of everything that it removes. It may have gone on since the list was made.
        if firstSequence > 1, try !Self.hasSnapshot(folder, of: firstSequence - 1) {
            throw .corrupt(
                at: CorruptPlace(
                    path: first.path,
                    offset: 0,
                    firstLost: 1,
                    lastLost: firstSequence - 1,
                    reason:
                        "the segment before it is missing, and no snapshot has the actions up to \(firstSequence - 1)"
                )
            )
        }
        segments = chain.segments.count
        let walk = try SegmentWalk(folder, from: firstSequence, maximumFrame: maximumFrame)
        while let record = try walk.next() {
            guard case .reserved(let kind) = record.content else { continue }
            guard JournalRecord(kind: kind, record.bytes) != nil else {
                throw .file(
                    .malformed(
                        path: walk.segment?.path ?? "",
                        offset: record.offset,
                        reason: "a record of kind \(kind)"
                    )
                )
            }
        }
        lastSequence = walk.nextSequence &- 1
        bytes = walk.bytes
        end = walk.end
        if let newest = snapshots.first, newest > lastSequence {
            throw .corrupt(
                at: CorruptPlace(
                    path: walk.segment?.path ?? folder.path,
                    offset: walk.ending.offset,
                    firstLost: lastSequence + 1,
                    lastLost: newest,
                    reason: "it ends before action \(newest), of which there is a snapshot"
                )
            )
        }
    }
    /// Whether a whole snapshot has all actions up to this one.
    private static func hasSnapshot<Folder: JournalFolder>(
        _ folder: Folder,
        of sequence: UInt64
    ) throws(JournalError) -> Bool {
        for name in try SnapshotName.all(in: folder) where name.sequence >= sequence {
            if (try? Snapshot(folder, name)) != nil { return true }
        }
        return false
    }
}
