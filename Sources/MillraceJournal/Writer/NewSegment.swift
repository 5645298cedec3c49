// SPDX-License-Identifier: Apache-2.0

internal import MillraceRecords

/// A segment that has just been begun: its header and its link are on the disk, and it has its name.
struct NewSegment<Folder: JournalFolder>: ~Copyable {
    let name: SegmentName
    let file: Folder.File
    let offset: Int
    private var frames: FrameBuilder

    init(
        _ folder: Folder,
        _ stock: SegmentStock<Folder>,
        _ template: RecordFileHeader,
        _ name: SegmentName,
        _ link: SegmentLink?
    ) throws(JournalError) {
        var header = template
        header.epoch = name.epoch
        header.firstSequence = name.firstSequence
        var frames = try records(try FrameBuilder(header: header))
        frames.append(.link(link))
        var bytes = frames.headerBytes
        frames.seal(syncedThrough: name.firstSequence &- 1) { bytes += $0 }

        let spare = try system(try stock.take())
        let start = bytes
        do {
            try start.withUnsafeBytes { bytes in
                Result { () throws(FileError) in try spare.file.write(bytes, at: 0) }
            }.get()
        } catch {
            try? folder.remove(spare.name)
            throw JournalError(error)
        }
        // From here on an error is final, even if the disk is full, because the writer no longer knows what is on the
        // disk.
        do {
            // The bytes must be on the disk before the name is.
            try spare.file.sync()
            try folder.rename(spare.name, to: name.text)
            try folder.syncNames()
        } catch {
            throw .system(error)
        }
        self.name = name
        file = spare.file
        offset = bytes.count
        self.frames = frames
    }

    consuming func takeFrames() -> FrameBuilder { frames }
}
