// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceRuntime
import TestSupport
import Testing

@testable import Millrace

@Suite("Probe: samples", .timeLimit(.minutes(5)))
struct ProbeSamplingTests {
    final class Sampler: PipelineProbe {
        let samplingInterval: Int
        let wantsEveryAction: Bool
        let began = Recorder<ProbedAction>()
        let passed = Recorder<ProbedAction>()
        let stages = Shared(0)
        let unnamed = Shared(0)
        let batches = Recorder<ProbedBatch>()

        init(oneIn interval: Int, wantsEveryAction: Bool = false) {
            samplingInterval = interval
            self.wantsEveryAction = wantsEveryAction
        }

        func kind<Action>(of action: UnsafePointer<Action>) -> Int { action.pointee as? Int ?? -1 }
        func batchBegan(_ batch: ProbedBatch) { batches.record(batch) }
        func actionBegan(_ action: ProbedAction) { began.record(action) }
        func actionPassed(_ action: ProbedAction) { passed.record(action) }
        func stageEnded(_ stage: PipelineStage) { if stage == .reducers { stages.update { $0 += 1 } } }
        func unnamedHandled() { unnamed.update { $0 += 1 } }
    }

    private func makeStore(_ engine: StoreEngine) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in .pure() },
            engine: engine,
            publication: .onDemand
        )
    }

    @Test("one action in n is reported, with its time; the others are handled all the same", arguments: engines)
    func sample(engine: StoreEngine) async {
        let store = makeStore(engine)
        let probe = Sampler(oneIn: 10)  // up to the next power of two
        store.setProbe(probe)
        await store.drain()
        for number in 0..<8_000 { store.dispatch(number) }
        store.dispatch(contentsOf: 8_000..<16_000)
        await store.drain()
        #expect(store.state == 16_000)
        #expect(store.metrics.reduced == 16_000)
        let found = probe.began.all
        #expect((990...1010).contains(found.count))
        #expect(found.allSatisfy { $0.nanosecondsQueued > 0 && $0.ticks > 0 })
        #expect(probe.unnamed.value == found.count)
        #expect(probe.stages.value == found.count)
        #expect(probe.batches.count > 0 && probe.batches.count <= found.count)
        #expect(probe.passed.count == 0)
        // Every third action, say, is in it as often as the others.
        for residue in 0..<3 {
            #expect((300...365).contains(found.filter { $0.kind % 3 == residue }.count))
        }
        store.setProbe(nil)
        store.dispatch(contentsOf: 0..<1_000)
        await store.drain()
        #expect(probe.began.count == found.count)
    }

    @Test("the limit of a batch is the batch's own, also of a sample", arguments: [1, 16])
    func limits(interval: Int) async {
        let gate = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                if action < 0 { gate.wait() }
                return .pure()
            },
            engine: .thread(),
            publication: .onDemand
        )
        let probe = Sampler(oneIn: interval)
        store.setProbe(probe)
        await store.drain()
        store.dispatch(-1)
        store.dispatch(contentsOf: 0..<4_000)
        gate.signal()
        await store.drain()
        // All but one were waiting, so that batches were full.
        let batches = probe.batches.all
        #expect(batches.contains { $0.limit > 1 })
        #expect(batches.contains { $0.depth > 1 })
        #expect(batches.count < probe.began.count)
    }

    @Test("of a batch of revoked actions alone nothing is told", arguments: [1, 2])
    func revoked(interval: Int) async {
        let outputs = Recorder<AnyActionHandler<Int>>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in IO { outputs.record($0) } },
            engine: .caller,
            publication: .onDemand
        )
        store.dispatch(0)
        let run = EffectRun()
        run.revoke()
        let probe = Sampler(oneIn: interval)
        store.setProbe(probe)
        let output = outputs.all[0].belonging(to: run)
        for _ in 0..<100 { output.dispatch(1) }
        await store.drain()
        #expect(store.metrics.cancelled == 100)
        #expect(probe.batches.count == 0)
        outputs.clear()
    }

    @Test("a probe that wants every action is told of the beginning of the others", arguments: engines)
    func passing(engine: StoreEngine) async {
        let store = makeStore(engine)
        let probe = Sampler(oneIn: 16, wantsEveryAction: true)
        store.setProbe(probe)
        await store.drain()
        for number in 0..<2_000 { store.dispatch(number) }
        await store.drain()
        #expect(store.state == 2_000)
        let (began, passed) = (probe.began.all, probe.passed.all)
        #expect((110...140).contains(began.count))
        #expect(began.count + passed.count == 2_000)
        #expect((began + passed).map(\.kind).sorted() == Array(0..<2_000))
        #expect(probe.unnamed.value == began.count)
    }

    @Test("an action that was meant for an earlier time has waited since then", arguments: engines)
    func intended(engine: StoreEngine) async {
        let store = makeStore(engine)
        let probe = Sampler(oneIn: 1)
        store.setProbe(probe)
        await store.drain()
        let second = Ticks.count(in: .seconds(1))
        store.dispatch(DispatchedAction(1), intendedAt: Ticks(rawValue: Ticks.now.rawValue - second))
        // An hour, as a busy machine may take it up seconds later.
        store.dispatch(DispatchedAction(2), intendedAt: Ticks(rawValue: Ticks.now.rawValue + 3_600 * second))
        await store.drain()
        let waits = probe.began.all.map(\.nanosecondsQueued)
        #expect(waits.count == 2)
        #expect(waits.first ?? 0 >= 999_000_000)
        // What comes before its time has waited for the least there is: 0 would be an unknown time.
        #expect(waits.last == 1)
    }

    @Test("switches that arrive in the other order: the one that was made last decides, also where nothing was set yet")
    func lateSwitch() async {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        let (probe, last) = (Sampler(oneIn: 1), Shared(0))
        // As a recorder does: a switch with a smaller number than the last one changes nothing.
        @Sendable func isLatest(_ number: Int) -> Bool {
            last.update { last in
                defer { last = max(last, number) }
                return number > last
            }
        }
        store.core.removeProbe(probe) { _ in isLatest(2) }
        store.core.setProbe(probe, oneIn: 1) { _ in isLatest(1) }
        await store.drain()
        #expect(last.value == 2)
        #expect(store.core.consumer.probe == nil)
    }

    @Test("a new rate of the sample replaces the one before")
    func replacesRates() throws {
        let queue = try #require(ActionQueue<Int>())
        defer { queue.destroy() }
        for rate in [4, 3, 4, 0] {
            queue.raw.setSampling(rate: UInt32(rate))
            let measured = (0..<16_000).count { queue.raw.measures(UInt64($0)) }
            #expect(abs(measured - 16_000 >> rate) <= 1_600 >> rate, "rate \(rate)")
        }
        queue.raw.setSampling(rate: nil)
        #expect(!queue.raw.isStamping)
    }

    @Test("internal and urgent actions are in the sample as often as others, with their time", arguments: engines)
    func beside(engine: StoreEngine) async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { left, _, _ in left <= 0 ? .pure() : IO { $0.dispatch(left - 1) } },
            engine: engine,
            publication: .onDemand,
            order: .internalFirst
        )
        let probe = Sampler(oneIn: 8)
        store.setProbe(probe)
        await store.drain()
        onNewThread { store.dispatch(16_000) }
        #expect(await eventually { store.metrics.reduced == 16_001 })
        await store.drain()
        let found = probe.began.all
        #expect((1_900...2_100).contains(found.count))
        #expect(found.allSatisfy { $0.nanosecondsQueued > 0 && $0.kind == 16_001 - Int($0.number) })
        probe.began.clear()
        for number in 1...16_000 { store.dispatch(urgent: -number) }
        await store.drain()
        let urgent = probe.began.all
        #expect((1_900...2_100).contains(urgent.count))
        #expect(urgent.allSatisfy { $0.nanosecondsQueued > 0 && -$0.kind == Int($0.number) - 16_001 })
    }
}
