// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// Reads a journal that another process may be writing. It takes no lock and changes nothing.
///
/// ```swift
/// let reader = try JournalReader(folder, from: 5_000)
/// while let record = try reader.next() { … }
/// ```
///
/// At the end `next()` returns nil. A later call continues with the records that were written since. A record that it
/// returns was written, but perhaps not synced: after a power cut of the writer's machine, the journal may continue
/// with other records. The reader then throws ``JournalError/takenOver(path:reason:)``, and does not mix the two.
///
/// **Threads.** One at a time.
package final class JournalReader<Folder: JournalFolder> {
    private let folder: Folder
    private let maximumFrame: Int
    @exclusivity(unchecked)
    private var walk: SegmentWalk<Folder> {
        didSet { walks += 1 }
    }
    @exclusivity(unchecked) private var walks = 0

    /// Begins at a sequence. Throws ``JournalError/removed(path:asked:oldest:)`` if the segments do not go back so far.
    package init(_ folder: Folder, from sequence: UInt64 = 1, maximumFrame: Int = FileFormat.largestFrame)
        throws(JournalError)
    {
        self.folder = folder
        self.maximumFrame = maximumFrame
        walk = try Self.walk(folder, max(sequence, 1), maximumFrame)
    }

    /// Changes whenever ``segment`` does: cheaper to compare.
    package var segmentIndex: Int { walks << 32 | walk.index }
    /// The segment of the record that was returned last: its header has the kinds.
    package var segment: SegmentStart? { walk.segment }
    /// The sequence of the next action.
    package var nextSequence: UInt64 { walk.nextSequence }
    /// How the journal ends at present; nil before its end.
    package var end: RecordFileEnd? { walk.end }
    /// The bytes of segments that were read.
    package var bytes: Int { walk.bytes }

    /// Returns the next record; nil at the end for now. Its bytes are valid until the next call.
    package func next() throws(JournalError) -> RawRecord? {
        do {
            while true {
                if let record = try walk.next() { return record }
                guard try goOn() else { return nil }
            }
        } catch {
            guard case .system(let failure) = error, failure.meaning == .missing else { throw error }
            // The store has a newer snapshot, and has removed the segments before it.
            let left = try SegmentChain(folder, from: 1, maximumFrame: maximumFrame).segments
            guard let oldest = left.first?.name.firstSequence, oldest > walk.nextSequence else { throw error }
            throw .removed(path: folder.path, asked: walk.nextSequence, oldest: oldest)
        }
    }

    /// Looks whether a newer segment follows the one that was read to its end.
    private func goOn() throws(JournalError) -> Bool {
        guard let last = walk.segment else {
            walk = try Self.walk(folder, walk.nextSequence, maximumFrame)
            return walk.segment != nil
        }
        let chain = try Self.again { () throws(JournalError) in
            try SegmentChain(self.folder, from: last.name.firstSequence, maximumFrame: self.maximumFrame)
        }
        guard let index = chain.segments.firstIndex(where: { $0.name == last.name }) else {
            // If nothing of the segment was read, it was empty, and reading goes on in the next one.
            guard walk.ending.offset == last.firstFrame else {
                throw .takenOver(
                    path: folder.path,
                    reason: "the segment '\(last.name.text)' is no longer in the journal"
                )
            }
            walk = try Self.walk(folder, walk.nextSequence, maximumFrame)
            return walk.segment?.name != last.name
        }
        guard let end = chain.segments[index].end else { return false }
        guard walk.ending.offset <= end.offset else {
            throw .takenOver(
                path: folder.path,
                reason: "what was read up to action \(walk.nextSequence &- 1) was never acknowledged"
            )
        }
        walk.extend(by: chain, at: index)
        return true
    }

    private static func walk(
        _ folder: Folder,
        _ start: UInt64,
        _ maximumFrame: Int
    ) throws(JournalError) -> SegmentWalk<Folder> {
        try again { () throws(JournalError) in try SegmentWalk(folder, from: start, maximumFrame: maximumFrame) }
    }

    /// A segment may be removed after the folder was listed and before the segment is opened.
    private static func again<Result>(_ body: () throws(JournalError) -> Result) throws(JournalError) -> Result {
        for _ in 0..<3 {
            do {
                return try body()
            } catch {
                guard case .system(let error) = error, error.meaning == .missing else { throw error }
            }
        }
        return try body()
    }
}
