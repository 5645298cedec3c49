// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceInstrumentation
import MillraceRuntime
import TestSupport
import Testing

@Suite("Flight recorder", .timeLimit(.minutes(5)))
struct FlightRecorderTests {
    private func echoStore(_ engine: StoreEngine) -> ReduxStoreBase<Job, Int> {
        let echo = Handle<Job> { action in action == .small ? IO { $0.dispatch(.large(7)) } : .pure() }
        return ReduxStoreBase(initialState: 0, reducer: counting(Job.self), middleware: echo, engine: engine)
    }

    @Test("the last actions, with kind, source, time and cause", arguments: engines)
    func entries(engine: StoreEngine) async throws {
        let store = echoStore(engine)
        let flight = try FlightRecorder(capacity: 16)
        let before = UInt64(Date().timeIntervalSince1970 * 1e9)
        let instrumentation = Instrumentation(store, flight: flight)
        await store.drain()
        for _ in 0..<20 { store.dispatch(.stop) }
        store.dispatch(.small, file: "App/Main.swift", function: "main()", line: 12)
        #expect(await eventually { await instrumentation.snapshot().measured == 22 })
        let found = flight.breadcrumbs
        #expect(found.actions.count == 16)
        #expect(found.overwritten == 6)
        #expect(found.damage == nil)
        let (cause, caused) = (found.actions[14], found.actions[15])
        #expect(cause.kind == "small")
        #expect(cause.file == "App/Main.swift" && cause.function == "main()" && cause.line == 12)
        #expect(cause.parent == 0 && cause.root == 0)
        #expect(caused.kind == "large")
        #expect(caused.parent == cause.number && caused.root == cause.number)
        #expect(caused.nanosecondsQueued > 0)
        #expect(caused.time >= cause.time && cause.time + 5_000_000 > before)
        #expect(
            found.actions[..<14].allSatisfy {
                $0.kind == "stop" && $0.file?.hasSuffix("FlightRecorderTests.swift") == true
            }
        )
    }

    @Test("an urgent action stands where it was handled, with its cause", arguments: engines)
    func urgent(engine: StoreEngine) async throws {
        let follow = Handle<Job> { action in
            guard action == .small else { return .pure() }
            return IO { output in
                output.dispatch(.large(7))
                output.dispatch(urgent: .stop)
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: follow,
            engine: engine
        )
        let flight = try FlightRecorder(capacity: 16)
        let instrumentation = Instrumentation(store, flight: flight)
        await store.drain()
        store.dispatch(.small)
        #expect(await eventually { await instrumentation.snapshot().measured == 3 })
        let found = flight.breadcrumbs.actions
        #expect(found.map(\.kind) == ["small", "stop", "large"])
        #expect(found.map(\.number) == [1, 2, 3])
        #expect(found.map(\.parent) == [0, 1, 1])
        #expect(found.map(\.root) == [0, 1, 1])
    }

    @Test("each action has its own place, also when there are more places than the recorder remembers")
    func places() async throws {
        let files: [StaticString] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"]
        let functions: [StaticString] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
        let store = jobStore(.caller)
        let flight = try FlightRecorder(capacity: 1024)
        let instrumentation = Instrumentation(store, flight: flight)
        var expected: [String] = []
        for round in 1...2 {
            for file in files {
                for function in functions {
                    expected.append("\(file) \(function) \(round)")
                    store.dispatch(
                        DispatchedAction(
                            .stop,
                            dispatcher: ActionSource(file: file, function: function, line: UInt(round))
                        )
                    )
                }
            }
        }
        _ = await instrumentation.snapshot()
        #expect(flight.breadcrumbs.actions.map { "\($0.file ?? "") \($0.function ?? "") \($0.line)" } == expected)
    }

    @Test("it sees every action, also of those that are not in the sample, but none while it is off")
    func sampled() async throws {
        let store = jobStore(.thread())
        let flight = try FlightRecorder(capacity: 4096)
        let instrumentation = Instrumentation(store, oneIn: 1024, flight: flight)
        await store.drain()
        for number in 0..<3000 { store.dispatch(number % 2 == 0 ? .small : .large(number)) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.actions == 3000)
        #expect(snapshot.measured < 100)
        #expect(snapshot.stage("first").count == snapshot.measured)
        #expect(flight.breadcrumbs.actions.count == 3000)
        #expect(flight.breadcrumbs.actions.filter { $0.kind == "large" }.count == 1500)
        #expect(store.metrics.reduced == 3000)
        instrumentation.turnOff()
        store.dispatch(.small)
        await store.drain()
        #expect(flight.breadcrumbs.actions.count == 3000)
    }

    @Test("lines for a terminal: no text can forge one")
    func lines() async throws {
        let store = echoStore(.caller)
        let flight = try FlightRecorder(capacity: 2)
        let instrumentation = Instrumentation(
            store,
            kinds: .named(["bad\n\u{1B}[2Jkind", "fine"]) { $0 == .stop ? 0 : 1 },
            flight: flight
        )
        store.dispatch(.stop, file: "A\r\nB.swift" as String, function: "f", line: 3)
        store.dispatch(.small, file: "C.swift" as String, function: "g()", line: 4)
        _ = await instrumentation.snapshot()
        let lines = flight.breadcrumbs.lines
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("process \(getpid()), recording since 20"))
        #expect(lines[1] == "1 older actions were overwritten")
        #expect(lines[2].contains("fine from C.swift:4 g() waited "))
        #expect(lines[2].firstMatch(of: /waited [0-9.]+ (ns|µs|ms|s|min)$/) != nil, "as in tables: \(lines[2])")
        #expect(lines[3].contains("caused by #"))
        #expect(lines[0].hasSuffix(", still running"))
        store.dispatch(.stop, file: "A\r\nB.swift" as String, function: "f", line: 3)
        _ = await instrumentation.snapshot()
        let forged = try #require(flight.breadcrumbs.lines.last)
        #expect(forged.contains("bad??[2Jkind from A??B.swift:3 f"))
        #expect(!forged.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("a cause in another shard is named with its shard, also in the file")
    func shards() async throws {
        let path = NSTemporaryDirectory() + "/millrace-flight-\(UUID().uuidString).ring"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Shard 0 handles 2 and 0, shard 1 handles 1 and 11, shard 0 handles 20: each causes the next one.
        let follow = Handle<Int> { action in
            let next = [2: 0, 0: 1, 1: 11, 11: 20][action]
            return next.map { next in IO { $0.dispatch(next) } } ?? .pure()
        }
        let stores = (0..<2).map { _ in
            ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                middleware: follow,
                engine: StoreEngine.caller.ofShard
            )
        }
        let store = ShardedStore(stores, index: { $0 % 2 }, indexOfKey: { (key: Int) in key })
        let flights = [try FlightRecorder(capacity: 16), try FlightRecorder(path: path, capacity: 16)]
        let measured = zip(store.shards, flights).map { Instrumentation($0, flight: $1) }
        await store.drain()
        store.dispatch(2)
        #expect(await eventually { store.metrics.reduced == 5 })
        for instrumentation in measured { _ = await instrumentation.snapshot() }
        let first = flights[0].breadcrumbs
        let second = try Breadcrumbs(path: path)
        #expect(first.actions.map(\.number) == [1, 2, 3] && second.actions.map(\.number) == [1, 2])
        #expect(first.actions.allSatisfy { $0.shard == 0 } && second.actions.allSatisfy { $0.shard == 1 })
        #expect(second.actions[0].parentShard == 0 && second.actions[1].parentShard == 1)
        #expect(first.actions[2].parentShard == 1 && first.actions[2].rootShard == 0)
        func causes(_ breadcrumbs: Breadcrumbs) -> [String] {
            breadcrumbs.lines.filter { $0.contains("caused") }.map { String($0.split(separator: "caused by ")[1]) }
        }
        #expect(causes(first) == ["#1", "#2 of shard 1 (first #1)"])
        #expect(causes(second) == ["#2 of shard 0 (first #1 of shard 0)", "#1 (first #1 of shard 0)"])
        withExtendedLifetime(measured) {}
    }

    /// Where the child of `killed` writes.
    static func pathOfKilled(parent: Int32) -> String {
        NSTemporaryDirectory() + "/millrace-flight-killed-\(parent).ring"
    }

    @Test("after kill -9 the file tells of the last actions, the one that was running last of all")
    func killed() async throws {
        let path = Self.pathOfKilled(parent: getpid())
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let path = FlightRecorderTests.pathOfKilled(parent: getppid())
            let deadly = Handle<Job> { action in
                if action == .stop { kill(getpid(), SIGKILL) }
                return .pure()
            }
            let store = ReduxStoreBase(initialState: 0, reducer: counting(Job.self), middleware: deadly)
            let instrumentation = Instrumentation(store, flight: try FlightRecorder(path: path, capacity: 1024))
            await store.drain()
            for number in 0..<100_000 { store.dispatch(.large(number)) }
            store.dispatch(.stop, file: "Last.swift", function: "end()", line: 99)
            await store.drain()
            withExtendedLifetime(instrumentation) {}
        }
        let found = try Breadcrumbs(path: path)
        #expect(found.damage == nil)
        #expect(found.torn == 0)
        #expect(found.actions.count == 1024)
        #expect(found.overwritten == 100_001 - 1024)
        #expect(found.actions.last?.kind == "stop")
        #expect(found.actions.last?.file == "Last.swift")
        #expect(found.actions.dropLast().allSatisfy { $0.kind == "large" })
        #expect(zip(found.actions, found.actions.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
        #expect(found.origin.processID != Int64(getpid()))
        #expect(found.lines.count == 1024 + 3)
        #expect(found.writer == .lost)
        let number = try #require(found.actions.last?.number)
        let ending =
            "not ended normally: killed, crashed, or called exit; "
            + "#\(number) was running, or had just been finished"
        #expect(found.lines.last == ending)
    }

    @Test("a recorder that ended says so, and starting again keeps what it wrote")
    func endedAndKept() async throws {
        let path = NSTemporaryDirectory() + "/millrace-flight-\(UUID().uuidString).ring"
        defer { for name in [path, path + ".previous"] { try? FileManager.default.removeItem(atPath: name) } }
        do {
            let store = jobStore(.caller)
            let flight = try FlightRecorder(path: path, capacity: 16)
            let instrumentation = Instrumentation(store, flight: flight)
            store.dispatch(.small)
            await store.drain()
            #expect(throws: EventRingError.inUse(path: path)) { try FlightRecorder(path: path) }
            #expect(try Breadcrumbs(path: path).writer == .running)
            flight.end()
            let found = try Breadcrumbs(path: path)
            let number = try #require(found.actions.last?.number)
            #expect(found.lines.last == "ended normally; the last action was #\(number)")
            withExtendedLifetime(instrumentation) {}
        }
        #expect(await eventually { (try? FlightRecorder(path: path)) != nil })
        let kept = try Breadcrumbs(path: path + ".previous")
        #expect(kept.writer == .ended && kept.actions.map(\.kind) == ["small"])
        #expect(try Breadcrumbs(path: path).lines.last == "ended normally")
    }

    @Test("a file that is none says so")
    func noFile() {
        #expect(throws: EventRingError.self) { try Breadcrumbs(path: "/nonexistent/flight.ring") }
        #expect(throws: EventRingError.self) { try FlightRecorder(path: "/nonexistent/flight.ring") }
    }
}
