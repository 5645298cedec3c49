// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceInstrumentation
import MillraceRuntime
import TestSupport
import Testing

/// The slices of a track are nested or apart, as the viewers demand: they drop what begins within another slice and ends
/// after it.
@Suite("Trace files: nesting", .timeLimit(.minutes(5)))
struct TraceNestingTests {
    private let folder = TemporaryFolder()

    /// A slice as the viewer reads it: in whole nanoseconds.
    private struct Slice {
        let start: Int64
        let end: Int64
        let name: String
    }

    /// The complete events of a file by process and thread, in the order in which a viewer takes them.
    private func tracks() throws -> [[Slice]] {
        let events = try #require(try folder.json("trace.json")["traceEvents"] as? [[String: Any]])
        var tracks: [String: [Slice]] = [:]
        for event in events where event["ph"] as? String == "X" {
            let start = Int64((try #require(event["ts"] as? Double) * 1000).rounded())
            let duration = Int64((try #require(event["dur"] as? Double) * 1000).rounded())
            tracks["\(event["pid"] ?? "") \(event["tid"] ?? "")", default: []].append(
                Slice(start: start, end: start + duration, name: event["name"] as? String ?? "?")
            )
        }
        // By time; of those with one time the file's order counts.
        return tracks.values.map { track in
            track.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        }
    }

    /// Those that a viewer drops, and how deep the others are nested.
    private func dropped(_ track: [Slice]) -> (names: [String], depth: Int) {
        var (open, names, depth): ([Slice], [String], Int) = ([], [], 0)
        for slice in track {
            while let top = open.last, top.end <= slice.start { open.removeLast() }
            if let top = open.last, slice.end > top.end {
                names.append("\(slice.name) in \(top.name), \(slice.end - top.end) ns longer")
                continue
            }
            open.append(slice)
            depth = max(depth, open.count)
        }
        return (names, depth)
    }

    @Test("no slice of a busy trace with many stages is dropped")
    func busy() async throws {
        let inner = Handle<Job>().named("five") <> Handle<Job>().named("six")
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job>().named("one") <> Handle<Job>().named("two") <> Handle<Job>().named("three")
                <> inner.named("four") <> Handle<Job> { _ in IO { _ in } }.named("seven"),
            engine: .thread(),
            publication: .everyAction
        )
        let count = 2000
        let instrumentation = Instrumentation(store, traceRoom: count * 16)
        let trace = try TraceFile(path: folder.path + "/trace.json")
        for part in 0..<4 {
            for number in 0..<count / 4 { store.dispatch(number % 2 == 0 ? .small : .large(part)) }
            await store.drain()
            try trace.append(await instrumentation.traceBatch())
        }
        try trace.close()
        #expect(trace.skipped == 0 && trace.missed == 0)
        let tracks = try tracks()
        let slices = tracks.reduce(0) { $0 + $1.count }
        #expect(slices >= count * 10 && slices == Int(trace.written))
        for track in tracks {
            let (names, depth) = dropped(track)
            #expect(names.isEmpty, "\(names.count) of \(track.count), as \(names.prefix(3))")
            // An action, a middleware, and one that it holds.
            #expect(depth == 3)
        }
    }

    private static let origin = Ticks(rawValue: 1_001)

    private static func event(_ what: TraceEvent.What, _ stage: UInt16, _ start: UInt64, _ end: UInt64) -> TraceEvent {
        TraceEvent(
            what: what,
            stage: stage,
            kind: 0,
            thread: 1,
            start: Ticks(rawValue: origin.rawValue + start),
            end: Ticks(rawValue: origin.rawValue + end),
            nanosecondsQueued: 0,
            number: 1,
            parent: 0,
            root: 0
        )
    }

    private func write(_ events: [TraceEvent]) throws -> [Slice] {
        let trace = try TraceFile(path: folder.path + "/trace.json")
        try trace.append(
            TraceBatch(
                events: events,
                missed: 0,
                stages: ["inner", "outer"],
                kinds: ["action"],
                effects: [],
                origin: (Self.origin, 0)
            )
        )
        return try #require(try tracks().first)
    }

    @Test("whatever ticks are in nanoseconds, a stage ends with its action and the next one begins where it ended")
    func rounding() throws {
        var random = SplitMix64(seed: 20)
        var events: [TraceEvent] = []
        var now: UInt64 = 0
        for _ in 0..<500 {
            let start = now
            for _ in 0..<3 {
                let (begin, middle) = (now, now + .random(in: 1...3_000, using: &random))
                now = middle + .random(in: 0...3_000, using: &random)
                events.append(Self.event(.stage, 0, begin, middle))
                events.append(Self.event(.stage, 0, middle, now))
                events.append(Self.event(.stage, 1, begin, now))
            }
            events.append(Self.event(.action, 0, start, now))
            now += .random(in: 0...1, using: &random)
        }
        let track = try write(events)
        let (names, depth) = dropped(track)
        #expect(track.count == events.count && depth >= 3)
        #expect(names.isEmpty, "\(names.count) of \(track.count), as \(names.prefix(3))")
    }

    @Test("of slices with the same times the one that was recorded last holds the other")
    func sameTimes() throws {
        let track = try write([
            Self.event(.stage, 0, 0, 9_000_000), Self.event(.stage, 1, 0, 9_000_000),
            Self.event(.action, 0, 0, 9_000_000),
            // A clock that was behind: the stage ends after its action.
            Self.event(.stage, 0, 10_000_000, 30_000_000), Self.event(.action, 0, 9_999_990, 20_000_000),
            // No time at all.
            Self.event(.stage, 0, 40_000_000, 40_000_000), Self.event(.action, 0, 40_000_000, 40_000_000),
        ])
        #expect(track.map(\.name) == ["action", "outer", "inner", "action", "inner", "action", "inner"])
        #expect(dropped(track).names.isEmpty)
    }
}
