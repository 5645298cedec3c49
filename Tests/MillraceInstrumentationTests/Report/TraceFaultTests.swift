// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceInstrumentation
import TestSupport
import Testing

/// Traces whose disk is full when the older half is removed, or whose folder goes.
@Suite("Traces whose folder or disk fails")
struct TraceFaultTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/traces/trace.json" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/traces", withIntermediateDirectories: false)
    }

    private static func append(_ number: UInt64, to trace: TraceFile) throws {
        try trace.append(TraceFileTests.batch([TraceFileTests.event(.action, number, at: number * 1_000)]))
    }

    /// The numbers of the events in a file, which must be JSON.
    private static func events(_ path: String) throws -> Int {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let all = try #require((json as? [String: Any])?["traceEvents"] as? [[String: Any]])
        return all.count { $0["ph"] as? String == "X" }
    }

    @Test(
        "a disk without room for the younger half beside the whole file: what was written before stays readable",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func fullWhileRewritten() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with(bytes: 65_536) { folder in
                let path = folder + "/trace.json"
                // The file itself has room, but not one and a half of it.
                let trace = try TraceFile(path: path, maximumBytes: 60_000)
                var number: UInt64 = 0
                let error = #expect(throws: ReportFileError.self) {
                    while number < 10_000 {
                        number += 1
                        try Self.append(number, to: trace)
                    }
                }
                #expect(error == .cannotWrite(path: path, reason: "No space left on device"))
                #expect(try Self.events(path) == Int(number - 1) && trace.written == number - 1)
                #expect(trace.skipped == 0, "no half was removed")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["trace.json"])
                #expect(throws: error!) { try Self.append(1, to: trace) }
            }
        }
    }

    @Test("a folder that was removed or renamed when the older half is to go", arguments: [false, true])
    func goneAtRewrite(isRenamed: Bool) throws {
        let trace = try TraceFile(path: path, maximumBytes: 4_000)
        try Self.append(1, to: trace)
        if isRenamed {
            try FileManager.default.moveItem(atPath: folder.path + "/traces", toPath: folder.path + "/moved")
        } else {
            try FileManager.default.removeItem(atPath: folder.path + "/traces")
        }
        var number: UInt64 = 1
        #expect(throws: ReportFileError.cannotCreate(path: path, reason: "No such file or directory")) {
            while number < 1_000 {
                number += 1
                try Self.append(number, to: trace)
            }
        }
        #expect(try folder.files() == (isRenamed ? ["moved"] : []))
        guard isRenamed else { return }
        #expect(try folder.files("moved") == ["trace.json"])
        #expect(try Self.events(folder.path + "/moved/trace.json") == Int(number - 1))
    }

    @Test("a trace that was removed while it was written says so when it is closed")
    func goneAtClose() throws {
        let trace = try TraceFile(path: path)
        try Self.append(1, to: trace)
        try FileManager.default.removeItem(atPath: folder.path + "/traces")
        let error = ReportFileError.cannotWrite(path: path, reason: "No such file or directory")
        #expect(throws: error) { try trace.close() }
        #expect(error.description.contains("was removed while it was written"))
    }

    @Test("a trace whose folder was renamed is complete there")
    func renamedAtClose() throws {
        let trace = try TraceFile(path: path)
        try Self.append(1, to: trace)
        try FileManager.default.moveItem(atPath: folder.path + "/traces", toPath: folder.path + "/moved")
        try Self.append(2, to: trace)
        try trace.close()
        #expect(try Self.events(folder.path + "/moved/trace.json") == 2)
    }
}
