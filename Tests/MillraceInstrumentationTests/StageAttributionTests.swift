// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceInstrumentation
import Synchronization
import TestSupport
import Testing

@testable import Millrace

/// Which time counts as which stage, and how often.
@Suite("Attribution of stages", .timeLimit(.minutes(5)))
struct StageAttributionTests {
    private func store(_ middleware: sending some MiddlewareProtocol<Job, Job, Int>) -> ReduxStoreBase<Job, Int> {
        ReduxStoreBase(initialState: 0, reducer: counting(Job.self), middleware: middleware, engine: .caller)
    }

    @Test("a stage takes as long as its middleware")
    func time() async {
        let slow = Handle<Job> { _ in
            work(for: .milliseconds(20))
            return .pure()
        }
        let store = store(slow.named("slow"))
        let instrumentation = Instrumentation(store)
        for _ in 0..<5 { store.dispatch(.small) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.stage("slow").nanoseconds >= 100_000_000)
        #expect(snapshot.stage("total").nanoseconds >= snapshot.stage("slow").nanoseconds)
    }

    @Test("a publication after an action does not count the action's stages again", arguments: [true, false])
    func countedOnce(isRead: Bool) async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store, traceRoom: 10_000)
        for number in 1...100 {
            store.dispatch(.small)
            if isRead { #expect(store.state == number) }
        }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.measured == 100)
        #expect(snapshot.stage("first").count == 100 && snapshot.stage("reducers").count == 100)
        let publications = snapshot.stage("publication").count
        #expect(publications == (isRead ? 100 : 0))
        // Each action is an event, with two middlewares and the reducers.
        let events = await instrumentation.traceBatch().events.count
        #expect(events == 400 + Int(publications))
    }

    @Test("also if a thread publishes after each batch")
    func countedOnceByBatches() async {
        let store = jobStore(.thread(), publication: .batch)
        let instrumentation = Instrumentation(store)
        for _ in 0..<100 {
            store.dispatch(.small)
            await store.drain()
        }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.measured == 100 && snapshot.stage("first").count == 100)
        #expect(snapshot.stage("publication").count > 0)
    }

    @Test("the closure for kinds is called once for each action, and its time belongs to no middleware")
    func kindOnce() async throws {
        let calls = Shared(0)
        let store = jobStore(.caller)
        let kinds = ActionKinds<Job>.named(["a"]) { _ in
            calls.update { $0 += 1 }
            work(for: .milliseconds(20))
            return 0
        }
        let instrumentation = Instrumentation(store, kinds: kinds, flight: try FlightRecorder(capacity: 64))
        for _ in 0..<5 { store.dispatch(.small) }
        let snapshot = await instrumentation.snapshot()
        #expect(calls.value == 5)
        #expect(snapshot.stage("first").nanoseconds < 5 * 20_000_000)
    }

    @Test("a trace has the stages in the order in which they ended")
    func traceOrder() async {
        let store = store(Handle<Job>().named("inner").named("outer") <> Handle<Job>().named("next"))
        let instrumentation = Instrumentation(store, traceRoom: 100)
        store.dispatch(.small)
        let batch = await instrumentation.traceBatch()
        let names = batch.events.map { $0.what == .action ? "action" : batch.stages[Int($0.stage)] }
        #expect(names == ["inner", "outer", "next", "reducers", "action"])
    }

    /// Keeps the probe that it gets. The first action after switch-on is checked for copies.
    private struct Keeping: MiddlewareProtocol {
        let kept: Shared<(any PipelineProbe)?>

        func handle(action: Job, from: ActionSource, state: @escaping GetState<Int>) -> IO<Job> { .pure() }

        func handle(
            action: Job,
            from: ActionSource,
            state: @escaping GetState<Int>,
            probe: some PipelineProbe
        ) -> IO<Job> {
            kept.update { $0 = $0 ?? probe }
            return .pure()
        }
    }

    @Test("a probe that a middleware keeps may be called when the instrumentation is gone")
    func keptProbe() async throws {
        let kept = Shared<(any PipelineProbe)?>(nil)
        let store = store(Keeping(kept: kept))
        weak var box: ProbeBox?
        do {
            let instrumentation = Instrumentation(store)
            store.dispatch(.small)
            _ = await instrumentation.snapshot()
            box = (store.probed as? StoreCore<Job, Int>)?.consumer.probe
            #expect(box != nil)
        }
        store.dispatch(.small)
        #expect(box == nil)
        let probe = try #require(kept.value)
        probe.stageBegan(.effects)
        probe.stageEnded(.effects)
    }
}
