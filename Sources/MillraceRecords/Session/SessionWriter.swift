// SPDX-License-Identifier: Apache-2.0

/// Records a session to a file while it goes on.
///
/// ```swift
/// var writer = try SessionWriter(path: "run.mrs", initialState: state, actions: actionCodec, states: stateCodec)
/// try writer.append(action, RecordHead(sequence: 1, time: .now))
/// try writer.finish(finalHash: CanonicalHash(of: state))
/// ```
///
/// The file can be read at any time, and actions that were flushed survive a `kill -9` of the program. The writer
/// gathers actions in frames of `frameBytes` bytes; `flush()` writes what was gathered.
///
/// **Threads.** Only one thread at a time may use a writer. Do not use it on the pipeline's thread, because writing may
/// wait for the disk. **Errors.** The first failed write or sync is final, as for ``FrameWriter``.
public struct SessionWriter<Actions: ActionCodec, States: StateCodec>: ~Copyable {
    private var writer: FrameWriter<Actions>
    private var count: UInt64 = 0

    /// Creates the file, and writes the initial state. The path must not exist yet. After an error the file is removed.
    ///
    /// `firstSequence` is the sequence of the first action that will follow.
    public init(
        path: String,
        initialState: States.Action,
        firstSequence: UInt64 = 1,
        frameBytes: Int = 65_536,
        actions: Actions,
        states: States
    ) throws(RecordFileError) {
        var header = RecordFileHeader(purpose: .session, firstSequence: firstSequence)
        header.add(actions.schema, as: .action)
        let base = header.add(states.schema, as: .state)
        var writer = try FrameWriter(path: path, header: header, frameBytes: frameBytes, codec: actions)
        do {
            try writer.append(state: initialState, by: states, kindBase: base)
            try writer.flush()
        } catch {
            writer.remove()
            throw error
        }
        self.writer = writer
    }

    /// Appends an action.
    public mutating func append(_ action: Actions.Action, _ head: RecordHead) throws(RecordFileError) {
        try writer.append(action, head)
        count += 1
    }

    /// Writes what was gathered. With `sync: true`, also waits until the file is on the disk.
    public mutating func flush(sync: Bool = false) throws(RecordFileError) {
        try writer.flush(sync: sync)
    }

    /// Writes the canonical hash of the last state, syncs the file, and marks its end.
    public mutating func finish(finalHash: CanonicalHash) throws(RecordFileError) {
        try writer.finish(hash: finalHash.rawValue, actions: count)
    }

    mutating func rename(to path: String) throws(RecordFileError) { try writer.rename(to: path) }
    func remove() { writer.remove() }
}
