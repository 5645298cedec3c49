// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import Testing

/// Recordings that cannot be written.
@Suite struct SessionFaultTests {
    private struct Note: Codable, Equatable { var text: String }

    private static func write(to path: String) throws {
        let actions = (1...2_000).map { number in
            RecordedAction(
                head: RecordHead(
                    sequence: UInt64(number),
                    time: ActionTime(nanosecondsSince1970: 1),
                    source: .here()
                ),
                kind: "note",
                action: Note(text: String(repeating: "x", count: 100))
            )
        }
        let session = RecordedSession(initialState: Note(text: ""), actions: actions)
        let codec = try CodableCodec<Note>(version: 1)
        try SessionFile.write(session, to: path, actions: codec, states: codec)
    }

    @Test func aFolderThatHasVanishedIsAnError() throws {
        let path = try withFolder { folder in folder + "/session.mrs" }
        let error = try #require(throws: RecordFileError.self) { try Self.write(to: path) }
        guard case .system(let call, let named, let reason) = error else { throw error }
        #expect(call == "open" && named.hasPrefix(path) && reason == "No such file or directory")
    }

    @Test func aFullDiskIsAnErrorAndLeavesNothingBehind() async {
        await #expect(processExitsWith: .exitCode(42)) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let isRight = try withFolder { folder in
                do {
                    try SessionFaultTests.write(to: folder + "/session.mrs")
                    return false
                } catch let RecordFileError.system(call, _, _) {
                    return try call == "write" && FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
                }
            }
            exit(isRight ? 42 : 1)
        }
    }
}
