// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MillraceInstrumentation
import MillraceRuntime
import TestSupport
import Testing

@Suite("Trace files")
struct TraceFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/trace.json" }

    private static let origin = Ticks(rawValue: 1_000)

    static func event(
        _ what: TraceEvent.What,
        _ number: UInt64,
        at nanoseconds: UInt64,
        for duration: UInt64 = 500,
        stage: UInt16 = 0,
        kind: UInt16 = 0,
        thread: Int32 = 7,
        parent: UInt64 = 0
    ) -> TraceEvent {
        TraceEvent(
            what: what,
            stage: stage,
            kind: kind,
            thread: thread,
            start: Ticks(rawValue: origin.rawValue + Ticks.count(in: .nanoseconds(Int64(nanoseconds)))),
            nanoseconds: duration,
            nanosecondsQueued: 1_250,
            number: number,
            parent: parent,
            root: parent
        )
    }

    static func batch(
        _ events: [TraceEvent],
        missed: UInt64 = 0,
        stages: [String] = ["queue", "audit"],
        kinds: [String] = ["upload", "ping"]
    ) -> TraceBatch {
        TraceBatch(
            events: events,
            missed: missed,
            stages: stages,
            kinds: kinds,
            effects: ["mail"],
            origin: (origin, 1_760_000_000_000_000_000)
        )
    }

    private func events(_ phase: String? = nil) throws -> [[String: Any]] {
        let all = try #require(try folder.json("trace.json")["traceEvents"] as? [[String: Any]])
        return phase == nil ? all : all.filter { $0["ph"] as? String == phase }
    }

    private func other(_ name: String) throws -> Int? {
        (try folder.json("trace.json")["otherData"] as? [String: Any])?[name] as? Int
    }

    /// Each arrow has a beginning and an end that is not earlier, and both lie in a slice of their thread.
    private func checkArrows() throws -> Int {
        let (starts, ends) = (try events("s"), try events("f"))
        func byID(_ events: [[String: Any]]) throws -> [String: [String: Any]] {
            try Dictionary(events.map { (try #require($0["id"] as? String), $0) }) { _, _ in
                Issue.record("an id comes twice")
                return [:]
            }
        }
        let (first, second) = (try byID(starts), try byID(ends))
        #expect(first.count == starts.count && first.keys.sorted() == second.keys.sorted())
        let slices = try events("X")
        for (id, start) in first {
            let end = try #require(second[id])
            #expect(end["bp"] as? String == "e")
            #expect(start["ts"] as? Double ?? .nan <= end["ts"] as? Double ?? .nan)
            for side in [start, end] {
                #expect(
                    slices.contains { slice in
                        let (at, from) = (side["ts"] as? Double ?? .nan, slice["ts"] as? Double ?? .nan)
                        return slice["tid"] as? Int == side["tid"] as? Int && from <= at
                            && at <= from + (slice["dur"] as? Double ?? .nan)
                    }
                )
            }
        }
        return first.count
    }

    @Test("slices of actions and stages, effects, arrows: and they pair up")
    func content() throws {
        let trace = try TraceFile(path: path, label: "or\"ders</script>", process: 3)
        try trace.append(
            Self.batch(
                [
                    Self.event(.stage, 1, at: 10_000, for: 200, stage: 1),
                    Self.event(.action, 1, at: 10_000, for: 1_000),
                    Self.event(.action, 2, at: 12_000, kind: 1, parent: 1),
                    Self.event(.effect, 1, at: 10_800, for: 9_000, kind: .max, thread: 99),
                    Self.event(.stage, 0, at: 13_000, stage: 0),
                ],
                missed: 4
            )
        )
        try trace.append(Self.batch([Self.event(.action, 3, at: 20_000, thread: 8, parent: 2)], missed: 1))
        try trace.close()
        #expect(try checkArrows() == 2)
        let slices = try events("X")
        #expect(slices.map { $0["name"] as? String } == ["upload", "audit", "ping", "queue", "upload"])
        #expect(slices.allSatisfy { $0["pid"] as? Int == 3 })
        #expect((slices[0]["args"] as? [String: Any])?["queued_us"] as? Double == 1.25)
        #expect((slices[2]["args"] as? [String: Any])?["parent"] as? Int == 1)
        #expect(slices[2]["dur"] as? Double == 0.5)
        let start = try #require(slices[0]["ts"] as? Double)
        #expect(abs(start - 10) < 0.01)
        #expect(try events("b").map { $0["id"] as? String } == events("e").map { $0["id"] as? String })
        #expect(
            try events("M").map { ($0["args"] as? [String: Any])?["name"] as? String }
                == ["or\"ders</script>", "thread 7", "thread 8"]
        )
        #expect(try other("missed") == 5 && other("skipped") == 0)
        #expect(trace.written == 6 && trace.missed == 5)
        #expect(try other("origin") == 1_760_000_000_000_000_000)
    }

    @Test("the file is whole after each call, from the first on")
    func whole() throws {
        let trace = try TraceFile(path: path)
        #expect(try events().count == 1)
        for number in 1...20 as ClosedRange<UInt64> {
            try trace.append(Self.batch([Self.event(.action, number, at: number * 1_000, parent: number - 1)]))
            #expect(try events("X").count == Int(number))
            #expect(try checkArrows() == Int(number) - 1)
        }
        try trace.append(Self.batch([]))
        #expect(try events("X").count == 20)
    }

    @Test("the limit holds, what is left out is counted, and no arrow loses an end")
    func bounded() throws {
        let limit = 6_000
        let trace = try TraceFile(path: path, maximumBytes: limit, keep: .first)
        var offered = 0
        for round in 0..<30 as Range<UInt64> {
            let batch = (0..<10 as Range<UInt64>).map { index -> TraceEvent in
                let number = round * 10 + index + 1
                // Short ones among long ones, which would still find room.
                return index % 3 == 2
                    ? Self.event(.stage, 0, at: number * 1_000)
                    : Self.event(.action, number, at: number * 1_000, parent: number > 2 ? number - 2 : 0)
            }
            offered += batch.count
            try trace.append(Self.batch(batch))
            #expect(try folder.read("trace.json").utf8.count <= limit)
        }
        let slices = try events("X").count
        #expect(slices > 10 && slices + Int(trace.skipped) == offered)
        #expect(try other("skipped") == offered - slices)
        // They are the first ones: no hole.
        let last = try #require(try events("X").compactMap { $0["ts"] as? Double }.max())
        #expect(Int(last.rounded()) == slices && trace.isFull)
        #expect(try checkArrows() > 0)
    }

    @Test("an arrow to an action that is not in the file is left out")
    func unknownParent() throws {
        let trace = try TraceFile(path: path)
        try trace.append(
            Self.batch([Self.event(.action, 5, at: 1, parent: 4), Self.event(.action, 4, at: 9, thread: 8)])
        )
        #expect(try checkArrows() == 0 && events("X").count == 2)
    }

    @Test("only the last actions are remembered for arrows")
    func memory() throws {
        let trace = try TraceFile(path: path)
        let many = (1...70_000 as ClosedRange<UInt64>).map { Self.event(.action, $0, at: $0 * 10, for: 5) }
        try trace.append(Self.batch(many))
        try trace.append(
            Self.batch([
                Self.event(.action, 70_001, at: 800_000, parent: 1),
                Self.event(.action, 70_002, at: 900_000, parent: 70_000),
            ])
        )
        let phases = try events().map { $0["ph"] as? String }
        #expect(phases.filter { $0 == "s" }.count == 1 && phases.filter { $0 == "f" }.count == 1)
    }

    @Test("names that are hostile, unknown or new")
    func names() throws {
        let trace = try TraceFile(path: path)
        try trace.append(Self.batch([Self.event(.action, 1, at: 1)], kinds: SampleSnapshots.hostileNames))
        let more = SampleSnapshots.hostileNames + ["later"]
        try trace.append(
            Self.batch(
                [
                    Self.event(.action, 2, at: 2_000, kind: UInt16(more.count - 1)),
                    Self.event(.action, 3, at: 4_000, for: .max, kind: .max),
                    Self.event(.effect, 3, at: 6_000, for: .max),
                ],
                kinds: more
            )
        )
        #expect(try events("X").map { $0["name"] as? String } == [SampleSnapshots.hostileNames[0], "later", "?"])
    }

    @Test("a file has one writer at a time; who comes second is told so, and changes nothing")
    func locked() throws {
        let trace = try TraceFile(path: path)
        try trace.append(Self.batch([Self.event(.action, 1, at: 1)]))
        let error = #expect(throws: ReportFileError.inUse(path: path)) { _ = try TraceFile(path: path) }
        #expect(error?.description.contains("'\(path)'") == true && error?.description.contains("path") == true)
        #expect(throws: ReportFileError.inUse(path: folder.path + "/link")) {
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
            _ = try TraceFile(path: folder.path + "/link")
        }
        #expect(try events("X").count == 1)
        try trace.append(Self.batch([Self.event(.action, 2, at: 2_000)]))
        #expect(try events("X").count == 2)
        try trace.close()
        let next = try TraceFile(path: path)
        #expect(try events("X").isEmpty)
        try next.close()
    }

    @Test("a disk that gets full before the first half of the file is: what was written before stays readable")
    func fullInTheFirstHalf() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let folder = TemporaryFolder()
            let file = try TraceFile(path: folder.path + "/trace.json", maximumBytes: 400_000)
            try file.append(Self.batch([Self.event(.action, 1, at: 10)]))
            limitFiles(to: 100_000)
            // Of more than half of the limit, so that this batch begins the second half.
            let large = Self.batch((2..<2_000).map { Self.event(.action, $0, at: $0 * 1_000) })
            let isFull = (try? file.append(large)) == nil
            let kept = try folder.json("trace.json")["traceEvents"] as? [[String: Any]]
            exit(isFull && kept?.count { $0["ph"] as? String == "X" } == 1 ? 42 : 1)
        }
    }

    @Test("errors: a folder that is missing, a disk that is full, a file that is closed")
    func errors() throws {
        #expect(throws: ReportFileError.cannotCreate(path: "/nowhere/x", reason: "No such file or directory")) {
            _ = try TraceFile(path: "/nowhere/x")
        }
        #expect(throws: ReportFileError.cannotWrite(path: "/dev/full", reason: "No space left on device")) {
            _ = try TraceFile(path: "/dev/full")
        }
        let trace = try TraceFile(path: path)
        try trace.close()
        try trace.close()
        #expect(throws: ReportFileError.closed(path: path)) { try trace.append(Self.batch([])) }
    }
}
