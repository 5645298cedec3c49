// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Testing

/// `MILLRACE_VERIFY_ACTIONS` is the number of actions; 5,000 by default.
@Suite("verify in two processes", .timeLimit(.minutes(10)))
struct SecondProcessTests {
    @Test("finds a reducer that depends on the order of a set", arguments: [false, true])
    func verifies(isDishonest: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/verify-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = ProcessInfo.processInfo.environment["MILLRACE_VERIFY_ACTIONS"].flatMap(Int.init) ?? 5_000
        let store = try await ReduxStoreBase(
            recovering: Journal<Int>(directory: folder, codec: .bitwise(version: 1), durability: .process),
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { $1 &+= $0 }
        )
        store.dispatch(contentsOf: (0..<count).lazy.map { $0 % 977 })
        _ = await store.shutdown()

        let probe = Process()
        probe.executableURL = Bundle.main.bundleURL.appendingPathComponent("JournalVerifyProbe")
        probe.arguments = ["verify", folder]
        var environment = ProcessInfo.processInfo.environment
        environment["DISHONEST"] = isDishonest ? "1" : nil
        probe.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        (probe.standardOutput, probe.standardError) = (output, errors)
        try probe.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        probe.waitUntilExit()
        #expect(probe.terminationStatus == (isDishonest ? 1 : 0), "\(text) \(problem)")
        #expect(text.contains("the same in two processes") != isDishonest, "\(text)")
        #expect(problem.contains("a second process makes another state") == isDishonest, "\(problem)")
    }
}
