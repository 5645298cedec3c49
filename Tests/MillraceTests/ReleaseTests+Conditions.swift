// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

/// Guarantee 6 in whatever state the store is.
extension ReleaseTests {
    /// What has become of a store when its last reference goes.
    enum Condition: CaseIterable, Sendable {
        case idle, closed, shutDown, abandoned, stuck, closedWhileStuck, duringShutdown, afterIncompleteShutdown
    }

    /// A store that is held up in the action 0 until `open()`, and an output of it, which does not keep the store.
    final class Held {
        var store: ReduxStoreBase<Int, Int>?
        let log = Recorder<String>()
        let reduced = Recorder<Int>()
        private let outputs = Recorder<AnyActionHandler<Int>>()
        private let gate = DispatchSemaphore(value: 0)
        private let inside = Shared(false)

        init(_ engine: StoreEngine, _ capacity: StoreCapacity = .unbounded) async {
            let (reduced, outputs, gate, inside) = (reduced, outputs, gate, inside)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, _ in reduced.record(action) },
                middleware: Keeper(log)
                    <> Handle<Int, Int> { action, _, _ in
                        if action == 0 {
                            inside.value = true
                            gate.wait()
                        }
                        return action == 1 ? IO { outputs.record($0) } : .pure()
                    },
                engine: engine,
                capacity: capacity
            )
            store.dispatch(1)
            await store.drain()
            self.store = store
        }

        /// As a dispatch to the store, but without a reference to it.
        func dispatch(_ actions: ClosedRange<Int>) {
            for action in actions { outputs.all[0].dispatch(action) }
        }

        /// The same by another thread, which may have to wait.
        func dispatchElsewhere(_ action: Int, _ returned: Shared<Bool> = Shared(false)) {
            let output = outputs.all[0]
            onNewThread {
                output.dispatch(action)
                returned.value = true
            }
        }

        /// Returns when the pipeline is held up.
        func stick() async {
            dispatchElsewhere(0)
            #expect(await eventually { inside.value })
        }

        /// Lets the pipeline and the output go.
        func open() {
            outputs.clear()
            gate.signal()
        }
    }

    @Test(
        "6: whatever has become of a store that is released, its pipeline ends and nothing of it stays",
        arguments: engines,
        Condition.allCases
    )
    func g6_conditions(engine: StoreEngine, condition: Condition) async throws {
        let held = await Held(engine)
        weak let core = held.store?.core
        if let report = try await release(held, condition)?.value {
            #expect(!report.isComplete && report.pending == 4 && report.stuckHandler != nil)
        }
        held.open()
        #expect(await eventually { held.log.all == ["released"] })
        #expect(await eventually { core == nil })
        let finished =
            switch condition {
            case .idle, .closed, .shutDown: [1]
            // What waited at the deadline is dropped.
            case .abandoned, .duringShutdown, .afterIncompleteShutdown: [1, 0]
            case .stuck, .closedWhileStuck: [1, 0, 2, 3, 4]
            }
        #expect(held.reduced.all == finished)
    }

    /// Releases the store in this condition: its last reference is the one in here. Returns the shutdown under way.
    private func release(_ held: Held, _ condition: Condition) async throws -> Task<ShutdownReport, Never>? {
        let store = try #require(held.store)
        held.store = nil
        if ![.idle, .closed, .shutDown].contains(condition) {
            await held.stick()
            held.dispatch(2...4)
        }
        switch condition {
        case .idle, .stuck: break
        case .closed, .closedWhileStuck: store.close()
        case .shutDown:
            #expect(await store.shutdown(deadline: .seconds(60)).isComplete)
            #expect(held.log.all == ["released"], "a complete shutdown has released the middlewares")
            #expect(store.metrics.rejected == 1, "and what they dispatched then is counted")
        case .abandoned:
            #expect(await !store.shutdown(deadline: .zero).isComplete)
            held.open()
            let end = await store.shutdown(deadline: .seconds(60))
            #expect(end.isComplete && end.dropped == 3)
        case .duringShutdown:
            let shutdown = Task { await store.shutdown(deadline: .milliseconds(20)) }
            #expect(await eventually { store.isClosed })
            return shutdown
        case .afterIncompleteShutdown: #expect(await !store.shutdown(deadline: .zero).isComplete)
        }
        return nil
    }

    @Test(
        "6: a full store that is released finishes what it had let in, and frees those that wait",
        arguments: engines,
        OverflowPolicy.allCases
    )
    func g6_full(engine: StoreEngine, overflow: OverflowPolicy) async throws {
        let held = await Held(engine, .bounded(8, overflow: overflow))
        var core = held.store?.core
        weak let remains = core
        await held.stick()
        // Seven fit beside the one that is held; where the oldest go, fifteen.
        held.dispatch(2...(overflow == .block ? 8 : 30))
        if overflow == .block {
            let isFreed = Shared(false)
            held.dispatchElsewhere(9, isFreed)
            #expect(await eventually { held.store?.waiters == 1 })
            held.store = nil
            #expect(await eventually { isFreed.value })
        } else {
            held.store = nil
        }
        held.open()
        #expect(await eventually { held.log.all == ["released"] })
        // It says so first, and then dispatches.
        await core?.consumer.completion.wait()
        let reduced = held.reduced.all
        let counters = try #require(core).metrics
        // What the middleware dispatches when it goes is refused, too.
        switch overflow {
        case .block:
            #expect(reduced == [1, 0] + Array(2...8))
            expectBalance(counters, offered: 11, reduced: 9, rejected: 2)
        case .dropNewest:
            #expect(reduced == [1, 0] + Array(2...8))
            expectBalance(counters, offered: 32, reduced: 9, dropped: 22, rejected: 1)
        case .dropOldest:
            // A batch was under way; then the newest of those that are in.
            #expect(reduced == [1, 0] + Array(9...16) || reduced == [1, 0, 2] + Array(9...16))
            let count = UInt64(reduced.count)
            expectBalance(counters, offered: 32, reduced: count, dropped: 31 - count, rejected: 1)
        }
        core = nil
        #expect(await eventually { remains == nil })
    }
}
