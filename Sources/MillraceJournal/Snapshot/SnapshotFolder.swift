// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore
package import MillraceRecords

/// Writes and removes the snapshots of a journal.
///
/// **Threads.** Any, one at a time; beside the writer of the segments.
package struct SnapshotFolder<Folder: JournalFolder>: Sendable {
    private let folder: Folder
    private let journal: JournalID
    private let epoch: UInt64

    package init(_ folder: Folder, journal: JournalID, epoch: UInt64) {
        self.folder = folder
        self.journal = journal
        self.epoch = epoch
    }

    /// Writes the state at a sequence. The journal must be synced to that sequence. Otherwise a power cut could leave a
    /// snapshot whose actions are not in the journal.
    package func write<Codec: StateCodec>(
        _ state: Codec.Action,
        at sequence: UInt64,
        by codec: Codec,
        records extra: [JournalRecord] = [],
        syncedThrough: UInt64
    ) throws(JournalError) {
        guard sequence <= syncedThrough else {
            throw .notSynced(sequence: sequence, syncedThrough: syncedThrough)
        }
        var header = RecordFileHeader(
            purpose: .snapshot,
            journal: journal,
            epoch: epoch,
            firstSequence: sequence + 1
        )
        header.add(codec.schema, as: .state)
        var frames = try records(try FrameBuilder(header: header))
        let name = SnapshotName(sequence)
        do {
            try frames.append(state: state, time: folder.world?.actionTime ?? .now, kindBase: 0, by: codec)
        } catch {
            let path = "\(folder.path)/\(name.text)"
            throw .file(.codec(path: path, offset: nil, kind: codec.schema.type.name, error: error))
        }
        for record in extra { frames.append(record) }
        do {
            try write(&frames, name, sequence)
        } catch {
            try? folder.remove(name.temporary)
            throw JournalError(error)
        }
    }

    private func write(_ frames: inout FrameBuilder, _ name: SnapshotName, _ sequence: UInt64) throws(FileError) {
        // A snapshot of the same sequence holds the same state.
        guard try folder.identity(of: name.text) == nil else { return }
        if try folder.identity(of: name.temporary) != nil { try folder.remove(name.temporary) }
        let file = try folder.create(name.temporary)
        let header = frames.headerBytes
        try header.withUnsafeBytes { bytes in
            Result { () throws(FileError) in try file.write(bytes, at: 0) }
        }.get()
        try frames.seal(syncedThrough: sequence, isLast: true) { (bytes) throws(FileError) in
            try file.write(bytes, at: header.count)
        }
        #if MILLRACE_PLANTED
            if Planted.has(.renameBeforeSync) {
                try folder.rename(name.temporary, to: name.text)
                try folder.syncNames()
                return try file.sync()
            }
        #endif
        try file.sync()
        try folder.rename(name.temporary, to: name.text)
        try folder.syncNames()
    }

    /// Keeps the newest snapshots that can be read, at least two, and removes older ones; if asked to, also the
    /// segments that the oldest of them does not need. Returns what was removed. Reads the kept snapshots to their
    /// ends.
    ///
    /// - Parameter needed: A recovery goes back to this action, for the effects that have not ended.
    @discardableResult
    package func retain(
        _ keep: Int = 2,
        removingSegments: Bool,
        needed: UInt64 = .max
    ) throws(JournalError) -> [String] {
        let all = try SnapshotName.all(in: folder)
        var kept: [SnapshotName] = []
        for name in all where kept.count < max(2, keep) || (kept.last.map { $0.sequence > needed } ?? true) {
            if (try? Snapshot(folder, name)) != nil { kept.append(name) }
        }
        guard let oldest = kept.last, kept.count >= max(2, keep), oldest.sequence <= needed else { return [] }
        var removed = all.filter { $0 < oldest }.map(\.text)
        if removingSegments {
            let names = try system(try folder.names()).compactMap(SegmentName.init)
            let needed = try SegmentChain(folder, from: oldest.sequence + 1, maximumFrame: FileFormat.largestFrame)
                .segments
            if let first = needed.first?.name, first.firstSequence <= oldest.sequence + 1 {
                removed += names.filter { $0 < first }.sorted().map(\.text)
            }
        }
        for name in removed { try system(try folder.remove(name)) }
        return removed
    }
}
