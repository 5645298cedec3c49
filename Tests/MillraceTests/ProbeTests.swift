// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import TestSupport
import Testing

@Suite("Probe", .serialized, .timeLimit(.minutes(5)))
struct ProbeTests {
    final class Log: PipelineProbe {
        let lines = Recorder<String>()
        let actions = Recorder<ProbedAction>()
        let limits = Recorder<Int>()
        let depths = Recorder<Int>()

        func batchBegan(_ batch: ProbedBatch) {
            limits.record(batch.limit)
            depths.record(batch.depth)
        }
        func actionBegan(_ action: ProbedAction) {
            actions.record(action)
            lines.record("begin")
        }
        func stageBegan(_ stage: PipelineStage) { lines.record("+\(name(stage))") }
        func stageEnded(_ stage: PipelineStage) { lines.record("-\(name(stage))") }
        func actionEnded(_ action: ProbedAction) { lines.record("end") }

        private func name(_ stage: PipelineStage) -> String {
            switch stage {
            case .middleware(let name): name.description
            case .reducers: "reducers"
            case .effects: "effects"
            case .publication: "publication"
            case .journal: "journal"
            }
        }
    }

    private func makeStore(_ engine: StoreEngine, _ publication: Publication) -> ReduxStoreBase<Int, Int> {
        let pure = Handle<Int, Int> { _, _, _ in .pure() }.named("first")
        let working = Handle<Int, Int> { action, _, _ in action == 1 ? IO { _ in } : .pure() }.named("second")
        return ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: pure <> working,
            engine: engine,
            publication: publication
        )
    }

    @Test("every stage of an action is told, in order", arguments: engines)
    func stages(engine: StoreEngine) async {
        let store = makeStore(engine, .everyAction)
        let log = Log()
        store.setProbe(log)
        store.dispatch(1)
        store.dispatch(0)
        await store.drain()
        let always = ["begin", "+first", "-first", "+second", "-second", "+reducers", "-reducers"]
        let published = ["+publication", "-publication"]
        #expect(log.lines.all == always + published + ["+effects", "-effects", "end"] + always + published + ["end"])
        #expect(log.actions.all.map(\.source.line).count == 2)
    }

    @Test("it is switched at a place in the order, on a running store, and loses nothing", arguments: engines)
    func switching(engine: StoreEngine) async {
        let store = makeStore(engine, .onDemand)
        let (first, second) = (Log(), Log())
        store.dispatch(contentsOf: Array(repeating: 0, count: 1_000))
        store.setProbe(first)
        store.dispatch(contentsOf: Array(repeating: 0, count: 2_000))
        store.setProbe(second)
        store.dispatch(contentsOf: Array(repeating: 0, count: 3_000))
        store.setProbe(nil)
        store.dispatch(contentsOf: Array(repeating: 0, count: 4_000))
        #expect(store.state == 10_000)
        #expect(first.actions.count == 2_000)
        #expect(second.actions.count == 3_000)
    }

    @Test("the time in the queue is measured from dispatch", arguments: [StoreEngine.thread(), .thread(wait: .park)])
    func timeInQueue(engine: StoreEngine) async throws {
        let store = makeStore(engine, .onDemand)
        let log = Log()
        store.setProbe(log)
        await store.drain()
        // The pipeline is held up in a subscriber until an action has waited behind it for 30 ms.
        let gate = DispatchSemaphore(value: 0)
        store.subscribe { _ in gate.wait() }
        store.dispatch(0)
        try await Task.sleep(for: .milliseconds(30))
        gate.signal()
        store.setProbe(nil)
        #expect(await eventually { log.actions.count == 1 })
        gate.signal()  // for the publication that follows
        await store.drain()
        #expect((30_000_000..<60_000_000_000).contains(log.actions.all[0].nanosecondsQueued))
    }

    @Test("switched off and on at once, it still measures the time in the queue", arguments: engines)
    func offAndOn(engine: StoreEngine) async {
        let store = makeStore(engine, .onDemand)
        let log = Log()
        store.setProbe(Log())
        store.setProbe(nil)
        store.setProbe(log)
        await store.drain()
        store.dispatch(contentsOf: Array(repeating: 0, count: 100))
        await store.drain()
        #expect(log.actions.all.filter { $0.nanosecondsQueued > 0 }.count > 50)
    }

    @Test("a batch has an upper limit, and a probed store keeps to it", arguments: engines)
    func limits(engine: StoreEngine) async {
        let store = makeStore(engine, .onDemand)
        let log = Log()
        store.setProbe(log)
        store.dispatch(contentsOf: Array(repeating: 0, count: 10_000))
        await store.drain()
        let largest = log.limits.all.max() ?? 0
        #expect(largest > 0 && largest <= 1_000)
        #expect(log.limits.count >= 10_000 / largest)
    }

    @Test("a batch tells how many actions wait, the next one among them")
    func depth() {
        let store = makeStore(.caller, .onDemand)
        let log = Log()
        store.setProbe(log)
        store.dispatch(contentsOf: [0, 0, 0])
        #expect(log.depths.all.first == 3)
    }
}
