// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Millrace

/// A `.caller` store without subscribers publishes when its state is read.
@Suite("Lazy publication")
struct LazyPublicationTests {
    private func store(
        _ publication: Publication = .atMost(every: .milliseconds(1))
    ) -> ReduxStoreBase<Int, [Int]> {
        ReduxStoreBase(
            initialState: Array(repeating: 0, count: 8),
            reducer: Reducer<Int, [Int]>.reduce { action, state in state[action % 8] += 1 },
            engine: .caller,
            publication: publication
        )
    }

    /// How often one of 100 dispatches had to copy the state, because another thread could read the one before.
    private func copies(
        of publication: Publication,
        between: (ReduxStoreBase<Int, CopyCounter>) -> Void
    ) -> Int {
        let store = ReduxStoreBase<Int, CopyCounter>(
            initialState: CopyCounter(),
            reducer: .reduce { action, state in state.change(action) },
            engine: .caller,
            publication: publication
        )
        for action in 0..<100 {
            store.dispatch(action)
            between(store)
        }
        return store.withState { $0.copies }
    }

    @Test("dispatches copy no state; each read after a dispatch gets what was dispatched before")
    func copiesOnlyForReads() {
        #expect(copies(of: .atMost(every: .milliseconds(1))) { _ in } <= 1)
        #expect(copies(of: .batch) { _ in } <= 1)
        var seen: [Int] = []
        let copied = copies(of: .batch) { seen.append($0.withState { $0.sum }) }
        #expect(copied >= 99)
        #expect(seen == (0..<100).map { ($0 + 1) * $0 / 2 })
    }

    @Test("everyAction and a subscriber publish at each dispatch; the end of the subscription ends that")
    func whoNeedsIt() {
        #expect(copies(of: .everyAction) { _ in } >= 99)
        var subscription: StateSubscription?
        let told = Shared(0)
        let copied = copies(of: .batch) { store in
            if subscription == nil { subscription = store.subscribe { _ in told.update { $0 += 1 } } }
        }
        #expect(copied >= 98)
        #expect(told.value == 100)
        var calls = 0
        let afterwards = copies(of: .batch) { store in
            if calls == 0 { store.subscribe { _ in }.unsubscribe() }
            calls += 1
        }
        #expect(afterwards <= 2)
    }

    @Test("state, versionedState, withState and a getter that a middleware keeps get the same state, from any thread")
    func allReads() async {
        let kept = Shared<GetState<[Int]>?>(nil)
        let store = ReduxStoreBase<Int, [Int]>(
            initialState: Array(repeating: 0, count: 8),
            reducer: .reduce { action, state in state[action % 8] += 1 },
            middleware: AnyMiddleware<Int, Int, [Int]>(handle: { _, _, state in
                kept.value = state
                return .pure()
            }),
            engine: .caller
        )
        store.dispatch(0)
        #expect(store.state[0] == 1)
        store.dispatch(0)
        #expect(store.versionedState.version == 2)
        store.dispatch(0)
        #expect(store.withState { $0[0] } == 3)
        store.dispatch(0)
        let getter = kept.value
        #expect(getter?()[0] == 4)
        store.dispatch(0)
        await Task.detached { #expect(store.state[0] == 5) }.value
    }

    @Test("inside withState of another store, and in a pipeline of another store, a read gets the newest state")
    func withoutWaiting() {
        let (first, second) = (store(), store())
        second.dispatch(1)
        let nested = first.withState { _ in second.withState { $0[1] } }
        #expect(nested == 1)
        second.dispatch(1)
        let reading = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { _, state in state = second.state[1] },
            engine: .caller
        )
        reading.dispatch(0)
        #expect(reading.state == 2)
    }

