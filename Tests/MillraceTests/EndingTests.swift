// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// Ends at awkward moments: each of these once hung, lost an action, or told a wrong figure.
@Suite("Awkward ends", .serialized, .timeLimit(.minutes(5)))
struct EndingTests {
    @Test("a dispatch on the main queue returns though the store is abandoned meanwhile")
    func mainAbandoned() async {
        let (inside, gate) = (Shared(false), DispatchSemaphore(value: 0))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                inside.value = true
                gate.wait()
                count += 1
            },
            engine: .main
        )
        let returned = Shared(false)
        DispatchQueue.main.async {
            store.dispatch(contentsOf: [1, 2, 3])
            returned.value = true
        }
        #expect(await eventually { inside.value })
        let report = await store.shutdown(deadline: .milliseconds(10))
        #expect(!report.isComplete && report.stuckHandler != nil)
        for _ in 0..<3 { gate.signal() }
        #expect(await eventually { returned.value })
        let end = await store.shutdown(deadline: .seconds(60))
        #expect(end.isComplete)
        expectBalance(end.metrics, offered: 3, reduced: end.metrics.reduced, dropped: 3 - end.metrics.reduced)
    }

    // In a process of its own: it takes away the threads that tests run on.
    @Test("deadlines hold though every thread of the shared queues is busy")
    func busyQueues() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<300 { DispatchQueue.global().async { sleep(600) } }
            Task.detached(priority: .high) {
                for engine in [StoreEngine.thread(), .caller] {
                    let inside = Shared(false)
                    let store = ReduxStoreBase(
                        initialState: 0,
                        reducer: Reducer<Int, Int>.reduce { _, _ in
                            inside.value = true
                            sleep(600)
                        },
                        engine: engine
                    )
                    onNewThread { store.dispatch(1) }
                    // Not `eventually`: sleeping tasks are woken by threads that are busy.
                    while !inside.value { usleep(1_000) }
                    async let shutdown = store.shutdown(deadline: .milliseconds(50))
                    while !store.isClosed { usleep(1_000) }
                    let report = await shutdown
                    guard !report.isComplete, report.pending == 1, report.stuckHandler != nil else { exit(3) }
                }
                // Not `exit`: what the threads that never end hold would be told as leaks.
                _exit(0)
            }
            onThreads(1) { _ in sleep(60) }
            exit(4)
        }
    }

    @Test("a report counts all that was dropped, also when a subscriber goes at the last publication")
    func droppedAll() async {
        let (subscription, inside, gate) = (Shared<StateSubscription?>(nil), Shared(false), DispatchSemaphore(value: 0))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, count in
                count += 1
                if action == 1 {
                    inside.value = true
                    gate.wait()
                }
            },
            publication: .atMost(every: .seconds(1_000))
        )
        // A message into the queue, while everything in it is dropped.
        subscription.value = store.subscribe { _ in if store.isClosed { subscription.value?.unsubscribe() } }
        await store.drain()
        store.dispatch(0)
        await store.drain()
        store.dispatch(contentsOf: 1...500)
        #expect(await eventually { inside.value })
        _ = await store.shutdown(deadline: .zero)
        gate.signal()
        let report = await store.shutdown(deadline: .seconds(60))
        #expect(report.isComplete)
        #expect(report.dropped == 499)
        expectBalance(report.metrics, offered: 501, reduced: 2, dropped: 499)
    }

    // Not on the main queue: other tests wait for that one, and block the threads on which this one would go on.
    @Test("a stuck subscriber is told apart from a stuck handler", arguments: engines.filter { $0 != .main })
    func stuckSubscriber(engine: StoreEngine) async throws {
        let (inside, gate) = (Shared(false), DispatchSemaphore(value: 0))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: engine,
            publication: .batch
        )
        let subscription = store.subscribe { count in
            guard count > 0 else { return }
            inside.value = true
            gate.wait()
        }
        onNewThread { store.dispatch(1) }
        #expect(await eventually { inside.value })
        let report = await store.shutdown(deadline: .milliseconds(20))
        #expect(!report.isComplete)
        let stuck = try #require(report.stuckHandler)
        #expect(stuck.stage == .notifying && stuck.actionKind == "subscribers")
        #expect("\(report)".contains("notifying subscribers"))
        subscription.unsubscribe()
        for _ in 0..<3 { gate.signal() }
        let end = await store.shutdown(deadline: .seconds(60))
        #expect(end.isComplete && end.stuckHandler == nil)
        expectBalance(end.metrics, offered: 1, reduced: 1)
    }

    @Test("control actions that make room do not outlast a deadline", arguments: engines)
    func controlsAndDeadline(engine: StoreEngine) async {
        guard engine != .caller else { return }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                usleep(5_000)
                count += 1
            },
            engine: engine,
            capacity: .bounded(10, overflow: .dropOldest)
        )
        await elsewhere { for action in 0..<1_000 { store.dispatch(control: action) } }
        let report = await store.shutdown(deadline: .milliseconds(50))
        #expect(report.isCompleteButForReaders, "\(report)")
        #expect(report.metrics.reduced < 1_000)
        expectBalance(
            report.metrics,
            offered: 1_000,
            reduced: report.metrics.reduced,
            dropped: 1_000 - report.metrics.reduced
        )
    }

    @Test("5: a drain after the end of intake waits for what is pending; so does a read on demand", arguments: engines)
    func drainAfterClose(engine: StoreEngine) async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                usleep(1_000)
                count += 1
            },
            engine: engine,
            publication: .onDemand
        )
        await elsewhere {
            store.dispatch(contentsOf: 0..<100)
            store.close()
            #expect(store.state == 100)
        }
        await store.drain()
        expectBalance(store.metrics, offered: 100, reduced: 100)
    }

    @Test("a read on demand on the store's own queue does not wait for a turn of that queue")
    func readOnOwnQueue() async {
        let queue = DispatchQueue(label: "own")
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .queue(queue),
            publication: .onDemand
        )
        store.dispatch(1)
        #expect(store.state == 1)
        let seen: Int = await withCheckedContinuation { task in
            queue.async {
                store.dispatch(2)
                task.resume(returning: store.state)
            }
        }
        #expect(seen == 1, "the state as it was published last")
        #expect(store.state == 2)
    }

    @Test("a turn of the main queue inside a handler handles nothing twice")
    func nestedTurn() async {
        let (log, holder) = (Recorder<Int>(), Shared<ReduxStoreBase<Int, Int>?>(nil))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                log.record(action)
                // What a nested run loop does, when another thread has submitted a turn.
                if action == 1, log.count < 5, let core = holder.value?.core,
                    core.consumer.baton.tryTake()
                {
                    (core.host as? QueueEngine)?.runTurn()
                }
                return .pure()
            },
            engine: .main
        )
        holder.value = store
        await withCheckedContinuation { task in
            DispatchQueue.main.async {
                store.dispatch(1)
                task.resume()
            }
        }
        store.dispatch(2)
        #expect(await eventually { log.count == 2 })
        await store.drain()
        #expect(log.all == [1, 2])
        expectBalance(store.metrics, offered: 2, reduced: 2)
        holder.value = nil
    }

    @Test("a shard that settles keeps its bound, and the reports tell of the whole shutdown")
    func shardsKeepTheirBound() async throws {
        let isOver = Shared(false)
        let store = ShardedStore(
            shards: 2,
            by: { (action: Int) in action },
            initialState: { _ in 0 },
            reducer: Reducer<Int, Int>.reduce { _, count in
                usleep(500)
                count += 1
            },
            // An effect that never ends, beside a chain that keeps the shards from settling.
            middleware: { _ in
                Handle<Int, Int> { action, _, _ in
                    if action == -2 { return IO { $0.dispatch(-2) } }
                    guard action == -1 else { return .pure() }
                    return IO { output in
                        onNewThread {
                            for number in 0... {
                                if isOver.value { return }
                                output.dispatch(number)
                            }
                        }
                    }
                }
            },
            capacity: .bounded(50)
        )
        store.dispatch(-2)
        store.dispatch(-1)
        #expect(await eventually { store.metrics.depth >= 50 })
        let reports = await store.shutdown(deadline: .milliseconds(500))
        isOver.value = true
        #expect(store.metrics.highWaterMark < 2 * 60)
        for report in reports {
            #expect(report.elapsed >= .milliseconds(500))
            #expect(report.isCompleteButForReaders && report.metrics.pending == 0)
        }
        #expect(reports.reduce(0) { $0 + $1.reduced } > 100)
        #expect(reports.reduce(0) { $0 + $1.dropped } < 2 * 60)
    }

    @Test(
        "a handler that goes on after the deadline of a shutdown can dispatch nothing more",
        arguments: [ActionOrder.fifo, .internalFirst]
    )
    func handlerAfterTheDeadline(order: ActionOrder) async {
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let (holder, answer) = (Shared<ReduxStoreBase<Int, Int>?>(nil), Shared<OfferResult?>(nil))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in
                entered.value = true
                gate.wait()
                answer.value = holder.value?.offer(2)
                return .pure()
            },
            order: order
        )
        holder.value = store
        store.dispatch(1)
        #expect(await eventually { entered.value })
        let report = await store.shutdown(deadline: .milliseconds(10))
        #expect(!report.isComplete)
        gate.signal()
        #expect(await eventually { answer.value != nil })
        #expect(answer.value == .closed)
        holder.value = nil
        _ = await store.shutdown()
    }

    @Test("a drain of a store that has ended returns")
    func drainAfterTheEnd() async {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self))
        let isDrained = Shared(false)
        Task {
            _ = await store.shutdown()
            await store.drain()
            isDrained.value = true
        }
        #expect(await eventually { isDrained.value })
    }
}
