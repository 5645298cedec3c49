// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

@Suite("Sharded store", .serialized, .timeLimit(.minutes(5)))
struct ShardedStoreTests {
    struct Event: Sendable, Equatable {
        var key: Int
        var number: Int
        /// Keys that this event is passed on to.
        var next: [Int] = []
    }
    typealias Log = [Int: [Int]]

    private func makeStore(
        _ shards: Int,
        engine: @escaping (Int) -> StoreEngine = { .thread(name: "shard-\($0)") },
        capacity: StoreCapacity = .unbounded
    ) -> ShardedStore<Event, Log, Int> {
        ShardedStore(
            shards: shards,
            by: \.key,
            initialState: { _ in [:] },
            reducer: .reduce { event, log in log[event.key, default: []].append(event.number) },
            middleware: { _ in
                Handle<Event, Log> { event, _, _ in
                    guard let first = event.next.first else { return .pure() }
                    return IO {
                        $0.dispatch(Event(key: first, number: event.number, next: Array(event.next.dropFirst())))
                    }
                }
            },
            engine: engine,
            publication: .onDemand,
            capacity: capacity
        )
    }

    private func merged(_ store: ShardedStore<Event, Log, Int>) -> Log {
        store.states.reduce(into: [:]) { $0.merge($1) { left, right in left + right } }
    }

    @Test("each key's actions keep their order, and no key is in two shards", arguments: engines)
    func order(engine: StoreEngine) async {
        let (threads, keys, each) = (4, 50, 2_000)
        // A queue or a name given twice: shards may share them.
        let store = makeStore(3, engine: { _ in engine })
        await elsewhere {
            onThreads(threads) { thread in
                for number in 0..<each {
                    let event = Event(key: (number * 7 + thread) % keys, number: thread * each + number)
                    if number % 2 == 0 { store.dispatch(event) } else { store.dispatch(contentsOf: [event]) }
                }
            }
        }
        await store.drain()
        let found = store.states.flatMap(\.keys)
        #expect(found.count == Set(found).count, "a key was handled by two shards")
        let log = merged(store)
        #expect(log.values.reduce(0) { $0 + $1.count } == threads * each)
        for (key, numbers) in log {
            for thread in 0..<threads {
                let own = numbers.filter { $0 / each == thread }
                #expect(own == own.sorted())
                #expect(own == (0..<each).filter { ($0 * 7 + thread) % keys == key }.map { thread * each + $0 })
            }
            #expect(store.state(for: key)[key] == numbers)
        }
        #expect(store.metrics.reduced == UInt64(threads * each))
        #expect(store.metrics.offered == UInt64(threads * each))
    }

    @Test("dispatch(contentsOf:) sorts by shard and keeps each key's order", arguments: [1, 2, 5])
    func runs(shards: Int) async {
        let store = makeStore(shards)
        let events = (0..<5_000).map { Event(key: $0 * 31 % 97, number: $0) }
        store.dispatch(contentsOf: events)
        await store.drain()
        #expect(merged(store) == Dictionary(grouping: events, by: \.key).mapValues { $0.map(\.number) })
    }

