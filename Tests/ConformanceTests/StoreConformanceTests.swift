// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import TestSupport
import Testing

private typealias Subject = UnfailableReplayLastSubjectType<Int>

/// The order in which things happen in a store made with a subject, as SwiftRex's users make them.
@Suite("Conformance: stores", .timeLimit(.minutes(5)))
struct StoreConformanceTests {
    private let log = Recorder<String>()
    private let sum = Reducer<Int, Int>.reduce { action, state in state += action }

    /// Writes down its steps; at action 1 its work dispatches 10.
    private func step(_ name: String = "") -> AnyMiddleware<Int, Int, Int> {
        AnyMiddleware { [log] action, _, state in
            log.record("\(name)handle \(action): \(state())")
            return IO { output in
                if action == 1 {
                    output.dispatch(10)
                    log.record("\(name)dispatched: \(state())")
                } else {
                    log.record("\(name)io \(action): \(state())")
                }
            }
        }
    }

    private func logging() -> UnfailableSubscriberType<Int> {
        UnfailableSubscriberType(onValue: { [log] in log.record("told \($0)") })
    }

    @MainActor
    @Test("A3: subscribers are notified before any IO of the same action runs")
    func a03_notifiedBeforeIO() {
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: step("1 ") <> step("2 "))
        _ = store.statePublisher.subscribe(logging())
        store.dispatch(5)
        #expect(log.all == ["told 0", "1 handle 5: 0", "2 handle 5: 0", "told 5", "2 io 5: 5", "1 io 5: 5"])
    }

    @Test(
        "A3: so it is on a store that owns its state and publishes every action",
        arguments: [StoreEngine.thread(), .caller, .main]
    )
    func a03_notifiedBeforeIONatively(engine: StoreEngine) async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: sum,
            middleware: step("1 ") <> step("2 "),
            engine: engine,
            publication: .everyAction
        )
        store.subscribe { [log] in log.record("subscriber told \($0)") }
        _ = store.statePublisher.subscribe(logging())
        store.dispatch(5)
        await store.drain()
        let first = ["subscriber told 0", "told 0", "1 handle 5: 0", "2 handle 5: 0"]
        #expect(log.all == first + ["subscriber told 5", "told 5", "2 io 5: 5", "1 io 5: 5"])
    }

    @MainActor
    @Test("A4, A6: dispatch from IO goes to the tail (unlike 0.8, where it is a cycle in the middle of the first)")
    func a06_dispatchFromIO() async {
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: step())
        store.dispatch(1)
        await store.drain()
        #expect(log.all == ["handle 1: 0", "dispatched: 1", "handle 10: 1", "io 10: 11"])
    }

    @MainActor
    @Test("A7: a dispatch on the main thread comes after what other threads dispatched before (unlike 0.8)")
    func a07_noOvertaking() async {
        let subject = Subject.native(initialValue: 0)
        let actions = Recorder<Int>()
        let store = ReduxStoreBase(
            subject: subject,
            reducer: Reducer<Int, Int>.reduce { action, _ in actions.record(action) },
            middleware: IdentityMiddleware<Int, Int, Int>()
        )
        // Blocks the main actor, so that the main queue cannot serve them before.
        onThreads(1) { _ in for action in 1...3 { store.dispatch(action) } }
        store.dispatch(4)
        #expect(actions.all == [1, 2, 3, 4])
    }

    @MainActor
    @Test("A8, ◇: .when that returns false keeps what the reducer did, and only tells nobody")
    func a08_whenCommits() {
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(
            subject: subject,
            reducer: sum,
            middleware: step(),
            emitsValue: .when { previous, new in new - previous > 5 }
        )
        _ = store.statePublisher.subscribe(logging())
        store.dispatch(2)
        #expect(subject.value() == 2)
        store.dispatch(7)
        #expect(log.all == ["told 0", "handle 2: 0", "io 2: 2", "handle 7: 2", "told 9", "io 7: 9"])
    }

    @MainActor
    @Test("A9, ◇: .never calls the reducer, keeps what it did, and tells nobody")
    func a09_neverCommits() {
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: step(), emitsValue: .never)
        _ = store.statePublisher.subscribe(logging())
        store.dispatch(2)
        #expect(log.all == ["told 0", "handle 2: 0", "io 2: 2"])
        #expect(subject.value() == 2)
    }

    @MainActor
    @Test("A10: ReduxStoreBase tells always; the wrapper of an Equatable state when it differs")
    func a10_defaults() {
        let nothing = IdentityMiddleware<Int, Int, Int>()
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: nothing)
        _ = subject.publisher.subscribe(logging())
        store.dispatch(0)
        #expect(log.all == ["told 0", "told 0"])

        log.clear()
        let other = Subject.native(initialValue: 0)
        let wrapper = ReduxPipelineWrapper(state: { other }, reducer: sum, middleware: nothing)
        _ = other.publisher.subscribe(logging())
        wrapper.dispatch(0)
        wrapper.dispatch(1)
        #expect(log.all == ["told 0", "told 1"])
    }

    @MainActor
    @Test("A12: a projection does not remove duplicates, and maps once an emission and subscriber")
    func a12_projectionMaps() {
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: IdentityMiddleware<Int, Int, Int>())
        let view = store.projection(
            action: { (action: Int) in action },
            state: { [log] state in
                log.record("map \(state)")
                return state / 10
            }
        )
        _ = view.statePublisher.subscribe(logging())
        _ = view.statePublisher.subscribe(logging())
        store.dispatch(1)
        let first = ["map 0", "told 0", "map 0", "told 0"]
        #expect(log.all == first + ["map 1", "told 0", "map 1", "told 0"])
    }

    @MainActor
    @Test("A13: projections keep the store; an output that somebody kept does not, and its dispatches are refused")
    func a13_retention() async {
        let subject = Subject.native(initialValue: 0)
        let kept = Shared<AnyActionHandler<Int>?>(nil)
        let middleware = AnyMiddleware<Int, Int, Int> { _, _, _ in IO { kept.value = $0 } }
        weak var store: ReduxStoreBase<Int, Int>?
        var view: StoreProjection<Int, Int>?
        do {
            let made = ReduxStoreBase(subject: subject, reducer: sum, middleware: middleware)
            store = made
            view = made.projection(action: { $0 }, state: { $0 })
        }
        view?.dispatch(1)
        #expect(store != nil)
        #expect(subject.value() == 1)
        view = nil
        #expect(store == nil)
        // The pipeline ends in a turn of the main queue, and another turn would handle the action if that was taken.
        for _ in 0..<10 { await turnOfMainQueue() }
        kept.value?.dispatch(1)
        for _ in 0..<10 { await turnOfMainQueue() }
        #expect(subject.value() == 1)
    }

    @MainActor
    @Test("A14: an action that a projection maps to nil does not reach the store")
    func a14_nilAction() {
        let subject = Subject.native(initialValue: 0)
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: step())
        let view = store.projection(action: { (text: String) in Int(text) }, state: { $0 })
        view.dispatch("two")
        #expect(log.all == [])
        #expect(store.metrics.offered == 0)
    }

    @MainActor
    @Test("A24: projections and erasures keep the source of an action")
    func a24_source() {
        let subject = Subject.native(initialValue: 0)
        let sources = Recorder<ActionSource>()
        let middleware = AnyMiddleware<Int, Int, Int> { _, source, _ in
            sources.record(source)
            return .pure()
        }
        let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: middleware)
        let view = store.projection(action: { (text: String) in Int(text) }, state: { $0 })
            .contramapAction { (number: Int) in "\(number)" }.eraseToAnyStoreType()
        let source = ActionSource(file: "A/B.swift", function: "c()", line: 9, info: "d")
        view.dispatch(1, from: source)
        #expect(sources.all == [source])
    }

    @MainActor
    @Test("A37: mutate(when:) returns the result of the closure even when it discards the value")
    func a37_mutateWhen() {
        let native = Subject.native(initialValue: 1)
        let foreign = Subject(publisher: native.publisher, subscriber: native.subscriber, value: native.value)
        for subject in [native, foreign] {
            let result = subject.mutate(when: { $0 == "kept" }) { value in
                value = 2
                return "discarded"
            }
            #expect(result == "discarded")
            #expect(subject.value() == 1)
        }
    }
}

/// Lets what waits in the main queue run.
private func turnOfMainQueue() async {
    await withCheckedContinuation { task in DispatchQueue.main.async { task.resume() } }
}
