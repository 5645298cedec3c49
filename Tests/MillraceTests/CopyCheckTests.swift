// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

/// A probe is told which middlewares get copies of their state, in the actions that it wants to be checked.
@Suite("Copy check", .timeLimit(.minutes(5)))
struct CopyCheckTests {
    final class Log: PipelineProbe {
        let lines = Recorder<String>()
        let copyCheck: CopyCheck?
        let samplingInterval: Int
        private let interval: Int

        /// A probe that wants every `interval`th action of its sample to be checked; 0: none.
        init(every interval: Int, samplingInterval: Int = 1) {
            self.interval = interval
            self.samplingInterval = samplingInterval
            copyCheck = interval == 0 ? nil : CopyCheck(actionsUntilNext: interval)
        }

        func actionBegan(_ action: ProbedAction) { lines.record("begin") }
        func copyCheckBegan() {
            lines.record("check")
            copyCheck?.actionsUntilNext = interval
        }
        func stageBegan(_ stage: PipelineStage) {
            if case .middleware(let name) = stage { lines.record("+\(name)") }
        }
        func stageEnded(_ stage: PipelineStage) {
            if case .middleware(let name) = stage { lines.record("-\(name)") }
        }
        func unnamedHandled() { lines.record("unnamed") }
        func stateCopied(by middleware: MiddlewareName, isReduced: Bool) {
            lines.record("\(middleware) \(isReduced ? "in its IO" : "in handle")")
        }
    }

    private func makeStore<M: MiddlewareProtocol<Int, Int, Int>>(
        _ middleware: sending M,
        publication: Publication = .onDemand
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: middleware,
            engine: .caller,
            publication: publication
        )
    }

    private let reading = Handle<Int, Int> { _, _, state in
        _ = state()
        return .pure()
    }
    private let inItsIO = Handle<Int, Int> { _, _, state in IO { _ in _ = state() } }

    @Test("a copy in handle and one in the IO are told, with the stages as always")
    func told() {
        let store = makeStore(reading.named("first") <> reading <> inItsIO.named("second"))
        let log = Log(every: 1)
        store.setProbe(log)
        store.dispatch(1)
        #expect(
            log.lines.all == [
                "begin", "check", "+first", "first in handle", "unnamed", "-first", "unnamed", "+second", "unnamed",
                "-second",
                "second in its IO",
            ]
        )
    }

    @Test("only the actions that the probe asks for are checked", arguments: [0, 1, 3])
    func asked(interval: Int) {
        let store = makeStore(reading.named("first"))
        let log = Log(every: interval)
        store.setProbe(log)
        for _ in 0..<7 { store.dispatch(1) }
        let copies = log.lines.all.filter { $0 == "first in handle" }
        #expect(copies.count == (interval == 0 ? 0 : 7 / interval))
        #expect(log.lines.all.filter { $0 == "check" }.count == copies.count)
    }

    @Test("actions outside of the sample are neither checked nor counted")
    func sampled() {
        let store = makeStore(reading.named("first"))
        let log = Log(every: 3, samplingInterval: 16)
        store.setProbe(log)
        for _ in 0..<96 { store.dispatch(1) }
        #expect(log.lines.all.filter { $0 == "begin" }.count == 6)
        #expect(log.lines.all.filter { $0 == "first in handle" }.count == 2)
    }

    @Test("a middleware inside a lift or another one is told under each name around it, also if it is erased")
    func nested() {
        let erased = AnyMiddleware(reading)
        let store = makeStore(
            erased.named("erased") <> AnyMiddleware(reading.named("inner")).named("outer")
                <> AnyMiddleware(erased.lift(state: { $0 + 1 })).named("lift")
                <> reading.lift(state: { (state: Int) in state + 1 }).named("typed lift")
        )
        let log = Log(every: 1)
        store.setProbe(log)
        store.dispatch(1)
        let told = Set(log.lines.all.filter { $0.hasSuffix("in handle") })
        #expect(
            told == [
                "erased in handle", "inner in handle", "outer in handle", "lift in handle", "typed lift in handle",
            ]
        )
    }

    @Test("after a named middleware, what the one around it reads is told under its name alone")
    func afterInner() {
        let pure = Handle<Int, Int> { _, _, _ in .pure() }
        let store = makeStore((pure.named("inner") <> AnyMiddleware(reading)).named("outer"))
        let log = Log(every: 1)
        store.setProbe(log)
        store.dispatch(1)
        #expect(Set(log.lines.all.filter { $0.hasSuffix("in handle") }) == ["outer in handle"])
    }

    @Test("a plugin is told under its name")
    func plugin() async throws {
        let store = makeStore(reading)
        try await store.plugins.install(inItsIO, as: "plugin")
        let log = Log(every: 1)
        store.setProbe(log)
        store.dispatch(1)
        #expect(log.lines.all.filter { $0.contains(" in ") } == ["plugin in its IO"])
    }

    @Test("a kept getter is told only in a checked action, and on the pipeline's thread")
    func kept() {
        let getters = Shared<[GetState<Int>]>([])
        let keeping = Handle<Int, Int> { action, _, state in
            if action == 0 { getters.update { $0.append(state) } }
            return action == 1
                ? IO { _ in
                    for getter in getters.value { _ = getter() }
                    // The pipeline's thread waits here, in the middle of the action.
                    onThreads(1) { _ in for getter in getters.value { _ = getter() } }
                } : .pure()
        }
        // Each action is published, as another thread would otherwise wait for this one to end.
        let store = makeStore(keeping.named("keeping"), publication: .everyAction)
        let log = Log(every: 2)
        store.setProbe(log)
        func copies() -> Int { log.lines.all.filter { $0 == "keeping in its IO" }.count }
        store.dispatch(2)
        store.dispatch(0)  // checked: its getter reports
        for getter in getters.value { _ = getter() }
        #expect(copies() == 0)
        store.dispatch(1)
        #expect(copies() == 0)
        store.dispatch(1)  // checked
        #expect(copies() == 1)
    }
}
