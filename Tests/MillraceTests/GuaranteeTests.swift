// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Millrace
import Synchronization
import TestSupport
import Testing

/// The guarantees that `ReduxStoreBase.dispatch(_:)` lists, by their numbers, on every engine.
@Suite("Guarantees", .serialized, .timeLimit(.minutes(5)))
struct GuaranteeTests {
    final class Turn: Sendable {
        let next = Atomic<Int>(0)
    }

    struct Extent: Sendable {
        var low: UInt
        var high: UInt
    }

    struct Tagged: Sendable, Equatable {
        var producer: Int
        var number: Int
    }

    @Test("1: any thread may dispatch, and every action is reduced exactly once", arguments: enginesAndSpinning)
    func g1_anyThread(engine: StoreEngine) async {
        let (threads, each) = (8, isSanitized ? 4_000 : 20_000)
        let reducer = Reducer<Tagged, [[Int]]>.reduce { action, seen in seen[action.producer][action.number] += 1 }
        let store = ReduxStoreBase(
            initialState: Array(repeating: Array(repeating: 0, count: each), count: threads),
            reducer: reducer,
            engine: engine,
            publication: .onDemand
        )
        onThreads(threads) { producer in
            for number in 0..<each { store.dispatch(Tagged(producer: producer, number: number)) }
        }
        await store.drain()
        #expect(store.withState { $0.allSatisfy { $0.allSatisfy { $0 == 1 } } })
    }

    @Test(
        "2: FIFO per producer, one total order for middlewares, reducers, IOs and subscribers",
        arguments: enginesAndSpinning
    )
    func g2_order(engine: StoreEngine) async {
        let (threads, each) = (4, 2_000)
        let (handled, ran, told) = (Recorder<Tagged>(), Recorder<Tagged>(), Recorder<Tagged?>())
        let store = ReduxStoreBase(
            initialState: [Tagged](),
            reducer: .reduce { action, log in log.append(action) },
            middleware: Handle<Tagged, [Tagged]> { action, _, _ in
                handled.record(action)
                return IO { _ in ran.record(action) }
            },
            engine: engine,
            publication: .everyAction
        )
        store.subscribe { log in told.record(log.last) }
        onThreads(threads) { producer in
            for number in 0..<each { store.dispatch(Tagged(producer: producer, number: number)) }
        }
        await store.drain()
        let reduced = store.state
        #expect(reduced.count == threads * each)
        #expect(handled.all == reduced)
        #expect(ran.all == reduced)
        #expect(told.all == [nil] + reduced.map(Optional.some))
        for producer in 0..<threads {
            #expect(reduced.filter { $0.producer == producer }.map(\.number) == Array(0..<each))
        }
    }

