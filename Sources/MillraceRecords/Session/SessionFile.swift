// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// Writes and reads files of recorded sessions.
///
/// ```swift
/// try SessionFile.write(session, to: "bug.mrs", actions: actionCodec, states: stateCodec)
/// let session = try SessionFile.read("bug.mrs", actions: actionCodec, states: stateCodec)
/// ```
///
/// docs/journal-format.md describes the file. For a long recording, use ``SessionWriter``, which writes while the
/// session goes on.
public enum SessionFile {
    /// Writes a whole session. It is written to a temporary file beside `path`, which is renamed to `path` when all of
    /// it is on the disk, and then replaces an existing file. After an error the temporary file is removed. The call
    /// blocks until the file is on the disk.
    ///
    /// - Throws: ``RecordFileError`` if the file cannot be written, or if an action or the state cannot be encoded.
    public static func write<Actions: ActionCodec, States: StateCodec>(
        _ session: RecordedSession<States.Action, Actions.Action>,
        to path: String,
        actions: Actions,
        states: States
    ) throws(RecordFileError) {
        let partial = FrameSink.temporary(path)
        let folder = OpenFolder(of: partial)
        var writer = try SessionWriter(
            path: partial,
            initialState: session.initialState,
            firstSequence: session.actions.first?.head.sequence ?? 1,
            actions: actions,
            states: states
        )
        do {
            for recorded in session.actions { try writer.append(recorded.action, recorded.head) }
            if let hash = session.finalHash, session.isComplete {
                try writer.finish(finalHash: hash)
            } else {
                try writer.flush(sync: true)
            }
            try writer.rename(to: path)
        } catch {
            folder.remove(partial)
            throw error
        }
    }

    /// Reads a session. If its writer was killed, the session has the actions that were written before.
    ///
    /// `unknownKinds` says what to do with actions of kinds that the codec does not know. The whole session is in
    /// memory then.
    ///
    /// - Throws: ``RecordFileError`` if the file cannot be read, is damaged, or holds a type, version or layout that a
    ///   codec does not read.
    public static func read<Actions: ActionCodec, States: StateCodec>(
        _ path: String,
        actions: Actions,
        states: States,
        unknownKinds: UnknownKinds = .fail
    ) throws(RecordFileError) -> RecordedSession<States.Action, Actions.Action> {
        try read(FrameReader(path: path), actions: actions, states: states, unknownKinds: unknownKinds)
    }

    /// Reads a session from the bytes of a file.
    ///
    /// - Throws: ``RecordFileError``, as for a file.
    public static func read<Actions: ActionCodec, States: StateCodec>(
        bytes: [UInt8],
        actions: Actions,
        states: States,
        unknownKinds: UnknownKinds = .fail
    ) throws(RecordFileError) -> RecordedSession<States.Action, Actions.Action> {
        try read(FrameReader(bytes: bytes), actions: actions, states: states, unknownKinds: unknownKinds)
    }

    private static func read<Actions: ActionCodec, States: StateCodec>(
        _ frames: consuming FrameReader,
        actions codec: Actions,
        states: States,
        unknownKinds: UnknownKinds
    ) throws(RecordFileError) -> RecordedSession<States.Action, Actions.Action> {
        let path = frames.path
        let kinds = frames.header.kinds
        let stateRoutes = try frames.header.routes(by: states, role: .state, path: path)
        var reader = try RecordReader(frames, codec: codec, unknownKinds: unknownKinds)
        var initialState: States.Action?
        var actions: [RecordedAction<Actions.Action>] = []
        var end: (hash: UInt64, actions: UInt64)?

        while let record = try reader.nextRaw() {
            switch record.content {
            case .state(let index):
                let kind = kinds[index].name
                guard initialState == nil, let route = stateRoutes[index] else {
                    throw .missing(path: path, what: "state that can be read")
                }
                do {
                    initialState = try states.decode(record.bytes, route: route)
                } catch {
                    throw .codec(path: path, offset: record.offset, kind: kind, error: error)
                }
            case .action:
                if let action = try reader.action(of: record) { actions.append(action) }
            case .end(let hash, let count): end = (hash, count)
            case .reserved: break
            }
        }
        try reader.seal()
        guard let initialState else { throw .missing(path: path, what: "initial state") }
        var isEnded = false
        if case .ended = reader.frames.end { isEnded = true }
        var session = RecordedSession(
            initialState: initialState,
            actions: actions,
            finalHash: end.map { CanonicalHash(rawValue: $0.hash) },
            isComplete: isEnded && end?.actions == UInt64(actions.count)
        )
        session.leftOut = reader.unknown
        return session
    }
}
