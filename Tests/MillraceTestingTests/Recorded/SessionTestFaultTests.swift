// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceRecords
import MillraceTesting
import TestSupport
import Testing

/// Tests of recorded sessions that cannot be written.
@Suite("Tests of recorded sessions whose folder or disk fails")
struct SessionTestFaultTests {
    /// Writes a session without actions, and its test with a long expression.
    private static func write(to folder: String) async throws {
        let recorder = SessionRecorder(initialState: Cart(), reducer: cartReducer)
        let long = String(repeating: "x", count: 10_000)
        let code = SessionTest(reducer: long, actions: "cartActions()", states: "cartStates()")
        try await recorder.writeTest("cart", to: folder, actions: cartActions(), states: cartStates(), code: code)
    }

    @Test("a folder that is missing")
    func missing() async throws {
        let folder = NSTemporaryDirectory() + "/millrace-" + UUID().uuidString
        let error = try await #require(throws: RecordFileError.self) { try await Self.write(to: folder) }
        guard case .system("open", let named, "No such file or directory") = error else { throw error }
        #expect(named.hasPrefix(folder + "/cart.mrs"))
    }

    @Test("a full disk: the error names the file, no part of it is left, and the next call writes both")
    func full() async {
        await #expect(processExitsWith: .success) {
            let folder = NSTemporaryDirectory() + "/millrace-" + UUID().uuidString
            let manager = FileManager.default
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? manager.removeItem(atPath: folder) }
            limitFiles(to: 10)
            let first = await #expect(throws: RecordFileError.self) { try await Self.write(to: folder) }
            guard case .system("write", _, "File too large") = first else { throw first! }
            #expect(try manager.contentsOfDirectory(atPath: folder) == [])
            // The session has room, its test has not.
            limitFiles(to: 8_000)
            let second = await #expect(throws: RecordFileError.self) { try await Self.write(to: folder) }
            #expect(second == .system(call: "write", path: folder + "/cart.swift", reason: "File too large"))
            #expect(try manager.contentsOfDirectory(atPath: folder) == ["cart.mrs"])
            limitFiles(to: 1_000_000)
            try await Self.write(to: folder)
            #expect(try manager.contentsOfDirectory(atPath: folder).sorted() == ["cart.mrs", "cart.swift"])
        }
    }

    /// A thread renames the folder a moment after it has the session. The source of the test is so long that it is not
    /// written by then. If that thread is too early, the session itself fails, and all is tried again.
    @Test("a folder that vanishes after the session is written: the error names the test, and the session is whole")
    func vanishesBetweenTheFiles() async throws {
        let outer = NSTemporaryDirectory() + "/millrace-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: outer) }
        let recorder = SessionRecorder(initialState: Cart(), reducer: cartReducer)
        let long = String(repeating: "x", count: 100_000_000)
        let code = SessionTest(reducer: long, actions: "cartActions()", states: "cartStates()")
        var (error, after) = (RecordFileError?.none, "")
        for attempt in 1...10 {
            let before = "\(outer)/\(attempt)"
            after = before + "-renamed"
            try FileManager.default.createDirectory(atPath: before, withIntermediateDirectories: true)
            Thread { [after] in
                while access(before + "/cart.mrs", F_OK) != 0, access(outer, F_OK) == 0 {}
                usleep(20_000)
                rename(before, after)
            }.start()
            error = try await #require(throws: RecordFileError.self) {
                try await recorder.writeTest(
                    "cart",
                    to: before,
                    actions: cartActions(),
                    states: cartStates(),
                    code: code
                )
            }
            let expected = RecordFileError.system(
                call: "write",
                path: before + "/cart.swift",
                reason: "No such file or directory"
            )
            if error == expected { error = nil; break }
        }
        #expect(error == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: after) == ["cart.mrs"])
        let session = try SessionFile.read(after + "/cart.mrs", actions: cartActions(), states: cartStates())
        #expect(session.initialState == Cart() && session.actions.isEmpty)
    }
}