    @Test("2: what one thread tells another to dispatch comes later", arguments: enginesAndSpinning)
    func g2_causalOrder(engine: StoreEngine) async {
        let rounds = 2_000
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            engine: engine,
            publication: .onDemand
        )
        // thread 0: dispatch 2k, then set turn to 2k+1      thread 1: wait for it, dispatch 2k+1, set turn to 2k+2
        let turn = Turn()
        onThreads(2) { thread in
            for round in 0..<rounds {
                let mine = 2 * round + thread
                while turn.next.load(ordering: .acquiring) != mine { sched_yield() }
                store.dispatch(mine)
                turn.next.store(mine + 1, ordering: .releasing)
            }
        }
        await store.drain()
        #expect(store.state == Array(0..<2 * rounds))
    }

    @Test(
        "3: an action is finished before the next starts; nested dispatches go to the tail",
        arguments: enginesAndSpinning
    )
    func g3_oneAtATime(engine: StoreEngine) async {
        let journal = Recorder<String>()
        let isNested = Shared(false)
        let holder = Shared<ReduxStoreBase<String, [String]>?>(nil)
        let store = ReduxStoreBase(
            initialState: [String](),
            reducer: .reduce { action, log in
                journal.record("reduce \(action)")
                log.append(action)
            },
            middleware: Handle<String, [String]> { action, _, _ in
                journal.record("handle \(action)")
                if action == "a" { holder.value?.dispatch("from handle") }
                return IO { output in
                    journal.record("io \(action)")
                    if action == "a" { output.dispatch("from io") }
                    journal.record("io end \(action)")
                }
            },
            engine: engine,
            publication: .everyAction
        )
        holder.value = store
        store.subscribe { log in
            if log.last == "a", !isNested.value {
                isNested.value = true
                holder.value?.dispatch("from subscriber")
            }
        }
        await store.drain()
        store.dispatch(contentsOf: ["a", "b"])
        #expect(await eventually { store.metrics.reduced == 5 })
        holder.value = nil

        let order = store.state
        #expect(Array(order.prefix(2)) == ["a", "b"])
        #expect(order.dropFirst(2) == ["from handle", "from subscriber", "from io"])
        let expected = order.flatMap { ["handle \($0)", "reduce \($0)", "io \($0)", "io end \($0)"] }
        #expect(journal.all == expected)
    }

    @Test("3: a chain of a million dispatches does not grow the stack", arguments: enginesAndSpinning)
    func g3_longChain(engine: StoreEngine) async {
        let length = isSanitized ? 20_000 : 1_000_000
        // A queue may run its turns on several threads.
        let addresses = Shared<[pthread_t: Extent]>([:])
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, last in last = action },
            middleware: Handle<Int, Int> { action, _, _ in
                guard action < length else { return .pure() }
                return IO { output in
                    if action % 1000 == 0 {
                        withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { here in
                            let address = UInt(bitPattern: here.baseAddress!)
                            addresses.update {
                                let seen = $0[pthread_self()] ?? Extent(low: address, high: address)
                                $0[pthread_self()] = Extent(low: min(seen.low, address), high: max(seen.high, address))
                            }
                        }
                    }
                    output.dispatch(action + 1)
                }
            },
            engine: engine,
            publication: .onDemand
        )
        store.dispatch(1)
        #expect(await eventually(within: .seconds(240)) { store.metrics.reduced == UInt64(length) })
        #expect(store.state == length)
        for seen in addresses.value.values {
            #expect(seen.high - seen.low < 4096, "the stack moved by \(seen.high - seen.low) bytes")
        }
    }

    @Test(
        "4: the counters balance: offered = reduced + dropped + rejected + cancelled + pending",
        arguments: enginesAndSpinning
    )
    func g4_counters(engine: StoreEngine) async {
        let outputs = Recorder<AnyActionHandler<Int>>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                action == 0 ? IO { output in outputs.record(output) } : .pure()
            },
            engine: engine
        )
        store.dispatch(0)
        await store.drain()
        let output = outputs.all[0]
        onThreads(4) { _ in
            for _ in 0..<1_000 { store.dispatch(1) }
            store.dispatch(contentsOf: Array(repeating: 2, count: 1_000))
            for _ in 0..<1_000 { output.dispatch(3) }
        }
        store.subscribe { _ in }.unsubscribe()
        await store.drain()
        let counters = store.metrics
        #expect(counters.offered == 12_001)
        #expect(counters.reduced == 12_001)
        #expect(counters.pending == 0 && counters.rejected == 0 && counters.cancelled == 0 && counters.dropped == 0)
    }

    @Test("5: drain is a barrier: what happened before is finished and published", arguments: enginesAndSpinning)
    func g5_drain(engine: StoreEngine) async {
        for publication in [Publication.atMost(every: .seconds(3600)), .batch, .everyAction, .onDemand] {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(Int.self),
                engine: engine,
                publication: publication
            )
            for round in 1...50 {
                store.dispatch(contentsOf: 0..<100)
                await store.drain()
                #expect(store.state == round * 100)
                #expect(store.metrics.reduced == UInt64(round * 100))
            }
        }
    }

    /// The engines that sleep at once or soon.
    static let sleeping = engines.filter { $0 != .thread(wait: .spinThenPark(for: .milliseconds(2))) }

    @Test("7: an idle store costs nothing: no wake-up, no batch", arguments: sleeping)
    func g7_idle(engine: StoreEngine) async throws {
        // A name of its own, to find the thread by.
        let name = engine == .thread(wait: .park) ? "g7-park" : "g7-spin"
        let isThread = engine == .thread(wait: .park) || engine == .thread(name: "test")
        let wait = engine == .thread(wait: .park) ? WaitStrategy.park : .spinThenPark()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: isThread ? .thread(name: name, wait: wait) : engine
        )
        store.dispatch(1)
        await store.drain()
        // On a busy machine the thread may go to sleep late: one whole second without a wake-up is what counts.
        var switches = 0
        var isQuiet = false
        for _ in 0..<20 where !isQuiet {
            let before = store.metrics
            switches = isThread ? try #require(voluntarySwitches(ofThreadNamed: name)) : 0
            try await Task.sleep(for: .seconds(1))
            let isUnchanged = store.metrics == before
            isQuiet = isUnchanged && (!isThread || voluntarySwitches(ofThreadNamed: name) == switches)
        }
        #expect(isQuiet)
        // And it is only asleep:
        store.dispatch(1)
        await store.drain()
        #expect(store.state == 2)
        if isThread { #expect(await eventually { voluntarySwitches(ofThreadNamed: name) ?? 0 > switches }) }
    }

    @Test("7: memory returns after a burst", arguments: enginesAndSpinning)
    func g7_memory(engine: StoreEngine) async throws {
        let held = await CapacityTests.Held(engine, .unbounded)
        held.store.dispatch(contentsOf: 1..<500_000)
        #expect(held.store.metrics.queueSegments > 1)
        held.open()
        await held.store.drain()
        #expect(
            await eventually {
                // Nobody else tidies up after callers.
                if engine == .caller { held.store.dispatch(1) }
                return held.store.metrics.queueSegments <= (engine == .caller ? 5 : 1)
            }
        )
    }

    @Test("7: with .caller, the memory of a burst is there for another one that follows at once")
    func g7_memoryOfCallers() async {
        let isKept = await eventually(within: .seconds(20)) {
            let held = await CapacityTests.Held(.caller, .unbounded)
            held.store.dispatch(contentsOf: 1..<500_000)
            held.open()
            // Then its drain is over, at whose end the memory could have been given back.
            _ = await eventually { held.hasReturned }
            // On a busy machine that may take longer than the 50 ms after which memory is given back.
            return held.store.metrics.queueSegments > 5
        }
        #expect(isKept)
    }

    @Test(
        "7: with .caller, the memory of a burst returns though drains and slow actions follow it",
        arguments: [true, false]
    )
    func g7_memoryOfCallersLater(isSlow: Bool) async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, count in
                count += 1
                // Batches of one action, which are always full.
                if action < 0 { _ = usleep(3_000) }
            },
            middleware: Handle<Int, Int> { action, _, _ in
                action == 0 ? IO { output in for _ in 0..<500_000 { output.dispatch(1) } } : .pure()
            },
            engine: .caller
        )
        let isKept = await eventually(within: .seconds(20)) {
            store.dispatch(0)
            return store.metrics.queueSegments > 5
        }
        #expect(isKept)
        let isBack = await eventually(within: .seconds(20)) {
            store.dispatch(isSlow ? -1 : 1)
            if !isSlow { await store.drain() }
            return store.metrics.queueSegments <= 5
        }
        #expect(isBack)
    }

    @Test("7: memory returns after a burst though a few actions keep coming", arguments: enginesAndSpinning)
    func g7_memoryUnderTrickle(engine: StoreEngine) async {
        let holdUp = Shared(true)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                count += 1
                while count == 1, holdUp.value { sched_yield() }
            },
            engine: engine
        )
        onThreads(2) { thread in
            if thread == 0 {
                store.dispatch(0)
            } else {
                while store.metrics.offered == 0 { sched_yield() }
                store.dispatch(contentsOf: 0..<500_000)
                holdUp.value = false
            }
        }
        await store.drain()
        #expect(store.state == 500_001)
        #expect(
            await eventually {
                store.dispatch(1)
                return store.metrics.queueSegments <= 5
            }
        )
    }
}
