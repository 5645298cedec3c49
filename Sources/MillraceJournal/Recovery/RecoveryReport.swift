// SPDX-License-Identifier: Apache-2.0

package import MillraceRecords

/// What a recovery found.
package struct RecoveryReport: Hashable, Sendable {
    /// The sequence of the snapshot that the state begins with; nil if there was none.
    package var snapshot: UInt64?
    /// Newer snapshots that could not be read.
    package var damagedSnapshots: [String] = []
    /// The last action of the journal.
    package var lastSequence: UInt64 = 0
    /// How many actions follow the snapshot.
    package var actions: UInt64 = 0
    /// How many segments were read.
    package var segments = 0
    /// How many bytes of segments were read.
    package var bytes = 0
    /// How the journal ended; nil if there was none. A torn tail is cut.
    package var end: RecordFileEnd?
    /// Segments of writers that had lost the journal.
    package var ignored: [String] = []

    package init() {}

    /// The part of the last segment that was not written to its end.
    package var tornTail: TornTail? {
        if case .torn(let tail) = end { tail } else { nil }
    }
}

extension RecoveryReport: CustomStringConvertible {
    /// A text for a log.
    package var description: String {
        let from = snapshot.map { "snapshot at \($0); " } ?? ""
        let damaged = damagedSnapshots.isEmpty ? "" : "; unreadable: \(damagedSnapshots.joined(separator: ", "))"
        let ignored = ignored.isEmpty ? "" : "; ignored: \(ignored.joined(separator: ", "))"
        let how = end.map { "; \($0)" } ?? ""
        return
            "\(from)\(actions) actions to \(lastSequence), \(bytes) bytes in \(segments) segments\(how)\(damaged)\(ignored)"
    }
}
