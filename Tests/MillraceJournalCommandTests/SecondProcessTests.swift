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

        let found = try probe(["verify", folder], isDishonest: isDishonest)
        #expect(found.code == (isDishonest ? 1 : 0), "\(found.text) \(found.problem)")
        #expect(found.text.contains("the same in two processes") != isDishonest, "\(found.text)")
        #expect(found.problem.contains("a second process makes another state") == isDishonest, "\(found.problem)")
    }

    @Test("verifies each shard, also if the folder has the name of a command", arguments: ["journal", "verify"])
    func shards(_ name: String) async throws {
        let around = FileManager.default.temporaryDirectory.path + "/verify-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: around, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: around) }
        let store = try await ShardedStore(
            recovering: ShardedJournal<Int>(
                directory: "\(around)/\(name)",
                shards: 2,
                codec: .bitwise(version: 1),
                durability: .process
            ),
            by: { $0 },
            initialState: { _ in 0 },
            reducer: Reducer<Int, Int>.reduce { $1 &+= $0 },
            middleware: { _ in IdentityMiddleware<Int, Int, Int>() }
        )
        for number in 0..<100 { store.dispatch(number) }
        _ = await store.shutdown()
        for arguments in [["verify", name], ["verify", "--", name]] {
            let found = try probe(arguments, isDishonest: false, in: around)
            #expect(found.code == 0, "\(found.text) \(found.problem)")
            #expect(found.text.components(separatedBy: "the same in two processes").count == 3, "\(found.text)")
        }
    }

    private func probe(
        _ arguments: [String],
        isDishonest: Bool,
        in folder: String? = nil
    ) throws -> (code: Int32, text: String, problem: String) {
        let probe = Process()
        probe.executableURL = Bundle.main.bundleURL.appendingPathComponent("JournalVerifyProbe")
        probe.arguments = arguments
        if let folder { probe.currentDirectoryURL = URL(fileURLWithPath: folder) }
        var environment = ProcessInfo.processInfo.environment
        environment["DISHONEST"] = isDishonest ? "1" : nil
        probe.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        (probe.standardOutput, probe.standardError) = (output, errors)
        try probe.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        probe.waitUntilExit()
        return (probe.terminationStatus, text, problem)
    }
}
