// SPDX-License-Identifier: Apache-2.0

import Histogram
import Millrace
import MillraceEffects
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Instrumentation", .timeLimit(.minutes(5)))
struct InstrumentationTests {
    @Test("every stage and every kind of every action is measured, once", arguments: engines)
    func everything(engine: StoreEngine) async {
        let store = jobStore(engine, publication: .everyAction)
        let instrumentation = Instrumentation(store, label: "jobs")
        for number in 0..<300 { store.dispatch(number % 3 == 0 ? .small : .large(number)) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.label == "jobs")
        #expect(snapshot.actions == 300)
        #expect(snapshot.measured == 300)
        #expect(snapshot.scale == 1)
        #expect(snapshot.missedStages == 0)
        #expect(snapshot.stages.map(\.name) == ["queue", "first", "second", "reducers", "publication", "total"])
        #expect(snapshot.stages.map(\.role) == [.queue, .middleware, .middleware, .reducers, .publication, .total])
        for stage in snapshot.stages where stage.role != .publication { #expect(stage.latency.count == 300) }
        #expect(snapshot.kinds.map(\.name) == ["small", "large"])
        #expect(snapshot.kinds.map(\.count) == [100, 200])
        #expect(snapshot.kinds.map(\.work.count) == [100, 200])
        #expect(snapshot.series.columns.reduce(0) { $0 + $1.total } == 300)
        #expect(snapshot.since < snapshot.until)
        #expect(snapshot.active > .zero)
        #expect(snapshot.memory > 0 && snapshot.memory <= snapshot.mostMemory)
    }

    @Test("it prints what is measured")
    func description() {
        let instrumentation = Instrumentation(jobStore(.caller), label: "jobs")
        #expect("\(instrumentation)" == "jobs: all actions are measured")
        instrumentation.turnOn(oneIn: 16)
        #expect("\(instrumentation)" == "jobs: one action in 16 is measured")
        instrumentation.turnOff()
        #expect("\(instrumentation)" == "jobs: nothing is measured")
    }

    @Test("one action is not reported as several")
    func singular() async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store)
        store.dispatch(.small)
        let snapshot = await instrumentation.snapshot()
        #expect(LatencyTable(snapshot).description.hasPrefix("store: 1 action in "))
        #expect(SlownessReport(snapshot).description.contains("Only 1 action was measured."))
    }

    @Test("the sums fit together: waiting and working make the whole, the stages are parts of the work")
    func sums() async {
        let store = jobStore(.thread())
        let instrumentation = Instrumentation(store)
        for number in 0..<1000 { store.dispatch(.large(number)) }
        let snapshot = await instrumentation.snapshot()
        let kind = snapshot.kind("large")
        let total = snapshot.stage("total")
        #expect(kind.wait.nanoseconds + kind.work.nanoseconds == total.nanoseconds)
        #expect(kind.total.nanoseconds == total.nanoseconds && kind.total.count == total.count)
        #expect(kind.total.maximum == total.maximum)
        #expect(kind.wait.nanoseconds == snapshot.stage("queue").nanoseconds)
        for (stage, nanoseconds) in zip(snapshot.stages, kind.nanosecondsByStage) where stage.role != .publication {
            #expect(nanoseconds == stage.latency.nanoseconds)
        }
        let parts = zip(snapshot.stages, kind.nanosecondsByStage).filter { $0.0.role.isWork }.reduce(0) { $0 + $1.1 }
        #expect(parts <= kind.work.nanoseconds)
    }

    @Test("what runs between two named middlewares counts for neither, what they hold counts for both")
    func unnamedAndNested() async {
        let slow = Handle<Job> { _ in
            work(for: .milliseconds(20))
            return .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job>().named("first") <> slow <> Handle<Job>().named("second")
                <> slow.named("inner").named("outer"),
            engine: .caller
        )
        let instrumentation = Instrumentation(store)
        for _ in 0..<5 { store.dispatch(.small) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("first").histogram.median < 20_000_000)
        #expect(snapshot.stage("second").histogram.median < 20_000_000)
        #expect(snapshot.stage("inner").nanoseconds >= 100_000_000)
        let (inner, outer) = (snapshot.stage("inner").nanoseconds, snapshot.stage("outer").nanoseconds)
        #expect(outer >= inner)
        let small = snapshot.kind("small")
        #expect(small.work.nanoseconds >= 200_000_000)
        // What has no name is told beside the stages; what is twice in them is told, too.
        #expect((100_000_000..<small.work.nanoseconds).contains(small.unnamedNanoseconds))
        #expect(small.nestedNanoseconds == inner)
        let stages = zip(snapshot.stages, small.nanosecondsByStage).filter { $0.0.role.isWork }.reduce(0) { $0 + $1.1 }
        #expect(stages - inner + small.unnamedNanoseconds <= small.work.nanoseconds)
    }

    @Test("a store without middlewares has none without a name, and what the pipeline does is not the reducers'")
    func noMiddleware() async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: IdentityMiddleware(),
            engine: .caller
        )
        let instrumentation = Instrumentation(store)
        for _ in 0..<1000 { store.dispatch(.small) }
        let small = await instrumentation.snapshot().kind("small")
        #expect(small.unnamedNanoseconds == 0 && small.nestedNanoseconds == 0)
        #expect(small.nanosecondsByStage[1] < small.work.nanoseconds)
    }

    /// Works, then asks the middleware that it holds, as a logger does.
    struct Wrapper<Base: MiddlewareProtocol>: MiddlewareProtocol where Base.StateType == Int {
        let base: Base

        func handle(
            action: Base.InputActionType,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>
        ) -> IO<Base.OutputActionType> {
            base.handle(action: action, from: dispatcher, state: state)
        }

        func handle(
            action: Base.InputActionType,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            probe: some PipelineProbe
        ) -> IO<Base.OutputActionType> {
            work(for: .milliseconds(1))
            return base.handle(action: action, from: dispatcher, state: state, probe: probe)
        }
    }

    @Test("what wraps a middleware that does nothing is a middleware without a name, and not the reducers")
    func wrapped() async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job>().named("first") <> Wrapper(base: IdentityMiddleware<Job, Job, Int>()),
            engine: .caller
        )
        let instrumentation = Instrumentation(store)
        for _ in 0..<20 { store.dispatch(.small) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.kind("small").unnamedNanoseconds >= 20_000_000)
        #expect(snapshot.stage("reducers").histogram.median < 1_000_000)
    }

    @Test("erased and composed middlewares are measured by name, too")
    func erased() async {
        let composed: ComposedMiddleware<Job, Job, Int> =
            AnyMiddleware(Handle<Job>().named("a")) <> AnyMiddleware(Handle<Job>())
            <> AnyMiddleware(Handle<Job>().named("b"))
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Job.self), middleware: composed, engine: .caller)
        let instrumentation = Instrumentation(store)
        for _ in 0..<10 { store.dispatch(.small) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("a").count == 10)
        #expect(snapshot.stage("b").count == 10)
    }

    @Test("works are measured, and kinds of what they dispatch", arguments: engines)
    func works(engine: StoreEngine) async {
        let chaining = Handle<Job> { action in
            guard case .large(let left) = action, left > 0 else { return .pure() }
            return IO { $0.dispatch(.large(left - 1)) }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: chaining.named("chain"),
            engine: engine
        )
        let instrumentation = Instrumentation(store)
        store.dispatch(.large(9))
        #expect(await eventually { await instrumentation.snapshot().actions == 10 })
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("effects").count == 9)
        #expect(snapshot.kind("large").count == 10)
    }

    @Test("time counts from the intended time: what held the caller up is not left out", arguments: engines)
    func intendedTime(engine: StoreEngine) async throws {
        let store = jobStore(engine)
        let instrumentation = Instrumentation(store)
        let minute = Ticks.count(in: .seconds(60))
        let intended = Ticks(rawValue: Ticks.now.rawValue - minute)
        for _ in 0..<10 { store.dispatch(DispatchedAction(.small), intendedAt: intended) }
        store.dispatch(.large(0))
        let snapshot = await instrumentation.snapshot()
        let small = snapshot.kind("small")
        #expect(small.wait.histogram.min >= 59_000_000_000)
        #expect(snapshot.kind("large").wait.histogram.min < 60_000_000_000)
        #expect(snapshot.stage("total").maximum >= 60_000_000_000)
        // Off, it is an ordinary dispatch.
        instrumentation.turnOff()
        store.dispatch(DispatchedAction(.small), intendedAt: intended)
        await store.drain()
        #expect(store.state == 12)
    }

    @Test("an action that comes before its time is measured as well: it has waited for a nanosecond")
    func beforeItsTime() async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store)
        let later = Ticks(rawValue: Ticks.now.rawValue + Ticks.count(in: .seconds(1000)))
        for _ in 0..<10 { store.dispatch(DispatchedAction(.small), intendedAt: later) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("queue").count == 10 && snapshot.stage("queue").maximum == 1)
        #expect(snapshot.stage("total").count == 10)
        #expect(snapshot.series.columns.reduce(0) { $0 + $1.total } == 10)
    }

    @Test("the stages of an action beyond the 512th are not measured, and that is said")
    func manyStages() async {
        typealias Erased = AnyMiddleware<Job, Job, Int>
        var many = Erased(Handle<Job>())
        for _ in 0..<20 { many = Erased(many.named("nested")) }
        for _ in 0..<500 { many = Erased(many <> Erased(Handle<Job>().named("flat"))) }
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Job.self), middleware: many, engine: .caller)
        let instrumentation = Instrumentation(store)
        for _ in 0..<3 { store.dispatch(.small) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("nested").count == 3 * 20)
        #expect(snapshot.stage("flat").count == 3 * 492)
        // The reducers come last.
        #expect(snapshot.stage("reducers").count == 0)
        #expect(snapshot.missedStages == 3 * 9)
        #expect(
            LatencyTable(snapshot).description.contains("27 stages were not measured: their action had 512 before.")
        )
    }

    @Test("a publication that belongs to no action takes its own time only, also in a sample")
    func publicationsBetween() async throws {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store, oneIn: 1 << 20)
        // Reading publishes, if an action came before. None of these actions is in the sample.
        store.dispatch(.small)
        #expect(store.state == 1)
        try await Task.sleep(for: .seconds(1))
        store.dispatch(.small)
        #expect(store.state == 2)
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("publication").count > 1)
        #expect(snapshot.stage("publication").maximum < 900_000_000)
    }

    @Test("effects are measured from start to end, by the middleware that started them")
    func effects() async throws {
        let gate = Shared(false)
        let effects = SimpleEffectMiddleware<Job, Int>.onAction { action, _, _ in
            switch action {
            case .large(let number):
                .task(token: number) { _ in
                    while !gate.value, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
                    return .small
                }
            case .stop: Effect.toCancel(2)
            default: .doNothing
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: effects.named("search"),
            engine: .thread()
        )
        let instrumentation = Instrumentation(store)
        for number in 0..<3 { store.dispatch(.large(number)) }
        #expect(await eventually { await instrumentation.snapshot().effects.first?.started == 3 })
        store.dispatch(.stop)
        #expect(await eventually { await instrumentation.snapshot().effects.first?.cancelled == 1 })
        let first = await instrumentation.nextInterval()
        gate.value = true
        #expect(await eventually { await instrumentation.snapshot().effects.first?.completed == 2 })
        let second = await instrumentation.nextInterval()
        let found = try #require(await instrumentation.snapshot().effects.first)
        #expect(found.name == "search")
        // What only cancels is not measured.
        #expect(found.started == 3)
        #expect(found.latency.count == 3)
        #expect(first.effects.map(\.cancelled) == [1])
        #expect(first.effects.map(\.completed) == [0])
        #expect(second.effects.map(\.started) == [0])
        #expect(second.effects.map(\.completed) == [2])
    }

    private func just(_ answer: Job) -> SimpleEffectMiddleware<Job, Int> {
        .onAction { action, _, _ in action == .stop ? .just(answer) : .doNothing }
    }

    @Test("effects of plugins are measured, whenever they are installed, replaced or removed", arguments: engines)
    func effectsOfPlugins(engine: StoreEngine) async throws {
        let store = jobStore(engine)
        let instrumentation = Instrumentation(store)
        func started() async -> [String: UInt64] {
            await store.drain()
            let effects = await instrumentation.snapshot().effects
            return Dictionary(uniqueKeysWithValues: effects.map { ($0.name, $0.started) })
        }
        try await store.plugins.install(just(.small), as: "late")
        store.dispatch(.stop)
        #expect(await started() == ["late": 1])
        try await store.plugins.replace("late", with: just(.small))
        store.dispatch(.stop)
        #expect(await started() == ["late": 2])
        instrumentation.turnOff()
        store.dispatch(.stop)
        try await store.plugins.install(just(.small), as: "another")
        store.dispatch(.stop)
        #expect(await started() == ["late": 2])
        instrumentation.turnOn()
        store.dispatch(.stop)
        #expect(await started() == ["late": 3, "another": 1])
        try await store.plugins.remove("late")
        store.dispatch(.stop)
        #expect(await started() == ["late": 3, "another": 2])
    }

    @Test("a middleware that is in two stores, or twice in one, is measured where its effects were started")
    func effectsOfSharedMiddlewares() async {
        let effects = just(.small)
        func makeStore<M: MiddlewareProtocol & Sendable>(_ middleware: M) -> ReduxStoreBase<Job, Int>
        where M.InputActionType == Job, M.OutputActionType == Job, M.StateType == Int {
            ReduxStoreBase(
                initialState: 0,
                reducer: counting(Job.self),
                middleware: middleware,
                engine: .caller,
                publication: .onDemand
            )
        }
        let first = makeStore(effects.named("a") <> effects.named("b"))
        let second = makeStore(effects.named("c"))
        let instrumentations = (Instrumentation(first), Instrumentation(second))
        first.dispatch(.stop)
        second.dispatch(.stop)
        second.dispatch(.stop)
        let found = (await instrumentations.0.snapshot().effects, await instrumentations.1.snapshot().effects)
        #expect(found.0.map(\.name).sorted() == ["a", "b"])
        #expect(found.0.map(\.started) == [1, 1])
        #expect(found.1.map(\.name) == ["c"])
        #expect(found.1.map(\.started) == [2])
    }
}
