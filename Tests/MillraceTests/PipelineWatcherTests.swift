// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@testable import Millrace

/// What the drain loop tells a watcher that is not a probe, and what such a watcher may do.
@Suite("PipelineWatcher")
struct PipelineWatcherTests {
    /// Writes everything down, and keeps every IO.
    struct Holding: PipelineWatcher {
        var log: [String] = []
        var held: [IO<Int>] = []
        var time: ActionTime?

        mutating func takeUp<Action>(
            _ action: UnsafePointer<Action>,
            _ taken: TakenAction,
            depth: () -> Int
        ) -> UInt64 {
            log.append("take \(taken.number), depth \(depth())")
            if let time { taken.setTime(time) }
            return taken.number
        }

        mutating func stageBegan(_ stage: PipelineStage) { log.append("begin \(stage)") }
        mutating func stageEnded(_ stage: PipelineStage) { log.append("end \(stage)") }

        mutating func holds<Action>(
            _ io: IO<Action>,
            _ output: borrowing Borrowed<AnyActionHandler<Action>>
        ) -> Bool {
            if let io = io as? IO<Int> { held.append(io) }
            return true
        }

        mutating func actionEnded(_ number: borrowing UInt64) { log.append("end \(copy number)") }
    }

    private let ran = Recorder<Int>()
    private let times = Recorder<ActionTime>()

    /// A core whose pipeline is run by the test alone.
    private func pipeline() -> (StoreCore<Int, Int>, Pipeline<Handle<Int, Int>>) {
        let core = StoreCore<Int, Int>(
            state: 0,
            emitsValue: .always,
            publication: .onDemand,
            capacity: .unbounded,
            order: .fifo
        )
        let pipeline = Pipeline(
            middleware: Handle<Int, Int> { [ran] action, _, _ in IO { _ in ran.record(action) } },
            reducer: Reducer<Int, Int>.reduceAt { [times] action, time, state in
                times.record(time)
                state += action
            },
            core: core
        )
        core.install(pipeline)
        return (core, pipeline)
    }

    private func push(_ actions: [Int], to core: StoreCore<Int, Int>) {
        for action in actions {
            _ = core.queue.push(action, source: .here(), cause: .none, run: nil, flags: 0, admits: { true })
        }
    }

    private func drain(
        _ core: StoreCore<Int, Int>,
        _ pipeline: Pipeline<Handle<Int, Int>>,
        _ watcher: inout some PipelineWatcher
    ) -> Int {
        // Whoever consumes pushes a frame, as an engine does.
        withinFrame(of: core) { pipeline.drain(core, .max, &watcher) }
    }

    @Test("it is told of take-up, stages and end, and keeps the IOs, which the loop then does not run")
    func holds() {
        let (core, pipeline) = pipeline()
        withExtendedLifetime(core) {
            push([10, 20], to: core)
            var watcher = Holding()
            #expect(drain(core, pipeline, &watcher) == 2)
            let one = { (number: Int, depth: Int) in
                [
                    "take \(number), depth \(depth)", "begin reducers", "end reducers",
                    "begin effects", "end effects", "end \(number)",
                ]
            }
            #expect(watcher.log == one(1, 2) + one(2, 1))
            #expect(core.cell.live.pointee == 30)
            #expect(ran.all.isEmpty)
            for io in watcher.held { io.run(AnyActionHandler { _ in }) }
            #expect(ran.all == [10, 20])
            #expect(core.consumer.counters.pointee.reduced == 2)
        }
    }

    @Test("the number has no gap where a message or a cancelled action was")
    func numbers() {
        let (core, pipeline) = pipeline()
        withExtendedLifetime(core) {
            let run = EffectRun()
            push([10], to: core)
            _ = core.queue.push(20, source: .here(), cause: .none, run: run, flags: 0, admits: { true })
            push([30], to: core)
            run.revoke()
            var watcher = Holding()
            #expect(drain(core, pipeline, &watcher) == 3)
            #expect(watcher.log.filter { $0.hasPrefix("take") } == ["take 1, depth 3", "take 2, depth 1"])
        }
    }

    @Test("it may set the time that the reducers get, for a replay")
    func time() {
        let (core, pipeline) = pipeline()
        withExtendedLifetime(core) {
            push([1], to: core)
            var watcher = Holding(time: ActionTime(nanosecondsSince1970: 42))
            #expect(drain(core, pipeline, &watcher) == 1)
            push([2], to: core)
            var none = NoWatcher()
            #expect(drain(core, pipeline, &none) == 1)
            #expect(times.count == 2)
            #expect(times.all[0] == ActionTime(nanosecondsSince1970: 42))
            #expect(times.all[1] > ActionTime(nanosecondsSince1970: 42))
            #expect(ran.all == [2])
        }
    }
}
