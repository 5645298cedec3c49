// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords

/// Reads a recorded session with the codecs and the reducer of a model. The whole session is in memory.
struct SessionAccess<Model: JournalModel>: RecordedAccess {
    let path: String
    let session: RecordedSession<Model.State, Model.Action>

    /// Whether a path names a file. A journal is a folder.
    static func isSession(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Reads a session, and checks all its checksums.
    init(_ path: String) throws {
        guard let states = try Model.stateCodec() else {
            throw CommandError(
                """
                '\(path)' is a recorded session, which begins with a state, and this program has no codec for its state: give \
                its journal model a 'stateCodec()'
                """
            )
        }
        self.path = path
        session = try Self.read(path, try Model.codec(), states)
    }

    private static func read<Actions: ActionCodec, States: StateCodec>(
        _ path: String,
        _ actions: Actions,
        _ states: States
    ) throws -> RecordedSession<States.Action, Actions.Action> {
        try SessionFile.read(path, actions: actions, states: states, unknownKinds: Model.unknownKindsInReading)
    }

    var leftOut: UInt64 { session.leftOut }

    var first: UInt64 { session.actions.first?.head.sequence ?? 1 }

    func lastSequence() -> UInt64 { session.actions.last?.head.sequence ?? first - 1 }

    func actions(from sequence: UInt64, to last: UInt64) -> RecordedActions<Model.Action> {
        var rest = session.actions.drop { $0.head.sequence < sequence }.prefix { $0.head.sequence <= last }
        return RecordedActions { rest.popFirst() }
    }

    func start(atMost sequence: UInt64, usesSnapshots: Bool) throws -> RecordedState<Model.State> {
        guard first - 1 <= sequence else {
            throw CommandError(
                "the session '\(path)' begins with the state after action \(first - 1), not \(sequence). Give \(first - 1) or more"
            )
        }
        return (first - 1, session.initialState)
    }

    func snapshots() -> (whole: [UInt64], damaged: [String]) { ([], []) }

    func state(ofSnapshot sequence: UInt64) -> Model.State? { nil }

    /// A text that says whether the session was finished.
    var end: String {
        if session.isComplete { return "finished" }
        return session.leftOut > 0
            ? "some actions were left out" : "not finished: the writer was killed, or still writes"
    }
}
