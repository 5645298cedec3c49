// SPDX-License-Identifier: Apache-2.0

/// The name of a snapshot: `snapshot-<sequence>.mrs`, with 20 digits.
package struct SnapshotName: Hashable, Comparable {
    package let sequence: UInt64

    package init(_ sequence: UInt64) {
        self.sequence = sequence
    }

    /// Reads a name; nil if it is not the name of a snapshot.
    init?(text: String) {
        guard text.hasPrefix("snapshot-"), text.hasSuffix(".mrs"),
            let sequence = UInt64(text.dropFirst(9).dropLast(4)), sequence < .max
        else { return nil }
        self.sequence = sequence
        guard self.text == text else { return nil }
    }

    package var text: String { "snapshot-\(sequence.digits).mrs" }
    var temporary: String { "snapshot-\(sequence.digits).tmp" }

    package static func < (left: SnapshotName, right: SnapshotName) -> Bool { left.sequence < right.sequence }

    /// The snapshots in a folder, the newest first.
    package static func all<Folder: JournalFolder>(in folder: Folder) throws(JournalError) -> [SnapshotName] {
        try system(try folder.names()).compactMap(SnapshotName.init(text:)).sorted(by: >)
    }
}
