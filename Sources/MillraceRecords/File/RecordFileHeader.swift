// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The beginning of a file of records: what it is, and the types and kinds of its records.
public struct RecordFileHeader: Hashable, Sendable {
    /// What a file is for.
    public enum Purpose: UInt32, Hashable, Sendable {
        /// A recorded session: a state, and the actions that followed.
        case session = 1
        /// A part of a journal.
        case segment = 2
        /// Records of kinds that a reader did not know.
        case parked = 3
        /// The state after one action of a journal.
        case snapshot = 4
    }

    /// What the file is for.
    public var purpose: Purpose
    /// The journal or session.
    public var journal: JournalID
    /// The number of the writer of a journal: each writer has a higher number than those before it.
    public var epoch: UInt64
    /// The sequence of the first action in the file.
    public var firstSequence: UInt64
    /// When the file was made.
    public var created: ActionTime
    /// The types of the records.
    public private(set) var types: [RecordType] = []
    /// The kinds of the records: a record holds an index of this table.
    public private(set) var kinds: [RecordKind] = []

    /// Creates a header without kinds. The first sequence is at least 1.
    public init(
        purpose: Purpose,
        journal: JournalID = JournalID(),
        epoch: UInt64 = 1,
        firstSequence: UInt64 = 1,
        created: ActionTime = .now
    ) {
        self.purpose = purpose
        self.journal = journal
        self.epoch = epoch
        self.firstSequence = max(1, firstSequence)
        self.created = created
    }

    /// Adds the kinds that a codec writes, and returns the index of the first.
    @discardableResult
    public mutating func add(_ schema: RecordSchema, as role: RecordKind.Role) -> Int {
        types.append(schema.type)
        kinds += schema.kinds.map { RecordKind(name: $0, type: types.count - 1, role: role) }
        return kinds.count - schema.kinds.count
    }

    mutating func add(_ type: RecordType) { types.append(type) }
    mutating func add(_ kind: RecordKind) { kinds.append(kind) }
}