    @Test("keys of any type that is Hashable: each key is handled in one shard, and found there")
    func hashableKeys() async {
        let store = ShardedStore(
            shards: 3,
            by: { (name: String) in name },
            initialState: { _ in [String: Int]() },
            reducer: Reducer<String, [String: Int]>.reduce { name, counts in counts[name, default: 0] += 1 },
            middleware: { _ in IdentityMiddleware<String, String, [String: Int]>() }
        )
        let names = (0..<60).map { "name \($0)" }
        for _ in 0..<2 { for name in names { store.dispatch(name) } }
        await store.drain()
        for name in names { #expect(store.state(for: name)[name] == 2) }
        #expect(store.states.map(\.count).reduce(0, +) == 60, "no name is in two shards")
        #expect(store.states.allSatisfy { !$0.isEmpty })
    }

    @Test("what a middleware dispatches goes to the shard of its key", arguments: engines)
    func routesOutputs(engine: StoreEngine) async {
        let store = makeStore(4, engine: { _ in engine })
        for number in 0..<200 { store.dispatch(Event(key: number, number: number, next: [number + 1_000, number])) }
        #expect(await eventually { store.metrics.reduced == 600 })
        await store.drain()
        for number in 0..<200 {
            #expect(store.state(for: number)[number] == [number, number])
            #expect(store.state(for: number + 1_000)[number + 1_000] == [number])
        }
    }

    @Test("full shards that dispatch to each other do not wait for each other", arguments: engines)
    func noDeadlock(engine: StoreEngine) async {
        let store = makeStore(2, engine: { _ in engine }, capacity: .bounded(2, overflow: .block))
        await elsewhere {
            onThreads(4) { thread in
                for number in 0..<500 {
                    store.dispatch(Event(key: number, number: number, next: Array(0..<10)))
                }
            }
        }
        #expect(await eventually { store.metrics.reduced == 4 * 500 * 11 })
        let counters = store.metrics
        #expect(counters.offered == counters.reduced && counters.rejected == 0 && counters.dropped == 0)
    }

    /// A key for each of two shards.
    private let keys = [0, 1].map { shard in (0...).first { ShardKey.index(of: $0, among: 2) == shard } ?? 0 }

    /// Two shards, of which the second is held up in an event of number -1 until the gate lets it go, and dispatches
    /// to the first what an event is to be passed on to, all at once.
    private func makeHeldStore(
        _ engine: StoreEngine,
        _ overflow: OverflowPolicy,
        _ gate: DispatchSemaphore
    ) async -> ShardedStore<Event, Log, Int> {
        let inside = Shared(false)
        let store = ShardedStore(
            shards: 2,
            by: \.key,
            initialState: { _ in [:] },
            reducer: Reducer<Event, Log>.reduce { event, log in log[event.key, default: []].append(event.number) },
            middleware: { _ in
                Handle<Event, Log> { event, _, _ in
                    if event.number == -1 {
                        inside.value = true
                        gate.wait()
                    }
                    return IO { output in
                        for (number, key) in event.next.enumerated() {
                            output.dispatch(Event(key: key, number: number))
                        }
                    }
                }
            },
            engine: { _ in engine },
            // A read on demand would wait for the shard that is held.
            publication: .batch,
            capacity: .bounded(2, overflow: overflow)
        )
        let held = Event(key: keys[1], number: -1)
        onNewThread { store.dispatch(held) }
        #expect(await eventually { inside.value })
        return store
    }

    // Engines that go on with one shard while the other is held.
    @Test(
        "what one shard dispatches to a full one is never blocked, rejected or dropped",
        arguments: [StoreEngine.thread(), .caller],
        OverflowPolicy.allCases
    )
    func shardToFullShard(engine: StoreEngine, overflow: OverflowPolicy) async {
        let gate = DispatchSemaphore(value: 0)
        let store = await makeHeldStore(engine, overflow, gate)
        store.dispatch(Event(key: keys[0], number: 7, next: Array(repeating: keys[1], count: 100)))
        #expect(await eventually { store.shards[1].metrics.pending == 101 })
        #expect(await eventually { store.shards[0].metrics.reduced == 1 })
        gate.signal()
        await store.drain()
        #expect(store.states == [[keys[0]: [7]], [keys[1]: [-1] + Array(0..<100)]])
        expectBalance(store.metrics, offered: 102, reduced: 102)
    }

    @Test("control actions, offers and sends go to the shard of their key, whose bound counts for them alone")
    func bounds() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = await makeHeldStore(.thread(), .dropNewest, gate)
        let (free, full) = (keys[0], keys[1])
        #expect(store.offer(Event(key: full, number: 1)) == .accepted)
        #expect(store.offer(Event(key: full, number: 2)) == .full)
        store.dispatch(Event(key: full, number: 3))
        store.dispatch(control: Event(key: full, number: 4))
        let sender = Task { try await store.send(Event(key: full, number: 5)) }
        #expect(await eventually { store.shards[1].waiters == 1 })
        #expect(store.offer(Event(key: free, number: 1)) == .accepted)
        try await store.send(Event(key: free, number: 2))
        await store.shards[0].drain()
        store.dispatch(control: Event(key: free, number: 3))
        await store.shards[0].drain()
        #expect(store.mapStates { $0[free] ?? [] } == [[1, 2, 3], []])
        gate.signal()
        try await sender.value
        await store.drain()
        #expect(store.mapStates { $0[full] ?? [] } == [[], [-1, 1, 4, 5]])
        #expect(store.states == [[free: [1, 2, 3]], [full: [-1, 1, 4, 5]]])
        expectBalance(store.metrics, offered: 9, reduced: 7, dropped: 1, rejected: 1)
    }

    @Test("shutdown finishes what shards dispatch to each other, and reports for each", arguments: engines)
    func shutdown(engine: StoreEngine) async {
        let store = makeStore(3, engine: { _ in engine })
        for number in 0..<100 { store.dispatch(Event(key: number, number: number, next: Array(0..<20))) }
        let reports = await store.shutdown(deadline: .seconds(60))
        #expect(reports.count == 3)
        #expect(reports.count { !$0.isCompleteButForReaders } == 0, "\(reports)")
        #expect(store.metrics.reduced == 2_100)
        store.dispatch(Event(key: 1, number: 1))
        #expect(store.offer(Event(key: 2, number: 1)) == .closed)
        await #expect(throws: SendError.closed) { try await store.send(Event(key: 3, number: 1)) }
        store.dispatch(contentsOf: [Event(key: 4, number: 1)])
        #expect(store.metrics.rejected == 4)
        #expect(store.metrics.offered == 2_104)
    }

