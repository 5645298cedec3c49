// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// Reads the records of a chain of segments, one after the other.
package final class SegmentWalk<Folder: JournalFolder> {
    package let folder: Folder
    @exclusivity(unchecked) package internal(set) var chain: SegmentChain
    /// The segment that is being read, by its index in the chain.
    @exclusivity(unchecked) package internal(set) var index = 0
    /// How the last segment ended; nil before its end.
    @exclusivity(unchecked) package private(set) var end: RecordFileEnd?
    /// How many bytes were read in the segments before this one.
    @exclusivity(unchecked) private(set) var bytesBefore = 0
    @exclusivity(unchecked) private(set) var reader: FileRecords?
    /// Whether records say where their actions were dispatched.
    @exclusivity(unchecked) var readsSources = true {
        didSet { reader?.frames.readsSources = readsSources }
    }
    private let start: UInt64
    private let maximumFrame: Int

    package init(
        _ folder: Folder,
        from start: UInt64,
        maximumFrame: Int
    ) throws(JournalError) {
        self.folder = folder
        self.start = start
        self.maximumFrame = maximumFrame
        chain = try SegmentChain(folder, from: start, maximumFrame: maximumFrame)
        if let first = chain.segments.first {
            guard first.name.firstSequence <= start else {
                throw .removed(path: folder.path, asked: start, oldest: first.name.firstSequence)
            }
            try open()
        }
    }

    /// The segment that is being read.
    package var segment: SegmentStart? { chain.segments.isEmpty ? nil : chain.segments[index] }
    /// The sequence of the next action.
    package var nextSequence: UInt64 { reader?.frames.nextSequence ?? start }
    /// The bytes that were read.
    package var bytes: Int { bytesBefore + (reader?.frames.position ?? 0) }
    /// The bytes of all segments. Of the last one, the size of its file, which may have room that is not used yet.
    var totalBytes: Int {
        get throws(JournalError) {
            var sum = 0
            for segment in chain.segments {
                if let end = segment.end {
                    sum += end.offset
                } else {
                    sum += try system(try folder.open(segment.name.text, forWriting: false).size())
                }
            }
            return sum
        }
    }

    /// Where the last frame ends, its checksum, and where the frames begin that no later frame describes as synced.
    var ending: (offset: Int, checksum: UInt32, unsynced: Int) {
        let offset = reader?.frames.position ?? 0
        return (offset, reader?.frames.predecessor ?? 0, reader?.frames.unsynced.offset ?? offset)
    }

    private func open() throws(JournalError) {
        let segment = chain.segments[index]
        let next = try FileRecords(folder, segment.name.text, maximumFrame: maximumFrame)
        next.frames.isJournal = true
        next.frames.readsSources = readsSources
        next.frames.knownEnd = segment.end
        reader = next
    }

    /// Adds segments that were begun since, and continues with them.
    func extend(by newer: SegmentChain, at place: Int) {
        chain.segments[index...] = newer.segments[place...]
        reader?.frames.knownEnd = chain.segments[index].end
    }

    /// Returns the next record at or after the start; nil at the end, which ``end`` describes. After the end it looks
    /// again in the last segment.
    package func next() throws(JournalError) -> RawRecord? {
        while let reader {
            while let record = try reader.next() {
                if record.head.sequence < start { continue }
                if case .reserved(0xFF02) = record.content { continue }
                return record
            }
            guard try openNext(reader) else { return nil }
        }
        return nil
    }

    /// Copies the next records to `target`, and returns how many; 0 at the end. They belong to one frame. All of its
    /// bytes are valid until the next call.
    func next(into target: UnsafeMutableBufferPointer<RecordView>) throws(JournalError) -> Int {
        while let reader {
            while true {
                let found = try reader.next(into: target)
                if found == 0 { break }
                let kept = keep(found, in: target)
                if kept > 0 { return kept }
            }
            guard try openNext(reader) else { return 0 }
        }
        return 0
    }

    /// Moves the records that are asked for to the front, and returns how many.
    private func keep(_ found: Int, in target: UnsafeMutableBufferPointer<RecordView>) -> Int {
        var kept = 0
        for place in 0..<found {
            if target[place].sequence < start { continue }
            if case .reserved(0xFF02) = target[place].content { continue }
            if kept != place { target[kept] = target[place] }
            kept += 1
        }
        return kept
    }

    /// The record of a view, until the next call.
    func record(of view: RecordView) -> RawRecord? { reader?.frames.record(of: view) }

    /// Opens the segment after the one that was read to its end. False if there is none.
    private func openNext(_ reader: FileRecords) throws(JournalError) -> Bool {
        guard index + 1 < chain.segments.count else {
            end = reader.frames.end
            return false
        }
        bytesBefore += reader.frames.position
        index += 1
        try open()
        return true
    }
}
