// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import TestSupport
import Testing

/// Guarantee 5, second half: the end of a store in good order.
@Suite("Shutdown", .serialized, .timeLimit(.minutes(5)))
struct ShutdownTests {
    enum Step: Sendable, Equatable {
        case work
        case chain
        case stick(String)
    }

    /// A store that sticks in `.stick` until `open()`, and dispatches a new `.chain` for each.
    private func makeStore(
        _ engine: StoreEngine,
        _ gate: DispatchSemaphore,
        capacity: StoreCapacity = .unbounded,
        entered: Shared<Bool> = Shared(false)
    ) -> ReduxStoreBase<Step, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: counting(Step.self),
            middleware: IdentityMiddleware<Step, Step, Int>().named("first")
                <> Handle<Step, Int> { action, _, _ in
                    switch action {
                    case .work: return .pure()
                    case .chain: return IO { $0.dispatch(.chain) }
                    case .stick:
                        entered.value = true
                        gate.wait()
                        return .pure()
                    }
                }
                .named("sticky"),
            engine: engine,
            publication: .onDemand,
            capacity: capacity
        )
    }

    @Test("5: shutdown finishes what is pending, closes the intake, and reports", arguments: engines)
    func g5_finishes(engine: StoreEngine) async {
        let store = makeStore(engine, DispatchSemaphore(value: 0))
        store.dispatch(contentsOf: Array(repeating: .work, count: 10_000))
        let report = await store.shutdown(deadline: .seconds(60))
        #expect(report.isComplete)
        #expect(report.dropped == 0 && report.rejected == 0 && report.pending == 0)
        #expect(report.stuckHandler == nil)
        #expect(report.metrics.reduced == 10_000)
        #expect(report.reduced <= 10_000)
        store.dispatch(.work)
        #expect(store.offer(.work) == .closed)
        #expect(store.metrics.rejected == 2)
        #expect(store.metrics.reduced == 10_000)
        #expect(store.state == 10_000, "what was published last can still be read")
    }

    @Test("5: a second shutdown is harmless, also at the same time; so is closing", arguments: engines)
    func g5_twice(engine: StoreEngine) async {
        let store = makeStore(engine, DispatchSemaphore(value: 0))
        store.dispatch(contentsOf: Array(repeating: .work, count: 1_000))
        async let first = store.shutdown(deadline: .seconds(60))
        async let second = store.shutdown(deadline: .seconds(60))
        store.close()
        let (one, two) = await (first, second)
        #expect(one.isComplete && two.isComplete)
        let third = await store.shutdown(deadline: .zero)
        #expect(third.isComplete && third.reduced == 0 && third.metrics.reduced == 1_000)
        await store.drain()
    }

    @Test("5: the pipeline's own dispatches are taken until the deadline, and not after it", arguments: engines)
    func g5_deadline(engine: StoreEngine) async {
        let store = makeStore(engine, DispatchSemaphore(value: 0))
        // Elsewhere: with `.caller` this chain ends with the deadline only.
        onNewThread { store.dispatch(.chain) }
        #expect(await eventually { store.metrics.reduced > 0 })
        let report = await store.shutdown(deadline: .milliseconds(100))
        #expect(report.isCompleteButForReaders, "\(report)")
        #expect(report.elapsed >= .milliseconds(100))
        // The one link of the chain was in the queue, or about to be.
        #expect(report.dropped + report.rejected == 1, "\(report)")
        let counters = report.metrics
        #expect(counters.offered == counters.reduced + counters.dropped + counters.rejected && counters.pending == 0)
    }

    @Test("5: a stuck handler is named, with the kind of its action, and holds nobody up", arguments: engines)
    func g5_stuck(engine: StoreEngine) async throws {
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = makeStore(engine, gate, entered: entered)
        onNewThread { store.dispatch(.stick("a payload")) }
        #expect(await eventually { entered.value })
        store.dispatch(contentsOf: [.work, .work, .work])
        let reported = Shared<ShutdownReport?>(nil)
        Task { reported.value = await store.shutdown(deadline: .milliseconds(50)) }
        #expect(await eventually { reported.value != nil })
        let report = try #require(reported.value)
        #expect(!report.isComplete)
        #expect(report.pending == 4)
        let stuck = try #require(report.stuckHandler)
        #expect(stuck.stage == .handling)
        #expect(stuck.middleware == "sticky")
        #expect(stuck.actionKind == "stick")
        #expect(stuck.actionNumber == 1)
        #expect(stuck.source.file.hasSuffix("ShutdownTests.swift"))
        #expect("\(report)".contains("middleware \"sticky\", handling action 'stick' (number 1)"))
        // When it returns, what is left is dropped, and the pipeline ends.
        gate.signal()
        let end = await store.shutdown(deadline: .seconds(60))
        #expect(end.isComplete && end.stuckHandler == nil)
        #expect(end.dropped == 3)
        expectBalance(end.metrics, offered: 4, reduced: 1, dropped: 3)
    }

    @Test("5: a report is exact also when a handler sticks in the middle of a batch", arguments: engines)
    func g5_stuckInTheMiddle(engine: StoreEngine) async throws {
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = makeStore(engine, gate, entered: entered)
        store.dispatch(.work)
        await store.drain()
        onNewThread {
            store.dispatch(contentsOf: Array(repeating: .work, count: 100) + [.stick("")] + [.work, .work])
        }
        #expect(await eventually { entered.value })
        let report = await store.shutdown(deadline: .milliseconds(20))
        #expect(report.metrics.reduced == 101)
        #expect(report.pending == 3)
        // The metrics of the store tell the same.
        #expect(store.metrics.reduced == 101 && store.metrics.pending == 3)
        #expect(report.stuckHandler?.actionNumber == 102)
        #expect(report.stuckHandler?.actionKind == "stick")
        gate.signal()
        let end = await store.shutdown(deadline: .seconds(60))
        expectBalance(end.metrics, offered: 104, reduced: 102, dropped: 2)
    }

    @Test("5: producers that wait are freed, threads and tasks, and their actions rejected", arguments: engines)
    func g5_freesProducers(engine: StoreEngine) async {
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = makeStore(engine, gate, capacity: .bounded(2), entered: entered)
        onNewThread { store.dispatch(.stick("")) }
        #expect(await eventually { entered.value })
        store.dispatch(.work)
        let freed = Shared(0)
        for _ in 0..<3 {
            onNewThread {
                store.dispatch(.work)
                freed.update { $0 += 1 }
            }
        }
        let senders = (0..<3).map { _ in Task { try await store.send(.work) } }
        #expect(await eventually { store.waiters == 6 })
        let report = await store.shutdown(deadline: .milliseconds(50))
        #expect(await eventually { freed.value == 3 })
        for sender in senders { await #expect(throws: SendError.closed) { try await sender.value } }
        #expect(report.stuckHandler != nil)
        gate.signal()
        let end = await store.shutdown(deadline: .seconds(60))
        #expect(end.metrics.rejected == 6)
        expectBalance(end.metrics, offered: 8, reduced: 1, dropped: 1, rejected: 6)
    }

    @Test("5: called from inside a handler, it ends the store", arguments: engines)
    func g5_fromInside(engine: StoreEngine) async {
        let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let reports = Recorder<ShutdownReport>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                guard action == 1, let store = holder.value else { return .pure() }
                store.close()
                Task { reports.record(await store.shutdown(deadline: .seconds(60))) }
                return IO { output in output.dispatch(2) }
            },
            engine: engine,
            publication: .onDemand
        )
        holder.value = store
        store.dispatch(1)
        #expect(await eventually { reports.count == 1 })
        holder.value = nil
        #expect(reports.all[0].isComplete)
        // What the handler dispatched after it closed the store was still taken.
        expectBalance(store.metrics, offered: 2, reduced: 2)
    }

    @Test("5: a handler that blocks until the shutdown returns is found to be stuck", arguments: engines)
    func g5_blockedOnItself(engine: StoreEngine) async {
        let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let reports = Recorder<ShutdownReport>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in
                IO { _ in
                    guard let store = holder.value else { return }
                    let done = DispatchSemaphore(value: 0)
                    Task {
                        reports.record(await store.shutdown(deadline: .milliseconds(50)))
                        done.signal()
                    }
                    done.wait()
                }
            },
            engine: engine,
            publication: .onDemand
        )
        holder.value = store
        onNewThread { store.dispatch(1) }
        #expect(await eventually { reports.count == 1 })
        holder.value = nil
        #expect(reports.all[0].stuckHandler?.stage == .effects)
        #expect(reports.all[0].stuckHandler?.actionKind == "Int")
        #expect(await store.shutdown(deadline: .seconds(60)).isComplete)
    }

    @Test("5: shut down while eight threads dispatch: each action is reduced or listed", arguments: engines)
    func g5_race(engine: StoreEngine) async {
        for round in 0..<20 {
            let store = makeStore(
                engine,
                DispatchSemaphore(value: 0),
                capacity: round % 2 == 0 ? .unbounded : .bounded(16, overflow: OverflowPolicy.allCases[round % 3])
            )
            let reports = Recorder<ShutdownReport>()
            async let end: Void = {
                try? await Task.sleep(for: .microseconds(Int.random(in: 0...3_000)))
                reports.record(await store.shutdown(deadline: round % 4 == 0 ? .zero : .seconds(60)))
            }()
            await elsewhere {
                onThreads(8) { _ in for _ in 0..<200 { store.dispatch(.work) } }
            }
            await end
            #expect(await eventually { store.metrics.pending == 0 })
            let counters = store.metrics
            #expect(reports.all[0].isCompleteButForReaders)
            #expect(counters.offered == 1_600)
            #expect(counters.reduced + counters.dropped + counters.rejected == 1_600)
        }
    }

    @Test("5: a main queue that nobody runs: the report says what could not be taken")
    func g5_nobodyRuns() async {
        let queue = DispatchQueue(label: "suspended")
        queue.suspend()
        let store = makeStore(.queue(queue), DispatchSemaphore(value: 0))
        store.dispatch(.work)
        let report = await store.shutdown(deadline: .milliseconds(20))
        #expect(!report.isComplete && report.pending == 1 && report.stuckHandler == nil)
        queue.resume()
        let end = await store.shutdown(deadline: .seconds(60))
        #expect(end.isComplete && end.dropped == 1)
    }
}
