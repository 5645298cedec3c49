// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace
@testable import MillraceInstrumentation

/// What reading does to the pipeline, and odd times.
@Suite("Recorder and readers", .timeLimit(.minutes(5)))
struct ExchangeTests {
    private func recorder() -> PipelineRecorder {
        PipelineRecorder(kinds: ActionKinds<Job>.cases.table(), middlewares: ["first"], flight: nil, traceRoom: 0)
    }

    @Test("the pipeline copies nothing for a reader: it gives away what it wrote, and goes on in what it is given")
    func exchange() {
        let recorder = recorder()
        let given = (0..<3).map { _ in Recording(stageLimit: recorder.stageLimit) }
        _ = recorder.exchange(given[0], 0)
        #expect(recorder.exchange(given[1], 0).recording === given[0])
        #expect(recorder.exchange(given[2], 0).recording === given[1])
    }

    @Test("a reader that takes its time holds nobody up: the pipeline goes on, and nothing is lost", arguments: engines)
    func slowReader(engine: StoreEngine) async {
        let store = jobStore(engine)
        let instrumentation = Instrumentation(store)
        for _ in 0..<100 { store.dispatch(.small) }
        let gate = Shared(false)
        // A reader in the middle of its reading, and one that waits for its turn.
        async let slow: Void = instrumentation.accumulator.inTurn {
            while !gate.value { try? await Task.sleep(for: .milliseconds(1)) }
        }
        async let snapshot = instrumentation.snapshot()
        for _ in 0..<100_000 { store.dispatch(.small) }
        await store.drain()
        #expect(store.metrics.reduced == 100_100)
        #expect(!gate.value)
        gate.value = true
        await slow
        let counts = (await snapshot.measured, await instrumentation.snapshot().measured)
        #expect(100...100_100 ~= counts.0)
        #expect(counts.1 == 100_100)
    }

    @Test("a clock that goes back makes times of 0, no outliers")
    func backwards() {
        let recorder = recorder()
        _ = recorder.turn(0, SnapshotAccumulator.Switch(rate: 1, number: 1))
        let later = Ticks(rawValue: Ticks.now.rawValue + Ticks.count(in: .seconds(100)))
        let slot = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { slot.deallocate() }
        let dispatched = later.rawValue - Ticks.count(in: .nanoseconds(500))
        Slot.write(slot, SlotHeader(source: 0, origin: 0, link: SlotHeader.nothing, extra: dispatched))
        recorder.stageTimes.pointee.beginAction(later.rawValue)
        recorder.stageTimes.pointee.begin(.effects)
        recorder.stageTimes.pointee.endAny()
        recorder.actionEnded(
            MeasuredAction(number: 1, kind: 1, ticks: later.rawValue, slot: slot)
        )
        let found = recorder.exchange(Recording(stageLimit: recorder.stageLimit), 1).recording
        let effects = found.stage(StageIndex.effects)
        #expect(effects.count == 1 && effects.outliers == 0 && effects.maximum == 0)
        let total = found.stage(StageIndex.total)
        #expect(total.count == 1 && 499...501 ~= total.maximum)
        #expect(found.kind(1).work.distribution(.two).maximum == 0)
    }

    @Test("intervals that were read before it was switched on move no later one in time")
    func offAtFirst() async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store, isOn: false)
        let empty = await instrumentation.nextInterval()
        #expect(empty.measured == 0 && empty.active == .zero)
        instrumentation.turnOn()
        store.dispatch(.small)
        let interval = await instrumentation.nextInterval()
        let whole = await instrumentation.snapshot()
        #expect(interval.since == whole.since)
        #expect(interval.since <= interval.until)
        #expect(interval.measured == 1)
    }

    @Test("a switch that comes after a newer one has no effect")
    func overtaken() {
        let recorder = recorder()
        #expect(recorder.turn(0, SnapshotAccumulator.Switch(rate: 1, number: 2)))
        #expect(!recorder.turn(0, SnapshotAccumulator.Switch(rate: 0, number: 1)))
        #expect(!recorder.turn(0, SnapshotAccumulator.Switch(rate: 1, number: 2)))
        #expect(recorder.turn(0, SnapshotAccumulator.Switch(rate: 0, number: 3)))
    }
}
