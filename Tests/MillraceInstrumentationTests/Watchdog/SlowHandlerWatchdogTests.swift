// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Slow-handler watchdog", .timeLimit(.minutes(5)))
struct SlowHandlerWatchdogTests {
    @Test("a handler over its limit is reported while it runs, by name and kind, and again when the time has doubled")
    func whileItRuns() async throws {
        let gate = DispatchSemaphore(value: 0)
        let blocking = Handle<Job> { action in
            if case .large = action { gate.wait() }
            return .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job>().named("first") <> blocking.named("search"),
            engine: .thread()
        )
        let reports = Recorder<SlowHandler>()
        let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(20)) { reports.record($0) }
        store.dispatch(.small)
        store.dispatch(.large(1), file: "App/Search.swift", function: "f()", line: 7)
        // It is still running: nobody has opened the gate.
        #expect(await eventually { reports.count >= 2 })
        gate.signal()
        await store.drain()
        let slow = try #require(reports.all.first)
        #expect(slow.handler.middleware == "search")
        #expect(slow.handler.actionKind == "large")
        #expect(slow.handler.stage == .handling)
        #expect(slow.handler.source.line == 7)
        #expect(slow.limit == .milliseconds(20))
        #expect(slow.runningFor >= .milliseconds(20))
        #expect(reports.all[1].runningFor >= .milliseconds(40))
        #expect(slow.description.hasPrefix("\"search\" handling large, number "))
        withExtendedLifetime(watchdog) {}
    }

    @Test("limits of one's own by name and kind; reducers and works are told by stage")
    func limits() async throws {
        let gate = DispatchSemaphore(value: 0)
        let working = Handle<Job> { action in action == .stop ? IO { _ in gate.wait() } : .pure() }
        let patient = Handle<Job> { action in
            if action == .small { work(for: .milliseconds(60)) }
            return .pure()
        }
        let reducer = Reducer<Job, Int>.reduce { action, state in
            if case .text = action { gate.wait() }
            state += 1
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: reducer,
            middleware: patient.named("patient") <> working,
            engine: .thread()
        )
        let reports = Recorder<SlowHandler>()
        let limits: [String: Duration] = ["patient": .seconds(3600), "stop": .milliseconds(5)]
        let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(10), limits: limits) { reports.record($0) }
        store.dispatch(.small)
        store.dispatch(.text("x"))
        #expect(await eventually { reports.count >= 1 })
        #expect(reports.all[0].handler.stage == .reducing)
        #expect(reports.all[0].handler.actionKind == "text")
        gate.signal()
        store.dispatch(.stop)
        #expect(await eventually { reports.all.contains { $0.handler.stage == .effects } })
        gate.signal()
        await store.drain()
        let last = try #require(reports.all.last)
        #expect(last.handler.actionKind == "stop")
        #expect(last.limit == .milliseconds(5))
        #expect(!reports.all.contains { $0.handler.middleware == "patient" })
        withExtendedLifetime(watchdog) {}
    }

    @Test("handlers that end in time are never reported, however many they are; letting go ends it")
    func quiet() async {
        let store = jobStore(.thread())
        let reports = Recorder<SlowHandler>()
        var watchdog = Optional(SlowHandlerWatchdog(store, limit: .milliseconds(500)) { reports.record($0) })
        weak let weakWatchdog = watchdog
        for _ in 0..<200_000 { store.dispatch(.small) }
        await store.drain()
        watchdog = nil
        #expect(weakWatchdog == nil)
        // A machine that stops a thread for half a second may report; not more than the odd one.
        #expect(reports.count <= 2)
    }
}
