// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension SessionRecorder {
    /// Writes the session to `NAME.mrs`, and a test that replays it to `NAME.swift`, into a folder. A test that is there
    /// already stays, with what was added to it.
    ///
    /// - Parameters:
    ///   - name: The name of both files and of the test.
    ///   - folder: The folder, which must exist.
    ///   - actions: The codec of the actions.
    ///   - states: The codec of the state.
    ///   - code: What the test calls reducer and codecs.
    /// - Throws: ``RecordFileError`` if one of the files cannot be written, or if the test is there already;
    ///   ``CanonicalHashError`` if the last state has no canonical hash, so that the test would have nothing to compare.
    public func writeTest<Actions: ActionCodec, States: StateCodec>(
        _ name: String,
        to folder: String,
        actions: Actions,
        states: States,
        code: SessionTest
    ) async throws where Actions.Action == Action, States.Action == State {
        let path = "\(folder)/\(name)"
        guard !FileManager.default.fileExists(atPath: "\(path).swift") else {
            throw RecordFileError.exists(path: "\(path).swift")
        }
        let session = await session()
        if session.finalHash == nil { _ = try CanonicalHash(of: lastState(of: session)) }
        try SessionFile.write(session, to: "\(path).mrs", actions: actions, states: states)
        let file = URL(fileURLWithPath: "\(path).mrs").lastPathComponent
        try code.source(name, file: file).write(toFile: "\(path).swift", atomically: true, encoding: .utf8)
    }
}
