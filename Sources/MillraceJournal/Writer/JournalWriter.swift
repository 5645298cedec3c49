// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

#if MILLRACE_PLANTED
    internal import MillraceCore
#endif

/// Writes frames to the segments of a journal.
///
/// ```swift
/// try writer.frame.append(action, head, by: codec)
/// let written = try writer.write()        // survives the end of the process
/// try writer.confirm()                    // and may be acknowledged as that
/// let synced = try writer.sync()          // survives a power cut, and may be acknowledged
/// ```
///
/// The caller decides when to write and when to sync. One frame is one group: it becomes valid at once or not at all.
///
/// **Threads.** One at a time. **Cost.** No allocation for a frame, once its buffer has grown; a call of the system to
/// write, three to sync. The change to the next segment costs two syncs more.
/// **Errors.** The first failed write or sync is final: each later call throws it again, and nothing is acknowledged.
/// `full` is not final: the frame is kept, and the next call writes it.
package struct JournalWriter<Folder: JournalFolder>: ~Copyable {
    /// The frame that is being built: append to it.
    package var frame: FrameBuilder
    /// All actions up to this sequence were given to the system.
    package private(set) var writtenThrough: UInt64
    /// All actions up to this sequence are on the disk.
    package private(set) var syncedThrough: UInt64
    /// The segment that is being written.
    package private(set) var segment: SegmentName
    /// How many segments this writer has begun.
    package private(set) var segments = 1
    /// What was found when the journal was opened.
    package internal(set) var recovery = RecoveryReport()
    /// The error that ended this writer.
    package private(set) var failure: JournalError?

    private let folder: Folder
    private let options: JournalOptions
    private let stock: SegmentStock<Folder>
    /// Nil once the writer was closed or has given up.
    private var lock: JournalLock<Folder>?
    private let template: RecordFileHeader
    private var file: Folder.File
    /// Where the next frame goes.
    private var offset: Int
    private var largest = 0
    /// A frame that found no room on the disk.
    private var waiting: [UInt8] = []
    private var sealedThrough: UInt64
    private var hasEnd = false

    /// Begins with a new segment. The folder was recovered, and everything before `next` is on the disk.
    init(
        _ folder: Folder,
        _ lock: JournalLock<Folder>,
        template: RecordFileHeader,
        next: UInt64,
        link: SegmentLink?,
        _ options: JournalOptions
    ) throws(JournalError) {
        let stock = SegmentStock(folder, epoch: lock.epoch, options)
        let begun = try NewSegment(
            folder,
            stock,
            template,
            SegmentName(firstSequence: next, epoch: lock.epoch),
            link
        )
        self.folder = folder
        self.lock = lock
        epoch = lock.epoch
        self.template = template
        self.options = options
        self.stock = stock
        segment = begun.name
        file = begun.file
        offset = begun.offset
        frame = begun.takeFrames()
        writtenThrough = next &- 1
        syncedThrough = next &- 1
        sealedThrough = next &- 1
        stock.refill()
    }

    deinit {
        stock.end()
    }

    /// The epoch of this writer.
    package let epoch: UInt64
    /// The identity of the journal.
    package var journal: JournalID { template.journal }
    /// The number of segments that are ready to be used.
    package var segmentsInStock: Int { stock.count }
    /// The folder of the journal.
    package var path: String { folder.path }

    /// Writes the frame that was built, if it holds anything, and returns the last sequence that was written.
    @discardableResult
    package mutating func write() throws(JournalError) -> UInt64 {
        if let failure { throw failure }
        try writeWaiting()
        guard !frame.isEmpty else { return writtenThrough }
        guard frame.firstSequence == sealedThrough &+ 1 else {
            throw latch(.outOfOrder(expected: sealedThrough &+ 1, found: frame.firstSequence))
        }
        try seal(isLast: false)
        if options.segmentBytes - offset < largest, writtenThrough >= segment.firstSequence { try nextSegment() }
        return writtenThrough
    }

    /// Waits until all that was written is on the disk, and returns the last sequence: it may be acknowledged.
    @discardableResult
    package mutating func sync() throws(JournalError) -> UInt64 {
        if let failure { throw failure }
        try writeWaiting()
        try syncFile()
        try confirm()
        return syncedThrough
    }

    /// Throws an error if another writer has the journal: then nothing may be acknowledged. ``sync()`` does it, too.
    package mutating func confirm() throws(JournalError) {
        if let failure { throw failure }
        #if MILLRACE_PLANTED
            if Planted.has(.epochNotChecked) { return }
        #endif
        do { try lock?.check() } catch { throw latch(error) }
    }

    /// The first failure is final: the system may say that the next call succeeded, although bytes are lost.
    private mutating func latch(_ error: JournalError) -> JournalError {
        failure = error
        return error
    }

    /// An error of the segment's file with the name that it has: it was opened under that of a spare file.
    private func named(_ error: FileError) -> FileError {
        var error = error
        error.path = "\(folder.path)/\(segment.text)"
        return error
    }

    private mutating func syncFile() throws(JournalError) {
        #if MILLRACE_PLANTED
            if Planted.has(.failedSyncRetried), (try? file.sync()) != nil { return syncedThrough = writtenThrough }
        #endif
        do { try file.sync() } catch { throw latch(.system(named(error))) }
        syncedThrough = writtenThrough
    }

    private mutating func seal(isLast: Bool) throws(JournalError) {
        let (file, place) = (file, offset)
        sealedThrough = frame.nextSequence &- 1
        #if MILLRACE_PLANTED
            let syncedThrough = Planted.has(.frameClaimsWritten) ? writtenThrough : self.syncedThrough
        #endif
        var kept: [UInt8] = []
        var count = 0
        do throws(FileError) {
            try frame.seal(syncedThrough: syncedThrough, isLast: isLast) { (bytes) throws(FileError) in
                count = bytes.count
                do throws(FileError) {
                    try file.write(bytes, at: place)
                } catch {
                    if error.meaning == .full { kept = Array(bytes) }
                    throw error
                }
            }
        } catch {
            guard error.meaning == .full else { throw latch(.system(named(error))) }
        }
        offset += count
        largest = max(largest, count)
        waiting = kept
        try writeWaiting()
    }

    /// Writes the frame that found no room before.
    private mutating func writeWaiting() throws(JournalError) {
        if !waiting.isEmpty {
            do {
                try waiting.withUnsafeBytes { bytes in
                    Result { () throws(FileError) in try file.write(bytes, at: offset - bytes.count) }
                }.get()
            } catch {
                guard error.meaning == .full else { throw latch(.system(named(error))) }
                throw .full(named(error))
            }
            waiting = []
        }
        writtenThrough = sealedThrough
    }

    /// Continues in a new segment. All of the old one is on the disk before the new one has its name.
    private mutating func nextSegment() throws(JournalError) {
        #if MILLRACE_PLANTED
            if !Planted.has(.oldSegmentNotSynced) { try syncFile() }
        #else
            try syncFile()
        #endif
        let name = SegmentName(firstSequence: writtenThrough &+ 1, epoch: epoch)
        let link = SegmentLink(name: segment, offset: offset, checksum: frame.predecessor)
        do {
            let begun = try NewSegment(folder, stock, template, name, link)
            (segment, file, offset) = (begun.name, begun.file, begun.offset)
            frame = begun.takeFrames()
            segments += 1
        } catch {
            // If the disk has no room for a new segment, the old one grows, and the writer tries again at the next
            // frame.
            if case .full = error { return }
            throw latch(error)
        }
    }

    /// Writes and syncs the rest, and adds a frame that marks the end of the file. Then it releases the lock.
    package mutating func close() throws(JournalError) {
        try write()
        try sync()
        // Not twice, if there was no room for it the first time.
        if !hasEnd {
            hasEnd = true
            try seal(isLast: true)
        }
        do { try file.truncate(to: offset) } catch { throw latch(.system(named(error))) }
        try syncFile()
        giveUp()
        failure = .closed(path: path)
    }

    /// Releases the lock. What was written stays, and nothing more is written.
    package mutating func giveUp() {
        stock.end()
        lock = nil
        failure = failure ?? .closed(path: path)
    }
}
