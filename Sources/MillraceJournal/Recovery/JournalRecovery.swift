// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

#if MILLRACE_PLANTED
    internal import MillraceCore
#endif

/// Opens a journal for writing: the newest snapshot that can be read, the records after it, then a writer.
///
/// ```swift
/// var recovery = try JournalRecovery(folder)
/// var state = try recovery.snapshot?.state(by: states) ?? initialState
/// while let record = try recovery.next() { … }        // fold the actions
/// var writer = try recovery.finish([codec.schema])
/// print(writer.recovery)
/// ```
///
/// Before `finish`, it changes only the epoch in the lock file. After this change, a writer that had the journal before
/// acknowledges nothing more.
///
/// **Errors.** A crash alone causes no error: what is not whole was never acknowledged as being on the disk, and is cut
/// off. If a later frame or a snapshot shows that bytes had been synced, and they are missing or changed, the error is
/// ``JournalError/corrupt(at:)``, and nothing is cut off.
package struct JournalRecovery<Folder: JournalFolder>: ~Copyable {
    /// The state to begin with; nil for the initial one.
    package let snapshot: Snapshot?
    package internal(set) var report: RecoveryReport
    /// All effects of actions up to this one have ended. Nil without `beforeEffects`, or if the journal does not say.
    let finishedEffects: UInt64?
    /// The journal's segments from the snapshot on.
    package var segments: [SegmentStart] { walk.chain.segments }
    /// The index of the segment of the record that was returned last.
    package var segmentIndex: Int { walk.index }
    /// The segment of the record that was returned last.
    package var segment: SegmentStart? { walk.segment }

    let folder: Folder
    let options: JournalOptions
    let lock: JournalLock<Folder>
    let walk: SegmentWalk<Folder>
    private var isAtEnd = false
    /// The journal was on the disk up to this action: the newest snapshot says so, also if the state begins with an
    /// older one, or with none.
    private let proved: UInt64

    /// Takes the lock, and reads the newest snapshot whose sequence is at most `atMost`.
    ///
    /// - Parameter beforeEffects: Whether the snapshot must be older than each action with an effect that had not
    ///   ended.
    package init(
        _ folder: Folder,
        snapshotAtMost atMost: UInt64 = .max,
        beforeEffects: Bool = false,
        options: JournalOptions = JournalOptions()
    ) throws(JournalError) {
        try self.init(folder, snapshotAtMost: atMost, beforeEffects: beforeEffects, options: options, progress: nil)
    }

    /// - Parameter progress: Told how far the search for effects is.
    init(
        _ folder: Folder,
        snapshotAtMost atMost: UInt64,
        beforeEffects: Bool,
        options: JournalOptions,
        progress: ProgressReporter?
    ) throws(JournalError) {
        if options.requiresDisk, let name = folder.memoryFileSystem {
            throw .notOnDisk(path: folder.path, fileSystem: name)
        }
        var lock = try JournalLock(folder)
        // The epoch is raised before the segments are read: see `JournalLock`. So they hold all that another writer has
        // acknowledged.
        let names = try system(try folder.names()).compactMap(SegmentName.init)
        try lock.raise(above: names.map(\.epoch).max() ?? 0)

        var report = RecoveryReport()
        var snapshot = try Self.newestSnapshot(folder, .max, &report)
        // Not the whole of it: a snapshot holds the bytes of its state.
        let newest = snapshot.map { (sequence: $0.sequence, path: $0.path, journal: $0.header.journal) }
        if let newest, newest.sequence > atMost { snapshot = try Self.newestSnapshot(folder, atMost, &report) }
        var finished: UInt64?
        if beforeEffects {
            finished = try EffectMarks.last(in: folder, snapshot, maximumFrame: options.maximumFrame, progress)
            if let finished, let chosen = snapshot, finished < chosen.sequence {
                snapshot = try Self.newestSnapshot(folder, finished, &report)
            }
        }
        let walk = try SegmentWalk(folder, from: (snapshot?.sequence ?? 0) + 1, maximumFrame: options.maximumFrame)
        let chosen = snapshot.map { (sequence: $0.sequence, path: $0.path, journal: $0.header.journal) }
        for found in [chosen, newest] {
            guard let found else { continue }
            guard let segment = walk.segment else { throw .noSegment(folder.path, snapshot: found.sequence) }
            guard segment.header.journal == found.journal else {
                throw .foreign(path: found.path, journal: found.journal, expected: segment.header.journal)
            }
        }
        proved = newest?.sequence ?? 0
        report.snapshot = snapshot?.sequence
        report.ignored = walk.chain.ignored
        report.segments = walk.chain.segments.count
        finishedEffects = finished
        self.folder = folder
        self.options = options
        self.lock = lock
        self.snapshot = snapshot
        self.report = report
        self.walk = walk
    }

    private static func newestSnapshot(
        _ folder: Folder,
        _ atMost: UInt64,
        _ report: inout RecoveryReport
    ) throws(JournalError) -> Snapshot? {
        for name in try SnapshotName.all(in: folder) where name.sequence <= atMost {
            do {
                return try Snapshot(folder, name)
            } catch {
                if !report.damagedSnapshots.contains(name.text) { report.damagedSnapshots.append(name.text) }
            }
        }
        return nil
    }

    /// Returns the next record after the snapshot; nil at the end. Its bytes are valid until the next call.
    package mutating func next() throws(JournalError) -> RawRecord? {
        if let record = try walk.next() {
            if case .action = record.content { report.actions += 1 }
            return record
        }
        try reachedEnd()
        return nil
    }

    /// Copies the next records to `target`, and returns how many; 0 at the end. Their bytes are valid until the next
    /// call.
    mutating func next(into target: UnsafeMutableBufferPointer<RecordView>) throws(JournalError) -> Int {
        let count = try walk.next(into: target)
        for place in 0..<count { if case .action = target[place].content { report.actions += 1 } }
        if count == 0 { try reachedEnd() }
        return count
    }

    private mutating func reachedEnd() throws(JournalError) {
        guard !isAtEnd else { return }
        report.end = walk.end
        report.lastSequence = walk.nextSequence &- 1
        report.bytes = walk.bytes
        if let segment = walk.segment, walk.nextSequence <= proved {
            throw .corrupt(
                at: CorruptPlace(
                    path: segment.path,
                    offset: walk.bytes - walk.bytesBefore,
                    firstLost: walk.nextSequence,
                    lastLost: proved,
                    reason: "it ends before action \(proved), of which there is a snapshot"
                )
            )
        }
        isAtEnd = true
    }

    /// Reads what is left, syncs the end of the journal, and begins a new segment.
    ///
    /// What was read may be in the system's memory only, so it is written again and synced before anything follows it.
    package consuming func finish(
        _ schemas: [RecordSchema]
    ) throws(JournalError) -> JournalWriter<Folder> {
        while try next() != nil {}
        let last = walk.segment
        var link = last?.link
        var isEmpty = false
        if let last {
            let end = try makeLasting(last)
            isEmpty = end.offset == last.firstFrame
            if !isEmpty { link = SegmentLink(name: last.name, offset: end.offset, checksum: end.checksum) }
            #if MILLRACE_PLANTED
                if Planted.has(.emptySegmentLinked) {
                    link = SegmentLink(name: last.name, offset: end.offset, checksum: end.checksum)
                }
            #endif
        }
        try system(try SegmentStock.removeLeftovers(in: folder))
        var template = RecordFileHeader(
            purpose: .segment,
            journal: last?.header.journal ?? snapshot?.header.journal ?? folder.newJournal,
            epoch: lock.epoch
        )
        for schema in schemas { template.add(schema, as: .action) }
        var writer = try JournalWriter(
            folder,
            lock,
            template: template,
            next: walk.nextSequence,
            link: link,
            options
        )
        // The last segment has no frames, and the new one does not link to it.
        if isEmpty, let last { try system(try folder.remove(last.name.text)) }
        writer.recovery = report
        return writer
    }

    private func makeLasting(_ last: SegmentStart) throws(JournalError) -> (offset: Int, checksum: UInt32) {
        let (end, checksum, first) = walk.ending
        #if MILLRACE_PLANTED
            if Planted.has(.tailNotKept) { return (end, checksum) }
        #endif
        let file = try system(try folder.open(last.name.text, forWriting: true))
        do {
            // After a failed sync, the system may keep bytes in memory and treat them as written.
            var place = max(first, last.firstFrame)
            let piece = UnsafeMutableRawBufferPointer.allocate(
                byteCount: min(max(end - place, 1), 1 << 20),
                alignment: 16
            )
            defer { piece.deallocate() }
            while place < end {
                let target = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, end - place)])
                let count = try file.read(at: place, into: target)
                if count == 0 { break }
                try file.write(UnsafeRawBufferPointer(rebasing: target[..<count]), at: place)
                place += count
            }
            try file.truncate(to: end)
            try file.sync()
        } catch {
            throw JournalError(error)
        }
        return (end, checksum)
    }
}
