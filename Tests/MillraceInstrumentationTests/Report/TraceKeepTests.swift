// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Millrace
import MillraceInstrumentation
import MillraceRuntime
import TestSupport
import Testing

@Suite("Trace files: what is kept", .timeLimit(.minutes(5)))
struct TraceKeepTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/trace.json" }
    private let limit = 20_000

    private static let origin = Ticks(rawValue: 1_000)

    /// Actions of these numbers, each caused by the one before, a microsecond apart.
    private static func batch(_ numbers: Range<UInt64>, threads: UInt64 = 2) -> TraceBatch {
        TraceBatch(
            events: numbers.map { number in
                TraceEvent(
                    what: .action,
                    stage: 0,
                    kind: 0,
                    thread: Int32(number % threads) + 1,
                    start: Ticks(rawValue: origin.rawValue + Ticks.count(in: .microseconds(Int(number)))),
                    nanoseconds: 500,
                    nanosecondsQueued: 0,
                    number: number,
                    parent: number - min(1, number),
                    root: 1
                )
            },
            missed: 0,
            stages: [],
            kinds: ["ping"],
            effects: [],
            origin: (origin, 1)
        )
    }

    private func events(_ phase: String) throws -> [[String: Any]] {
        let all = try #require(try folder.json("trace.json")["traceEvents"] as? [[String: Any]])
        return all.filter { $0["ph"] as? String == phase }
    }

    private func numbers() throws -> [Int] {
        try events("X").compactMap { ($0["args"] as? [String: Any])?["number"] as? Int }
    }

    /// Whole, bounded, every thread with its name, and both ends of every arrow in a slice that is there.
    private func check() throws {
        #expect(try folder.read("trace.json").utf8.count <= limit)
        #expect(try folder.files() == ["trace.json"])
        let slices = try events("X")
        func holds(_ end: [String: Any]) -> Bool {
            slices.contains { slice in
                let (at, from) = (end["ts"] as? Double ?? .nan, slice["ts"] as? Double ?? .nan)
                return slice["tid"] as? Int == end["tid"] as? Int && from <= at
                    && at <= from + (slice["dur"] as? Double ?? .nan)
            }
        }
        let (starts, ends) = (try events("s"), try events("f"))
        #expect(starts.count == ends.count && starts.allSatisfy(holds) && ends.allSatisfy(holds))
        let named = Set(try events("M").filter { $0["name"] as? String == "thread_name" }.map { $0["tid"] as? Int })
        #expect(named.isSuperset(of: slices.map { $0["tid"] as? Int }))
    }

    @Test("the last events are kept, at least as many as fill half of the room", arguments: [1, 7, 10, 500])
    func last(batchSize: Int) throws {
        let trace = try TraceFile(path: path, maximumBytes: limit)
        var next: UInt64 = 1
        while next < 600 {
            let end = next + UInt64(batchSize)
            try trace.append(Self.batch(next..<end))
            next = end
            guard next < 60 || next % 5 == 0 || next >= 600 else { continue }
            try check()
            let kept = try numbers()
            // Without a hole, up to the last one.
            #expect(kept == Array(Int(next) - kept.count..<Int(next)))
            #expect(kept.count == Int(trace.written) && Int(trace.written + trace.skipped) == Int(next) - 1)
        }
        let bytes = try folder.read("trace.json").utf8.count
        #expect(bytes >= limit / 2 - 1_000 && trace.skipped > 0 && !trace.isFull)
        #expect(
            (try folder.json("trace.json")["otherData"] as? [String: Any])?["skipped"] as? Int == Int(trace.skipped)
        )
        try trace.close()
        try check()
    }

    @Test("a file that takes the place of the full one keeps its rights and its lock, and a link stays one")
    func replaced() throws {
        let manager = FileManager.default
        let real = folder.path + "/real"
        try manager.createDirectory(atPath: real, withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: path, withDestinationPath: real + "/trace")
        let trace = try TraceFile(path: path, maximumBytes: limit)
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real + "/trace")
        for round in 0..<20 as Range<UInt64> {
            try trace.append(Self.batch(round * 20 + 1..<round * 20 + 21))
            #expect(throws: ReportFileError.inUse(path: path)) { _ = try TraceFile(path: path) }
        }
        #expect(trace.skipped > 0)
        #expect(try numbers().last == 400)
        #expect(try manager.attributesOfItem(atPath: real + "/trace")[.posixPermissions] as? Int == 0o640)
        #expect(try folder.files("real") == ["trace"])
        #expect(try manager.destinationOfSymbolicLink(atPath: path) == real + "/trace")
    }

    @Test("around a stall: the last ones before it, and what comes after, until the file is full")
    func around() throws {
        let stall = TraceStall()
        let trace = try TraceFile(path: path, maximumBytes: limit, keep: .around(stall))
        try trace.append(Self.batch(1..<301))
        #expect(try folder.read("trace.json").utf8.count <= limit / 2 + 200)
        try check()
        stall.note("the disk", at: Ticks(rawValue: Self.origin.rawValue + Ticks.count(in: .microseconds(300))))
        stall.note("later, which does not count")
        try trace.append(Self.batch(301..<311))
        try check()
        let marks = try events("i")
        #expect(marks.count == 1 && (marks[0]["args"] as? [String: Any])?["what"] as? String == "the disk")
        #expect(abs((marks.first?["ts"] as? Double ?? 0) - 300) < 0.1)
        let before = try numbers().filter { $0 <= 300 }
        #expect(before.last == 300 && before.count > 5)
        for round in 0..<30 as Range<UInt64> {
            try trace.append(Self.batch(311 + round * 10..<321 + round * 10))
        }
        try check()
        let kept = try numbers()
        #expect(kept == Array(before[0]..<before[0] + kept.count) && kept.count > before.count + 10)
        #expect(trace.isFull && Int(trace.written + trace.skipped) == 610)
        try trace.close()
    }

    @Test("a watchdog tells of the stall: the slow action is in the trace, however much comes later")
    func watchdog() async throws {
        let gate = DispatchSemaphore(value: 0)
        let blocking = Handle<Job> { action in
            if case .text = action { gate.wait() }
            return .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: blocking.named("disk"),
            engine: .thread()
        )
        let instrumentation = Instrumentation(store, traceRoom: 10_000)
        let stall = TraceStall()
        let trace = try TraceFile(path: path, maximumBytes: limit, keep: .around(stall))
        // On a busy machine a small action may take that long, too.
        let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(5)) { slow in
            if slow.handler.actionKind == "text" { stall.note(slow) }
        }
        func work(_ count: Int) async throws {
            for _ in 0..<count { store.dispatch(.small) }
            await store.drain()
            try trace.append(await instrumentation.traceBatch())
        }
        try await work(200)
        store.dispatch(.text("slow"))
        #expect(await eventually { stall.isNoted })
        gate.signal()
        try await work(200)
        try await work(200)
        try trace.close()
        try check()
        let names = try events("X").map { $0["name"] as? String }
        let slow = try #require(names.firstIndex(of: "text"))
        #expect(names[..<slow].contains("small") && names[slow...].contains("small"))
        let mark = try #require(try events("i").first)
        let what = (mark["args"] as? [String: Any])?["what"] as? String
        #expect(what?.hasPrefix("middleware \"disk\", handling action 'text' (number ") == true, "\(what ?? "")")
        withExtendedLifetime(watchdog) {}
    }

    @Test("a batch that cannot be written leaves what was there, whole, and no other file")
    func failing() throws {
        let trace = try TraceFile(path: path, maximumBytes: limit)
        try trace.append(Self.batch(1..<41))
        let before = try numbers()
        // Where the new file would be made, there is no folder any more.
        let moved = folder.path + ".moved"
        try FileManager.default.moveItem(atPath: folder.path, toPath: moved)
        defer { try? FileManager.default.moveItem(atPath: moved, toPath: folder.path) }
        let error = ReportFileError.cannotCreate(path: path, reason: "No such file or directory")
        #expect(throws: error) { try trace.append(Self.batch(41..<200)) }
        #expect(throws: error) { try trace.append(Self.batch(200..<201)) }
        try FileManager.default.moveItem(atPath: moved, toPath: folder.path)
        #expect(try numbers() == before && trace.written == UInt64(before.count))
        #expect(try folder.files() == ["trace.json"])
    }
}
