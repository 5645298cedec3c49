// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@testable import Millrace

/// An engine of another target, which runs the pipeline step by step.
@Suite("PipelineHost")
struct PipelineHostTests {
    /// Runs nothing by itself; notes what it was told.
    final class ByHand: PipelineHost {
        let pipeline: HostedPipeline
        let log: Recorder<String>

        init(_ pipeline: HostedPipeline, _ log: Recorder<String>) {
            self.pipeline = pipeline
            self.log = log
        }

        func kick(upTo position: UInt64) { log.record("kick \(position)") }
        func wake() { log.record("wake") }
    }

    @Test(
        "it is told of every push, handles what it is asked to, publishes, and ends a closed store",
        arguments: [Publication.everyAction, .batch]
    )
    func steps(publication: Publication) async throws {
        let (log, released) = (Recorder<String>(), Shared(0))
        let made = Shared<ByHand?>(nil)
        let engine = StoreEngine.hosted { pipeline in
            let host = ByHand(pipeline, log)
            made.value = host
            return host
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, state in state += action },
            middleware: Keeping(released),
            engine: engine,
            publication: publication
        )
        #expect(store.engine == engine && store.engine != .hosted { _ in ByHand(made.value!.pipeline, log) })
        let host = try #require(made.value)
        for action in [1, 2, 3] { store.dispatch(action) }
        #expect(log.all == ["kick 0", "kick 1", "kick 2"])
        #expect(store.metrics.pending == 3 && store.state == 0)
        #expect(host.pipeline.turn(atMost: 2))
        #expect(store.state == 3 && store.metrics.pending == 1)
        #expect(!host.pipeline.turn(atMost: 2))
        #expect(store.state == 6)
        log.clear()
        store.close()
        #expect(await eventually { log.all == ["wake", "wake"] })  // closed, and the intake has ended
        #expect(!host.pipeline.isFinished && released.value == 0)
        #expect(!host.pipeline.turn(atMost: 1))
        #expect(host.pipeline.isFinished && released.value == 1)
        #expect(await store.shutdown().isComplete)
        made.value = nil
    }

    @Test("beginsWithAction does not count actions that were handled behind a gap")
    func handledBehindAGap() throws {
        let made = Shared<ByHand?>(nil)
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            engine: .hosted { pipeline in
                let host = ByHand(pipeline, Recorder())
                made.value = host
                return host
            },
            publication: .everyAction
        )
        let pipeline = try #require(made.value).pipeline
        let stopped = StoppedProducer(store.core.queue.raw, 1)
        store.dispatch(2)
        // At its first look at a gap the consumer waits; at the second it opens a window.
        for _ in 0..<4 { _ = pipeline.turn(atMost: 10) }
        #expect(store.state == [2])
        stopped.publish(to: store.core)
        #expect(pipeline.beginsWithAction)
        _ = pipeline.turn(atMost: 1)
        #expect(store.state == [2, 1])
        #expect(!pipeline.beginsWithAction && pipeline.nextActionKind == nil)
        made.value = nil
    }

    /// Counts its end.
    final class Keeping: MiddlewareProtocol {
        private let released: Shared<Int>

        init(_ released: Shared<Int>) {
            self.released = released
        }

        deinit {
            released.update { $0 += 1 }
        }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> { .pure() }
    }
}