    @Test("a chain between shards that never ends is ended by the deadline")
    func deadline() async {
        let store = ShardedStore(
            shards: 2,
            by: { (number: Int) in number },
            initialState: { _ in 0 },
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: { _ in Handle<Int, Int> { number, _, _ in IO { $0.dispatch(number &+ 1) } } },
            publication: .onDemand
        )
        store.dispatch(1)
        let reports = await store.shutdown(deadline: .milliseconds(100))
        #expect(reports.count { !$0.isCompleteButForReaders } == 0, "\(reports)")
        let counters = store.metrics
        #expect(counters.pending == 0)
        #expect(counters.offered == counters.reduced + counters.dropped + counters.rejected)
    }

    @Test("released, the shards finish what they still dispatch to each other, and go")
    func release() async throws {
        let reduced = Shared(0)
        weak var core: StoreCore<Int, Int>?
        do {
            let store = ShardedStore(
                shards: 3,
                by: { (number: Int) in number },
                initialState: { _ in 0 },
                reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
                middleware: { _ in Handle<Int, Int> { n, _, _ in n > 0 ? IO { $0.dispatch(n - 1) } : .pure() } }
            )
            core = store.shards[0].core
            store.dispatch(999)
        }
        #expect(await eventually { reduced.value == 1_000 })
        #expect(await eventually { core == nil })
    }

    @Test("released or shut down while effects go on dispatching, the shards end", arguments: [true, false])
    func endsUnderLoad(isShutDown: Bool) async throws {
        weak var core: StoreCore<Int, Int>?
        let stops = Shared(false)
        do {
            let store = ShardedStore(
                shards: 2,
                by: { (number: Int) in number },
                initialState: { _ in 0 },
                reducer: counting(Int.self),
                middleware: { _ in
                    Handle<Int, Int> { action, _, _ in
                        guard action == -1 else { return .pure() }
                        return IO { output in
                            onNewThread {
                                var number = 0
                                while !stops.value {
                                    output.dispatch(number)
                                    number += 1
                                }
                            }
                        }
                    }
                }
            )
            core = store.shards[0].core
            for _ in 0..<2 { store.dispatch(-1) }
            #expect(await eventually { store.metrics.reduced > 1_000 })
            if isShutDown {
                let reports = await store.shutdown(deadline: .seconds(60))
                #expect(reports.allSatisfy { $0.isComplete })
            }
        }
        let consumer = core?.consumer
        #expect(isShutDown || core != nil)
        if let consumer { #expect(await eventually { consumer.isFinished }) }
        stops.value = true
        #expect(await eventually { core == nil })
    }

    @Test("keys spread over the shards: whole numbers, texts, and one shard")
    func spread() {
        for count in [1, 2, 3, 8, 64] {
            var integers = Array(repeating: 0, count: count)
            var texts = integers
            for key in 0..<count * 1_000 {
                integers[ShardKey.index(of: key, among: count)] += 1
                texts[ShardKey.index(of: "key \(key)", among: count)] += 1
            }
            #expect(integers.min()! > 700 && integers.max()! < 1_300, "\(integers)")
            #expect(texts.min()! > 700 && texts.max()! < 1_300, "\(texts)")
        }
    }

    @Test("a number of shards that cannot be is replaced by the nearest that can")
    func counts() {
        #expect(
            [Int.min, 0, 1, 7, 65_536, 65_537, .max].map { ShardKey.count($0) } == [1, 1, 1, 7, 65_536, 65_536, 65_536]
        )
    }

    @Test("a shard that dispatches to another one by the store does not wait for its room")
    func waitsForNoOtherShard() async {
        let (holder, isDone) = (Shared<ShardedStore<Event, Log, Int>?>(nil), Shared(false))
        let (gate, keys) = (DispatchSemaphore(value: 0), keys)
        let store = ShardedStore(
            shards: 2,
            by: \.key,
            initialState: { _ in [:] },
            reducer: Reducer<Event, Log>.reduce { event, log in log[event.key, default: []].append(event.number) },
            middleware: { _ in
                Handle<Event, Log> { event, _, _ in
                    if event.number == 1 { gate.wait() }
                    guard event.number == 2 else { return .pure() }
                    for number in 10..<20 { holder.value?.dispatch(Event(key: keys[1], number: number)) }
                    isDone.value = true
                    return .pure()
                }
            },
            capacity: .bounded(2)
        )
        holder.value = store
        store.dispatch(Event(key: keys[1], number: 1))
        store.dispatch(Event(key: keys[0], number: 2))
        // The other shard stands still, and is full.
        #expect(await eventually { isDone.value })
        gate.signal()
        #expect(await eventually { store.metrics.reduced == 12 })
        await store.drain()
        #expect(store.state(for: keys[1])[keys[1]] == [1] + Array(10..<20))
        holder.value = nil
    }
}
