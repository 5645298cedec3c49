// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceRecords

#if MILLRACE_PLANTED
    import MillraceCore
#endif

/// What the records of a journal say about ended effects, as they are read one after the other.
///
/// An end with the index `UInt32.max` is a **watermark**: all effects of actions up to its sequence have ended. The
/// sequence `UInt64.max` says that from here on nobody noted effects, and that none is to begin again.
package struct EffectMarks {
    /// The last watermark; nil: there is none.
    package private(set) var finished: UInt64?
    /// The effects of later actions that have ended.
    private(set) var ended: Set<OpenEffects.Place> = []

    /// Whether somebody has noted effects.
    package var isTracked: Bool { finished.map { $0 != Self.untracked } ?? false }

    /// The index of a watermark.
    static var all: UInt32 { .max }
    /// The sequence of a watermark that says that nobody notes effects.
    static var untracked: UInt64 { .max }

    package init() {}

    package mutating func read(_ record: JournalRecord) {
        guard case .effectEnd(let sequence, let index, _) = record else { return }
        if index != Self.all {
            ended.insert(OpenEffects.Place(sequence: sequence, index: index))
        } else {
            finished = sequence
        }
    }

    /// The watermark as a record for a snapshot.
    package var records: [JournalRecord] { finished.map { [Self.watermark($0)] } ?? [] }

    static func watermark(_ sequence: UInt64) -> JournalRecord {
        .effectEnd(sequence: sequence, index: all, reason: 0)
    }

    /// The records of what ``OpenEffects`` says; reasons: 0 completed, 1 cancelled.
    static func records(_ finished: UInt64?, _ ends: [OpenEffects.End]) -> [JournalRecord] {
        (finished.map { [watermark($0)] } ?? [])
            + ends.map { end in
                .effectEnd(
                    sequence: end.place.sequence,
                    index: end.place.index,
                    reason: end.wasCancelled ? 1 : 0
                )
            }
    }

    /// Returns the last watermark of a journal, from the newest snapshot that can be read on; nil: there is none.
    static func last<Folder: JournalFolder>(
        in folder: Folder,
        _ snapshot: Snapshot?,
        maximumFrame: Int,
        _ progress: ProgressReporter?
    ) throws(JournalError) -> UInt64? {
        var marks = EffectMarks()
        for record in snapshot?.records ?? [] { marks.read(record) }
        #if MILLRACE_PLANTED
            if Planted.has(.snapshotWatermarkUnread) { marks = EffectMarks() }
        #endif
        let walk = try SegmentWalk(folder, from: (snapshot?.sequence ?? 0) + 1, maximumFrame: maximumFrame)
        walk.readsSources = false
        var sequence = snapshot?.sequence ?? 0
        try progress?.begin(.findingEffects, walk, after: sequence)
        let views = UnsafeMutableBufferPointer<RecordView>.allocate(capacity: 256)
        defer { views.deallocate() }
        while true {
            let count = try walk.next(into: views)
            if count == 0 { break }
            for view in views[..<count] {
                guard case .reserved(let kind) = view.content else {
                    sequence = view.sequence
                    continue
                }
                if let record = JournalRecord(kind: kind, view.bytes) { marks.read(record) }
            }
            progress?.update(walk, sequence: sequence)
        }
        progress?.end(walk, sequence: sequence)
        return marks.finished
    }
}
