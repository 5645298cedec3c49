// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

/// `statePublisher` of stores that own their state.
@Suite("State publisher", .serialized, .timeLimit(.minutes(5)))
struct StatePublisherTests {
    private static let sum = Reducer<Int, Int>.reduce { action, state in state += action }

    private static func store(
        _ engine: StoreEngine,
        emitsValue: ShouldEmitValue<Int> = .always
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 1,
            reducer: sum,
            emitsValue: emitsValue,
            engine: engine,
            publication: .everyAction
        )
    }

    @Test("a new subscriber is given the current state, then every publication", arguments: engines)
    func replay(engine: StoreEngine) async {
        let store = Self.store(engine)
        store.dispatch(1)
        let states = Recorder<Int>()
        let subscription = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        store.dispatch(10)
        store.dispatch(100)
        await store.drain()
        #expect(states.all == [2, 12, 112])
        subscription.unsubscribe()
        store.dispatch(1)
        await store.drain()
        #expect(states.count == 3)
    }

    @Test("with .caller, and on the main queue with .main, the state is there when subscribe returns")
    func atOnce() {
        let store = Self.store(.caller)
        let states = Recorder<Int>()
        _ = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        #expect(states.all == [1])
    }

    @MainActor
    @Test("on the main actor the state is there when subscribe returns")
    func atOnceOnMain() {
        let store = Self.store(.main)
        let states = Recorder<Int>()
        _ = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        #expect(states.all == [1])
    }

    @Test("the subscription comes before the first state, and may be ended there")
    func onSubscribe() {
        let store = Self.store(.caller)
        let log = Recorder<String>()
        let subscriber = UnfailableSubscriberType<Int>(
            onValue: { log.record("\($0)") },
            onSubscribe: {
                log.record("subscribe")
                $0.unsubscribe()
            }
        )
        _ = store.statePublisher.subscribe(subscriber)
        store.dispatch(1)
        #expect(log.all == ["subscribe"])
    }

    @Test("emitsValue decides what the subscribers are told")
    func emitsValue() {
        let store = Self.store(.caller, emitsValue: .when { _, new in new % 2 == 0 })
        let states = Recorder<Int>()
        _ = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        for _ in 0..<4 { store.dispatch(1) }
        #expect(states.all == [1, 2, 4])
        #expect(store.state == 5)
    }

    @Test("nothing completes it, and a subscriber keeps no store alive")
    func end() async {
        let log = Recorder<String>()
        weak var weakStore: ReduxStoreBase<Int, Int>?
        do {
            let store = Self.store(.caller)
            weakStore = store
            _ = store.statePublisher.subscribe(
                UnfailableSubscriberType(onValue: { log.record("\($0)") }, onCompleted: { _ in log.record("end") })
            )
        }
        #expect(weakStore == nil)
        #expect(log.all == ["1"])
    }

    @Test("a store is a StoreType: projected, erased, mapped", arguments: engines)
    func projection(engine: StoreEngine) async {
        let store = Self.store(engine)
        let view = store.projection(action: { (text: String) in Int(text) }, state: { "\($0)" })
            .projection(action: { (number: Int) in number == 0 ? nil : "\(number)" }, state: { $0 + "!" })
        let states = Recorder<String>()
        _ = view.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        view.dispatch(1)
        view.dispatch(0)
        store.eraseToAnyStoreType().contramapAction { (text: String) in text.count }.dispatch("ten")
        await store.drain()
        #expect(states.all == ["1!", "2!", "5!"])
        #expect(store.metrics.offered == 2)
    }

    @Test("the pipeline of a store is a view of it: it dispatches to it and keeps it")
    func pipeline() {
        weak var weakStore: ReduxStoreBase<Int, Int>?
        var pipeline: ReduxPipelineWrapper<AnyMiddleware<Int, Int, Int>>?
        do {
            let store = Self.store(.caller)
            weakStore = store
            pipeline = store.pipeline
        }
        pipeline?.dispatch(5)
        #expect(weakStore?.state == 6)
        pipeline = nil
        #expect(weakStore == nil)
    }
}
