// SPDX-License-Identifier: Apache-2.0

public import MillraceRecords

/// When a store writes its state to a file, from which a recovery begins.
///
/// A snapshot is the state at an exact action: a copy of the live state, or a second state that follows the journal
/// (``SnapshotKind``). A thread other than the pipeline's encodes and writes it. The snapshot gets its name when the
/// journal is on the disk up to that action. So no crash can leave a snapshot whose actions are not in the journal.
public struct SnapshotPolicy<State>: Sendable {
    let interval: UInt64
    let keep: Int
    let removesSegments: Bool
    let kind: SnapshotKind
    let codec: (any SnapshotCodec<State>)?

    /// No snapshots: a recovery reads the journal from its beginning.
    public static var never: SnapshotPolicy {
        SnapshotPolicy(interval: 0, keep: 2, removesSegments: false, kind: .copy, codec: nil)
    }

    /// A snapshot each time this number of actions has been handled.
    ///
    /// - Parameters:
    ///   - actions: The number of actions between two snapshots, at least 1.
    ///   - keep: How many of the newest snapshots are kept, at least 2.
    ///   - removesSegments: Whether the segments below the oldest kept snapshot are removed. The journal then no longer
    ///     goes back to the first action.
    ///   - kind: Where the state comes from. With ``SnapshotKind/shadow`` a snapshot may be up to a group of actions
    ///     later.
    ///   - codec: Writes and reads the state.
    public static func every<Codec: StateCodec>(
        actions: Int,
        keep: Int = 2,
        removesSegments: Bool = false,
        kind: SnapshotKind = .copy,
        by codec: Codec
    ) -> SnapshotPolicy where Codec.Action == State {
        SnapshotPolicy(
            interval: UInt64(max(1, actions)),
            keep: max(2, keep),
            removesSegments: removesSegments,
            kind: kind,
            codec: SnapshotCoder(codec)
        )
    }
}

/// A codec of states, without its type.
protocol SnapshotCodec<State>: Sendable {
    associatedtype State

    func state(of snapshot: Snapshot) throws(JournalError) -> State

    func write<Folder: JournalFolder>(
        _ state: State,
        at sequence: UInt64,
        to snapshots: SnapshotFolder<Folder>,
        marks: [JournalRecord],
        syncedThrough: UInt64
    ) throws(JournalError)
}

private struct SnapshotCoder<Codec: StateCodec>: SnapshotCodec {
    let codec: Codec

    init(_ codec: Codec) {
        self.codec = codec
    }

    func state(of snapshot: Snapshot) throws(JournalError) -> Codec.Action { try snapshot.state(by: codec) }

    func write<Folder: JournalFolder>(
        _ state: Codec.Action,
        at sequence: UInt64,
        to snapshots: SnapshotFolder<Folder>,
        marks: [JournalRecord],
        syncedThrough: UInt64
    ) throws(JournalError) {
        try snapshots.write(state, at: sequence, by: codec, records: marks, syncedThrough: syncedThrough)
    }
}
