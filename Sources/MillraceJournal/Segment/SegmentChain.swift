// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// The segments of a journal from a sequence on, found from the newest backwards by their links.
///
/// The newest segment is the one with the highest epoch. A segment to which no link leads is ignored: it is empty, or
/// its writer had lost the journal to another one.
package struct SegmentChain: Sendable {
    /// The segments in their order. Each but the last has a known end.
    package internal(set) var segments: [SegmentStart] = []
    /// Names of segments that do not belong to the journal.
    package private(set) var ignored: [String] = []

    /// Reads the beginnings of segments, back to the one that holds `start`, or to the oldest that is there.
    package init<Folder: JournalFolder>(
        _ folder: Folder,
        from start: UInt64,
        maximumFrame: Int
    ) throws(JournalError) {
        let names = try system(try folder.names()).compactMap(SegmentName.init).sorted()
        guard var name = names.last else { return }
        let known = Set(names)
        var end: KnownEnd?
        while true {
            var segment = try SegmentStart(folder, name, maximumFrame: maximumFrame)
            if let newer = segments.last, newer.header.journal != segment.header.journal {
                throw .foreign(
                    path: segment.path,
                    journal: segment.header.journal,
                    expected: newer.header.journal
                )
            }
            segment.end = end
            segments.append(segment)
            guard name.firstSequence > start, let link = segment.link, known.contains(link.name) else { break }
            guard link.name < name, link.name.firstSequence <= name.firstSequence else {
                throw .corrupt(at: CorruptPlace(path: segment.path, offset: 0, reason: "its link leads forward"))
            }
            end = KnownEnd(offset: link.offset, checksum: link.checksum, nextSequence: name.firstSequence)
            name = link.name
        }
        segments.reverse()
        let used = Set(segments.map(\.name))
        ignored = names.filter { !used.contains($0) && $0.firstSequence >= segments[0].name.firstSequence }.map(\.text)
    }
}

/// The beginning of a segment.
package struct SegmentStart: Sendable {
    package let name: SegmentName
    package let path: String
    package let header: RecordFileHeader
    /// The segment before it; nil if it is the first one of the journal.
    package let link: SegmentLink?
    /// Where the frames with actions begin.
    package let firstFrame: Int
    /// Where the segment ends, according to the link of the next one; nil for the last segment.
    package var end: KnownEnd?

    /// Reads the header and the link. Both were on the disk before the segment got its name. So if they are not whole,
    /// the segment is damaged.
    package init<Folder: JournalFolder>(
        _ folder: Folder,
        _ name: SegmentName,
        maximumFrame: Int
    ) throws(JournalError) {
        self.name = name
        path = "\(folder.path)/\(name.text)"
        func corrupt(_ reason: String) -> JournalError {
            .corrupt(at: CorruptPlace(path: "\(folder.path)/\(name.text)", offset: 0, reason: reason))
        }
        var content: RawRecord.Content?
        var found: JournalRecord?
        let file: FileRecords
        do {
            file = try FileRecords(folder, name.text, maximumFrame: maximumFrame)
            file.frames.readAhead = 4096
            file.frames.isJournal = true
            let record = try file.next()
            content = record?.content
            if case .reserved(let kind) = content { found = JournalRecord(kind: kind, record!.bytes) }
        } catch {
            switch error {
            case .file(.notARecordFile), .file(.cutHeader), .file(.damagedHeader):
                throw corrupt("its header is not whole")
            default: throw error
            }
        }
        header = file.frames.header
        guard header.purpose == .segment, header.firstSequence == name.firstSequence, header.epoch == name.epoch
        else { throw corrupt("its header is that of another file") }
        guard case .link(let link) = found else { throw corrupt("its link to the segment before is not whole") }
        self.link = link
        firstFrame = file.frames.position
    }
}