    @Test("a read inside withState publishes, and destroys no old state there")
    func noDestructorInside() async {
        let destroyed = Shared((inside: 0, outside: 0))
        let outer = store()
        let store = ReduxStoreBase<Int, DestructionProbe>(
            initialState: DestructionProbe(destroyed),
            reducer: .reduce { _, state in state = DestructionProbe(destroyed) },
            engine: .caller
        )
        for _ in 0..<60 {
            store.dispatch(0)
            // The reader gets the object that the live state holds: the two are the same.
            let isNewest = outer.withState { _ in store.withState { $0.number } } == DestructionProbe.latest.value
            #expect(isNewest)
            // Readers of old states end; the states wait to be destroyed.
            try? await Task.sleep(for: .milliseconds(2))
        }
        store.dispatch(0)
        _ = store.state
        #expect(
            await eventually {
                store.dispatch(0)
                return store.state.number > 0 && destroyed.value.outside > 40
            }
        )
        #expect(destroyed.value.inside == 0)
    }

    @Test("a read while another thread is in the pipeline waits once; later ones get the state that was published last")
    func whileBusy() async {
        let steps = Steps()
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { action, state in
                state += 1
                if action == 1 { steps.pass() }
            },
            engine: .caller
        )
        store.dispatch(0)
        onNewThread { store.dispatch(1) }
        #expect(await eventually { steps.entered == 1 })
        let read = Shared(0)
        onNewThread { read.value = store.state }
        // The reader waits for the action that the other thread is in.
        #expect(!(await eventually(within: .milliseconds(50)) { read.value != 0 }))
        steps.open(1)
        #expect(await eventually { read.value == 2 })
        // Published by its own turn from now on.
        store.dispatch(0)
        onNewThread { store.dispatch(1) }
        #expect(await eventually { steps.entered == 2 })
        let second = Shared(0)
        onNewThread { second.value = store.state }
        // Does not wait: the handler is still in the action.
        #expect(await eventually { second.value == 3 })
        steps.open(2)
        #expect(await eventually { store.state == 4 })
    }

    @Test("many threads dispatch and read: no thread reads an older state after a newer one, and none is lost")
    func many() async {
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { _, state in state += 1 },
            engine: .caller
        )
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    var last = 0
                    for _ in 0..<2_000 {
                        store.dispatch(1)
                        let now = store.state
                        #expect(now >= last)
                        last = now
                    }
                }
            }
        }
        await store.drain()
        #expect(store.state == 8_000)
    }
}

/// A state that notes where it is destroyed.
private final class DestructionProbe: Sendable {
    static let latest = Shared(0)
    let number: Int
    private let destroyed: Shared<(inside: Int, outside: Int)>

    init(_ destroyed: Shared<(inside: Int, outside: Int)>) {
        self.destroyed = destroyed
        number = Self.latest.update { number in
            number += 1
            return number
        }
    }

    deinit {
        let isInside = ReadSection.isOngoing
        destroyed.update { counts in
            if isInside { counts.inside += 1 } else { counts.outside += 1 }
        }
    }
}

/// Holds a handler until the test lets it go on.
private final class Steps: Sendable {
    private let counts = Shared((entered: 0, opened: 0))

    var entered: Int { counts.value.entered }

    func open(_ step: Int) { counts.update { $0.opened = step } }

    /// Waits until the step is open that this call is.
    func pass() {
        let step = counts.update { counts in
            counts.entered += 1
            return counts.entered
        }
        while counts.value.opened < step { usleep(500) }
    }
}

/// A value that counts how often a change had to copy it, because another copy of the state existed.
private struct CopyCounter: @unchecked Sendable {
    // Unchecked because the object is only written while this value is its only owner.
    private final class Storage {
        var sum = 0
    }

    private var storage = Storage()
    private(set) var copies = 0

    var sum: Int { storage.sum }

    mutating func change(_ value: Int) {
        if !isKnownUniquelyReferenced(&storage) {
            let copy = Storage()
            copy.sum = storage.sum
            storage = copy
            copies += 1
        }
        storage.sum += value
    }

    @Test("what the destructor of an old state dispatches during a read is handled", arguments: ActionOrder.allCases)
    func destructor(order: ActionOrder) async {
        enum Action: Sendable { case replace, gone }
        final class Token: Sendable {
            let onRelease: @Sendable () -> Void
            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        struct Tokens: Sendable {
            var token: Token
            var gone = 0
        }
        let holder = Shared<ReduxStoreBase<Action, Tokens>?>(nil)
        let make: @Sendable () -> Token = { Token { holder.value?.dispatch(.gone) } }
        let store = ReduxStoreBase(
            initialState: Tokens(token: make()),
            reducer: Reducer<Action, Tokens>.reduce { action, tokens in
                switch action {
                case .replace: tokens.token = make()
                case .gone: tokens.gone += 1
                }
            },
            engine: .caller,
            order: order
        )
        holder.value = store
        // Old states are destroyed by later publications, after a grace period.
        let isHandled = await eventually {
            store.dispatch(.replace)
            usleep(1_000)
            let gone = store.state.gone
            #expect(store.metrics.pending == 0)
            return gone > 2
        }
        #expect(isHandled)
        holder.value = nil
    }
}
