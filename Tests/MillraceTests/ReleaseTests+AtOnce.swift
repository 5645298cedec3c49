// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

/// When the middleware goes: with the last reference to the store, or in a later turn.
extension ReleaseTests {
    private static var inline: [StoreEngine] {
        [
            .caller, .main, .queue(DispatchQueue(label: "serial")),
            .queue(DispatchQueue(label: "concurrent", attributes: .concurrent)),
        ]
    }

    private static func store(_ log: Recorder<String>, _ engine: StoreEngine) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(initialState: 0, reducer: counting(Int.self), middleware: Keeper(log), engine: engine)
    }

    private static func subject() -> UnfailableReplayLastSubjectType<Int> { .native(initialValue: 0) }

    @Test("6: the middleware of an idle store goes with the last reference", arguments: inline)
    func g6_idleAtOnce(engine: StoreEngine) {
        let log = Recorder<String>()
        var store: ReduxStoreBase<Int, Int>? = Self.store(log, engine)
        #expect(store?.isClosed == false && log.count == 0)
        store = nil
        #expect(log.all == ["released"])
    }

    @Test("6: that of a store with a thread goes on that thread")
    func g6_idleOnThread() async {
        let log = Recorder<String>()
        var store: ReduxStoreBase<Int, Int>? = Self.store(log, .thread())
        #expect(store?.isClosed == false)
        store = nil
        #expect(await eventually { log.all == ["released"] })
    }

    @Test("6: a store with a subject, and a pipeline without a store, after actions on the main queue")
    @MainActor
    func g6_atOnceAfterActions() {
        let log = Recorder<String>()
        let subject = Self.subject()
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            subject: subject,
            reducer: counting(Int.self),
            middleware: Goes(log)
        )
        for action in 1...3 { store?.dispatch(action) }
        store = nil
        #expect(log.all == ["released"])

        var pipeline: ReduxPipelineWrapper<Goes>? = ReduxPipelineWrapper(
            state: { subject },
            reducer: counting(Int.self),
            middleware: Goes(log)
        )
        for action in 1...3 { pipeline?.dispatch(action) }
        pipeline = nil
        #expect(log.all == ["released", "released"])
        #expect(subject.value() == 6)
    }

    @Test("6: a lifted middleware that has returned IOs")
    @MainActor
    func g6_liftedAtOnce() {
        let log = Recorder<String>()
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            subject: Self.subject(),
            reducer: counting(Int.self),
            middleware: Goes(log).lift(outputAction: { $0 }, state: { (count: Int) in count })
        )
        for action in 1...3 { store?.dispatch(action) }
        store = nil
        #expect(log.all == ["released"])
    }

    @Test("6: released by another thread than that of the engine", arguments: inline)
    func g6_atOnceElsewhere(engine: StoreEngine) async {
        let log = Recorder<String>()
        let count = Shared(0)
        let store = Shared<ReduxStoreBase<Int, Int>?>(Self.store(log, engine))
        await elsewhere {
            store.value = nil
            count.value = log.count
        }
        #expect(count.value == 1)
    }

    @Test("6: released by another thread while the main queue sends a message through a weak reference")
    @MainActor
    func g6_atOnceRace() async {
        for _ in 0..<100 {
            let log = Recorder<String>()
            let store = Shared<ReduxStoreBase<Int, Int>?>(
                ReduxStoreBase(
                    initialState: 0,
                    reducer: counting(Int.self),
                    middleware: Goes(log),
                    engine: .main
                )
            )
            store.value?.dispatch(1)
            let subscriptions = (0..<8).map { _ in store.value?.subscribe { _ in } }
            let hasBegun = Shared(false)
            onNewThread {
                hasBegun.value = true
                store.value = nil
            }
            while !hasBegun.value {}
            for subscription in subscriptions { subscription?.unsubscribe() }
            #expect(await eventually { log.all == ["released"] })
        }
    }

    // MARK: Later

    @Test("6: if an action is pending, it goes in a later turn")
    func g6_laterIfPending() async {
        let log = Recorder<String>()
        let reduced = Shared(0)
        let queue = DispatchQueue(label: "suspended")
        queue.suspend()
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
            middleware: Goes(log),
            engine: .queue(queue)
        )
        store?.dispatch(1)
        store = nil
        #expect(log.count == 0)
        queue.resume()
        #expect(await eventually { log.all == ["released"] })
        #expect(reduced.value == 1)
    }

    @Test("6: if an output is kept, which holds the core, it goes in a later turn")
    @MainActor
    func g6_laterIfHeld() async {
        let log = Recorder<String>()
        var store: ReduxStoreBase<Int, Int>? = Self.store(log, .main)
        // The middleware keeps the output of its IO.
        store?.dispatch(1)
        store = nil
        #expect(log.count == 0)
        #expect(await eventually { log.all == ["released"] })
    }

    @Test("6: inside withState, where no destructor may run, another thread releases it", arguments: inline)
    func g6_laterInsideRead(engine: StoreEngine) async {
        final class Ending: MiddlewareProtocol {
            let isReading: Shared<Bool?>
            init(_ isReading: Shared<Bool?>) { self.isReading = isReading }
            deinit { isReading.value = ReadSection.isOngoing }
            func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
                .pure()
            }
        }
        let isReading = Shared<Bool?>(nil)
        let other = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Ending(isReading),
            engine: engine
        )
        other.withState { _ in
            #expect(store?.isClosed == false)
            store = nil
        }
        #expect(await eventually { isReading.value != nil })
        #expect(isReading.value == false)
    }

    @Test("6: inside an action of its own, it goes after that action")
    @MainActor
    func g6_laterInsideAction() async {
        let log = Recorder<String>()
        let store = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let inside = Shared(-1)
        let output = Shared<AnyActionHandler<Int>?>(nil)
        store.value = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Goes(log)
                <> Handle<Int, Int> { action, _, _ in
                    if action == 1 { return IO { output.value = $0 } }
                    output.value = nil
                    store.value = nil
                    inside.value = log.count
                    return .pure()
                },
            engine: .main
        )
        store.value?.dispatch(1)
        output.value?.dispatch(2)
        #expect(inside.value == 0)
        #expect(await eventually { log.all == ["released"] })
    }

    @Test("6: a state that is not published yet is published first", arguments: [0, 1])
    func g6_publishedFirst(round: Int) async {
        let log = Recorder<String>()
        let published = Recorder<Int>()
        let queue = DispatchQueue(label: "publishing")
        let onQueue = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: onQueue, value: true)
        var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Goes(log),
            engine: .queue(queue),
            publication: round == 0 ? .onDemand : .atMost(every: .seconds(3600))
        )
        await store?.drain()
        let subscription = store?.subscribe { state in
            if state == 2 { published.record(DispatchQueue.getSpecific(key: onQueue) == true ? state : -1) }
        }
        store?.dispatch(1)
        store?.dispatch(1)
        weak let core = store?.core
        #expect(await eventually { core?.metrics.reduced == 2 })
        store = nil
        #expect(await eventually { log.all == ["released"] })
        #expect(published.all == [2])
        withExtendedLifetime(subscription) {}
    }
}

/// Says when it goes, and keeps nothing.
final class Goes: MiddlewareProtocol {
    let log: Recorder<String>

    init(_ log: Recorder<String>) {
        self.log = log
    }

    deinit { log.record("released") }

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> { IO { _ in } }
}
