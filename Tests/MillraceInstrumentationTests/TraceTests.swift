// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Instrumentation: traces", .timeLimit(.minutes(5)))
struct TraceTests {
    @Test("an action and its stages, with cause, kind and time", arguments: engines)
    func events(engine: StoreEngine) async throws {
        let echo = Handle<Job> { action in
            action == .small ? IO { $0.dispatch(.large(7)) } : .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: echo.named("echo"),
            engine: engine,
            publication: .onDemand
        )
        let instrumentation = Instrumentation(store, traceRoom: 1000)
        store.dispatch(.small)
        #expect(await eventually { await instrumentation.snapshot().measured == 2 })
        let batch = await instrumentation.traceBatch()
        #expect(batch.missed == 0)
        func name(_ event: TraceEvent) -> String {
            event.what == .action ? batch.kinds[Int(event.kind)] : batch.stages[Int(event.stage)]
        }
        #expect(batch.events.map(name) == ["echo", "reducers", "effects", "small", "echo", "reducers", "large"])
        let (first, second) = (batch.events[3], batch.events[6])
        #expect(first.parent == 0 && first.root == 0)
        #expect(second.parent == first.number && second.root == first.number)
        #expect(batch.events.allSatisfy { $0.thread > 0 })
        for stage in batch.events[..<3] {
            #expect(stage.number == first.number && stage.kind == first.kind)
            #expect(stage.start >= first.start && stage.nanoseconds <= first.nanoseconds)
        }
        #expect(batch.start(of: second) >= batch.start(of: first) + first.nanoseconds)
        #expect(await instrumentation.traceBatch().events.isEmpty)
    }

    @Test("there is only so much room, and what found none is counted")
    func bounded() async {
        let store = jobStore(.thread())
        let instrumentation = Instrumentation(store, traceRoom: 100)
        for _ in 0..<100 { store.dispatch(.small) }
        let batch = await instrumentation.traceBatch()
        #expect(batch.events.count == 100)
        // Each action has two middlewares, its reducers, and itself.
        #expect(batch.missed == 300)
        // They are the last ones, the oldest first.
        let numbers = batch.events.map(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 25)
        #expect(batch.events.last?.what == .action)
        store.dispatch(.stop)
        let next = await instrumentation.traceBatch().events
        #expect(next.count == 4 && next.allSatisfy { $0.number > numbers.last ?? .max })
        let off = Instrumentation(jobStore(.caller))
        #expect(await off.traceBatch().events.isEmpty)
    }
}
