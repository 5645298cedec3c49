// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
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
        #expect(await eventually { reports.all.filter { $0.handler.actionKind == "large" }.count >= 5 })
        let running = reports.all.filter { $0.handler.actionKind == "large" }
        #expect(!running.contains { $0.hasEnded })
        for (index, report) in running.enumerated() {
            #expect(report.runningFor >= .milliseconds(20 << index), "each when the time has doubled")
        }
        gate.signal()
        await store.drain()
        // The last report: it has returned.
        #expect(await eventually { reports.all.last?.hasEnded == true })
        let before = try #require(reports.all.dropLast().last)
        #expect(reports.all.filter(\.hasEnded).count >= 1)
        #expect(reports.all.last?.handler == before.handler)
        #expect(reports.all.last.map { $0.runningFor >= before.runningFor } == true)
        #expect(reports.all.last?.description.contains(": has ended, ran for at least ") == true)
        #expect(!before.description.contains("no name"))
        let slow = try #require(reports.all.first)
        #expect(slow.handler.middleware == "search")
        #expect(slow.handler.actionKind == "large")
        #expect(slow.handler.stage == .handling)
        #expect(slow.handler.source.line == 7)
        #expect(slow.limit == .milliseconds(20))
        #expect(slow.runningFor >= .milliseconds(20))
        #expect(slow.description.hasPrefix("middleware \"search\", handling action 'large' (number "))
        #expect(slow.description.contains(/running for [0-9.]+ (ms|s), limit 20\.0 ms/))
        withExtendedLifetime(watchdog) {}
    }

    @Test("limits of one's own by name and kind; reducers and IOs are told by stage")
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
        #expect(await eventually { reports.all.filter(\.hasEnded).count >= 2 })
        let last = try #require(reports.all.last)
        #expect(last.handler.actionKind == "stop")
        #expect(last.limit == .milliseconds(5))
        #expect(!reports.all.contains { $0.handler.middleware == "patient" })
        withExtendedLifetime(watchdog) {}
    }

    protocol Order<Value>: Sendable { associatedtype Value: Sendable }
    struct Buy: Order { typealias Value = Int }
    struct Sell: Order { typealias Value = Int }

    @Test("of a protocol's actions the kind is the type of the value, in reports and for limits")
    func protocols() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase<any Order<Int>, Int>(
            initialState: 0,
            reducer: .reduce { action, _ in if action is Buy { gate.wait() } },
            engine: .thread()
        )
        let reports = Recorder<SlowHandler>()
        let limits: [String: Duration] = ["Buy": .milliseconds(5), "Sell": .seconds(3600)]
        let watchdog = SlowHandlerWatchdog(store, limit: .seconds(3600), limits: limits) { reports.record($0) }
        store.dispatch(DispatchedAction(Sell()))
        store.dispatch(DispatchedAction(Buy()))
        #expect(await eventually { reports.count > 0 })
        #expect(reports.all.first?.handler.actionKind == "Buy" && reports.all.first?.limit == .milliseconds(5))
        gate.signal()
        withExtendedLifetime(watchdog) {}
    }

    @Test("what is reported did run for so long: many short handlers are not one long one")
    func honest() async {
        let starts = Shared<[UInt: Ticks]>([:])
        let reported = DispatchSemaphore(value: 0)
        struct Short: MiddlewareProtocol {
            let starts: Shared<[UInt: Ticks]>
            let reported: DispatchSemaphore

            func handle(action: Job, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Job> {
                let now = Ticks.now
                starts.update { $0[dispatcher.line] = now }
                work(for: .milliseconds(4))
                // One is long, so that there is a report.
                if dispatcher.line == 60 { reported.wait() }
                return .pure()
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Short(starts: starts, reported: reported),
            engine: .thread()
        )
        let reports = Recorder<SlowHandler>()
        let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(20)) { slow in
            reports.record(slow)
            reported.signal()
        }
        #expect(watchdog.isWatching)
        let count: UInt = 100
        for number in 0..<count {
            store.dispatch(.small, from: ActionSource(file: "f", function: "g", line: number))
        }
        await store.drain()
        let found = starts.value
        #expect(found.count == Int(count))
        #expect(reports.count > 0)
        #expect(reports.all[0].description.hasSuffix("the middleware has no name, give it one with named(_:)"))
        for report in reports.all {
            // It was over when the next one began.
            let number = report.handler.source.line
            let next = found[number + 1] ?? .now
            let took = found[number]?.nanoseconds(until: next) ?? 0
            #expect(report.runningFor <= .nanoseconds(Int64(took)), "\(report)")
        }
    }

    @Test("let go, it ends; so it does when the store has ended")
    func ending() async {
        let store = jobStore(.thread())
        var watchdog = Optional(SlowHandlerWatchdog(store) { _ in })
        weak let weakWatchdog = watchdog
        for _ in 0..<1000 { store.dispatch(.small) }
        await store.drain()
        watchdog = nil
        #expect(weakWatchdog == nil)
        // Only its thread keeps what it reports to.
        var listener = Optional(Shared(0))
        weak let weakListener = listener
        let other = SlowHandlerWatchdog(store) { [listener] _ in listener?.value += 1 }
        listener = nil
        #expect(weakListener != nil)
        _ = await store.shutdown()
        #expect(await eventually { weakListener == nil })
        withExtendedLifetime(other) {}
    }

    #if DEBUG
        @Test("without a thread it says so and keeps nothing, and the store goes on", arguments: [1, 2])
        func noThread(step: Int) async {
            let store = jobStore(.caller)
            var listener = Optional(Shared(0))
            weak let weakListener = listener
            // The memory for the start of the thread, then the thread.
            millrace_fault_plan(UInt64(step), 1)
            let watchdog = SlowHandlerWatchdog(store) { [listener] _ in listener?.value += 1 }
            let steps = millrace_fault_sites()
            millrace_fault_plan(0, 0)
            #expect(steps == UInt64(step) && !watchdog.isWatching)
            listener = nil
            #expect(weakListener == nil, "nobody reports to it")
            store.dispatch(.small)
            #expect(await store.shutdown().metrics.reduced == 1)
        }
    #endif
}
