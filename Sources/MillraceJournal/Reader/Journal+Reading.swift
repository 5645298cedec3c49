// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import MillraceRecords

extension Journal {
    /// The actions from a sequence on. A store, also one of another process, may use the journal meanwhile.
    public func entries(from sequence: UInt64 = 1) -> JournalEntries<Action> {
        JournalEntries(source: source, first: sequence)
    }

    /// Returns the state after an action, computed from a snapshot and the actions after it. The store does not change.
    ///
    /// - Parameters:
    ///   - sequence: The action. If the journal ends before it, the state at the end is returned.
    ///   - initialState: The state before the first action.
    ///   - reducer: The reducer of the store.
    ///   - snapshots: The policy of the store, whose codec reads snapshots; `.never` begins with the first action.
    public func state<State>(
        at sequence: UInt64,
        initialState: sending State,
        reducer: Reducer<Action, State>,
        snapshots: SnapshotPolicy<State> = .never
    ) async throws(JournalError) -> sending State {
        let start = Unchecked(initialState)
        let reducer = Unchecked(reducer)
        let source = source
        let result = await onDisk(source.world) { () throws(JournalError) in
            var state = start.value
            var first: UInt64 = 1
            if let codec = snapshots.codec, let snapshot = try source.snapshot(atMost: sequence) {
                state = try codec.state(of: snapshot)
                first = snapshot.sequence + 1
            }
            guard first <= sequence else { return Unchecked(state) }
            let reader = try source.reader(from: first)
            while true {
                let batch = try reader.batch(512)
                if batch.isEmpty { return Unchecked(state) }
                for entry in batch {
                    if entry.head.sequence > sequence { return Unchecked(state) }
                    reducer.value.apply(entry.action, at: entry.head.time, to: &state)
                }
            }
        }
        nonisolated(unsafe) let state = try result.get().value
        return state
    }

    /// Reads every file of the journal to its end, and checks all checksums and the chain of frames and segments.
    ///
    /// - Throws: The first damage.
    public func verify() async throws(JournalError) -> JournalVerification {
        let source = source
        return try await onDisk(source.world) { () throws(JournalError) in try source.verify() }.get()
    }
}
