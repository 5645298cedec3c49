// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

@Suite("State", .serialized, .timeLimit(.minutes(5)))
struct StateTests {
    struct Pair: Sendable, Equatable {
        var left = 0
        var right = 0
    }

    static let both = Reducer<Int, Pair>.reduce { action, pair in
        pair.left += action
        pair.right -= action
    }

    @Test("state() is live: before the reducers in handle, after them in an IO", arguments: engines)
    func liveInsideThePipeline(engine: StoreEngine) async {
        let seen = Recorder<[Int]>()
        let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let store = ReduxStoreBase(
            initialState: 10,
            reducer: Reducer<Int, Int>.reduce { action, state in state += action },
            middleware: Handle<Int, Int> { _, _, state in
                let before = [state(), holder.value!.state, holder.value!.withState { $0 }]
                return IO { _ in seen.record(before + [state(), holder.value!.state]) }
            },
            engine: engine,
            publication: .atMost(every: .seconds(3600))
        )
        holder.value = store
        store.dispatch(contentsOf: [5, 7])
        await store.drain()
        holder.value = nil
        #expect(seen.all == [[10, 10, 10, 15, 15], [15, 15, 15, 22, 22]])
    }

    @Test("readers on other threads never see half an action", arguments: engines)
    func consistentSnapshots(engine: StoreEngine) async {
        let store = ReduxStoreBase(initialState: Pair(), reducer: Self.both, engine: engine, publication: .batch)
        let torn = Shared(0)
        let backwards = Shared(0)
        onThreads(4) { thread in
            if thread == 0 {
                for _ in 0..<20_000 { store.dispatch(1) }
                return
            }
            var last = 0
            for _ in 0..<20_000 {
                let pair = store.withState { Pair(left: $0.left, right: $0.right) }
                if pair.left != -pair.right { torn.update { $0 += 1 } }
                if pair.left < last { backwards.update { $0 += 1 } }
                last = pair.left
            }
        }
        await store.drain()
        #expect(torn.value == 0)
        #expect(backwards.value == 0)
        #expect(store.state == Pair(left: 20_000, right: -20_000))
    }

    @Test("a version is the number of actions reduced", arguments: engines)
    func versions(engine: StoreEngine) async {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: engine)
        #expect(store.versionedState == VersionedState(state: 0, version: 0))
        var last: UInt64 = 0
        for round in 1...20 {
            store.dispatch(contentsOf: 0..<round)
            await store.drain()
            let versioned = store.versionedState
            #expect(versioned.version > last)
            #expect(versioned.version == UInt64(versioned.state))
            last = versioned.version
        }
    }

    @Test("withState passes the closure's error on and leaves the read section")
    func errors() async {
        struct Failure: Error {}
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        #expect(throws: Failure.self) { try store.withState { _ in throw Failure() } }
        store.dispatch(1)  // a debug build would stop here inside a read section
        #expect(store.state == 1)
    }

    @Test("reading the state of a store inside its own reducer stops the program and says why")
    func readingInReducer() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { _, state in state = holder.value!.state + 1 },
                engine: .caller
            )
            holder.value = store
            store.dispatch(1)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("the state of a store was read inside its own reducer"))
    }

    @Test("another store's state may be read inside a reducer, and pipelines may nest")
    func otherStoreInReducer() {
        let inner = ReduxStoreBase(initialState: 41, reducer: counting(Int.self), engine: .caller)
        let outer = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, state in
                inner.dispatch(0)
                state = inner.state
            },
            engine: .caller
        )
        outer.dispatch(1)
        #expect(outer.state == 42)
    }

    @Test("values that nobody can see any more are destroyed, and not on another thread than the pipeline's")
    func snapshotsAreReleased() async {
        final class Tracked: Sendable {
            let alive: Shared<Int>
            init(_ alive: Shared<Int>) {
                self.alive = alive
                alive.update { $0 += 1 }
            }
            deinit { alive.update { $0 -= 1 } }
        }
        let alive = Shared(0)
        do {
            let store = ReduxStoreBase(
                initialState: Tracked(alive),
                reducer: Reducer<Int, Tracked>.reduce { _, state in state = Tracked(alive) },
                engine: .thread(),
                publication: .everyAction
            )
            for _ in 0..<2_000 { store.dispatch(1) }
            await store.drain()
            #expect(
                // The one that is live and published, without another action.
                await eventually { alive.value == 1 }
            )
        }
        #expect(await eventually { alive.value == 0 })
    }

    @Test("a store that runs another one still sees its own live state")
    func nested() {
        let read = Shared<[Int]>([])
        let outer = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let inner = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in
                let state = outer.value?.state
                read.update { $0.append(state ?? -1) }
                return .pure()
            },
            engine: .caller
        )
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, _, _ in IO { _ in inner.dispatch(0) } },
            engine: .caller,
            publication: .onDemand
        )
        outer.value = store
        store.dispatch(0)
        #expect(read.value == [1])
        outer.value = nil
    }
}
