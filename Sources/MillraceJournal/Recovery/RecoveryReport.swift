// SPDX-License-Identifier: Apache-2.0

public import MillraceRecords

/// What a recovery found.
public struct RecoveryReport: Hashable, Sendable {
    /// The sequence of the snapshot that the state begins with; nil if there was none.
    public var snapshot: UInt64?
    /// Newer snapshots that could not be read.
    public var damagedSnapshots: [String] = []
    /// The last action of the journal.
    public var lastSequence: UInt64 = 0
    /// How many actions follow the snapshot.
    public var actions: UInt64 = 0
    /// How many of these actions were handled again, because an effect of the first of them had not ended.
    public var handledAgain: UInt64 = 0
    /// How many actions of unknown kinds were left out of the state: see `UnknownKinds`.
    public var leftOut: UInt64 = 0
    /// How many segments were read.
    public var segments = 0
    /// How many bytes of segments were read.
    public var bytes = 0
    /// How the journal ended; nil if there was none. A torn tail is cut.
    public var end: RecordFileEnd?
    /// Segments of writers that had lost the journal.
    public var ignored: [String] = []

    package init() {}

    /// The part of the last segment that was not written to its end.
    public var tornTail: TornTail? {
        if case .torn(let tail) = end { tail } else { nil }
    }
}

extension RecoveryReport: CustomStringConvertible {
    /// A text for a log.
    public var description: String {
        let from = snapshot.map { "snapshot at \($0); " } ?? ""
        let damaged = damagedSnapshots.isEmpty ? "" : "; unreadable: \(damagedSnapshots.joined(separator: ", "))"
        let ignored = ignored.isEmpty ? "" : "; ignored: \(ignored.joined(separator: ", "))"
        let how = end.map { "; \($0)" } ?? ""
        let again = handledAgain == 0 ? "" : "; \(handledAgain) handled again for their effects"
        let left = leftOut == 0 ? "" : "; \(leftOut) of unknown kinds left out"
        let files = segments == 1 ? "1 segment" : "\(segments) segments"
        return
            "\(from)\(actions) actions to \(lastSequence), \(bytes) bytes in \(files)\(how)\(again)\(left)\(damaged)\(ignored)"
    }
}
