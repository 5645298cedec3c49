// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension SessionRecorder {
    /// Writes the session to `NAME.mrs` in a folder, and a test that replays it to `NAME.swift`. It does not overwrite
    /// a test, because you may have changed it.
    ///
    /// - Parameters:
    ///   - name: The name of both files and of the test.
    ///   - folder: The folder, which must exist.
    ///   - actions: The codec of the actions.
    ///   - states: The codec of the state.
    ///   - code: The expressions for the reducer and the codecs in the test.
    /// - Throws: ``RecordFileError`` if a file cannot be written, or if the test exists already. No part of a file is
    ///   left then; if the test cannot be written, `NAME.mrs` is there, and the next call replaces it.
    ///   ``CanonicalHashError`` if the last state has no canonical hash, which the test compares.
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
        do {
            try code.source(name, file: file).write(toFile: "\(path).swift", atomically: true, encoding: .utf8)
        } catch {
            throw RecordFileError.system(call: "write", path: "\(path).swift", reason: Self.reason(error))
        }
    }

    /// The system's text for an error of Foundation, or else that of Foundation.
    private static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard let code = (cause as? POSIXError)?.code ?? (error as? POSIXError)?.code else {
            return error.localizedDescription
        }
        return String(cString: strerror(code.rawValue))
    }
}
