// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

private typealias Subject = UnfailableReplayLastSubjectType<Int>

private struct NoEnd: SubscriptionType {
    func unsubscribe() {}
}

/// A subject as other libraries have it: it can only be pushed to.
private func foreign(_ initialValue: Int) -> Subject {
    let native = Subject.native(initialValue: initialValue)
    return Subject(publisher: native.publisher, subscriber: native.subscriber, value: native.value)
}

private let subjects: [@Sendable () -> Subject] = [{ .native(initialValue: 1) }, { foreign(1) }]

private let sum = Reducer<Int, Int>.reduce { action, state in state += action }

private func logging(_ log: Recorder<String>, _ name: String = "") -> UnfailableSubscriberType<Int> {
    UnfailableSubscriberType(onValue: { log.record("\(name)\($0)") })
}

/// Stores whose state lies in a subject of the caller's.
@Suite("Subject stores", .serialized, .timeLimit(.minutes(5)))
struct SubjectStoreTests {
    private let log = Recorder<String>()

    private func store(
        _ subject: Subject,
        emitsValue: ShouldEmitValue<Int> = .always,
        middleware: sending AnyMiddleware<Int, Int, Int> = AnyMiddleware(IdentityMiddleware<Int, Int, Int>())
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(subject: subject, reducer: sum, middleware: middleware, emitsValue: emitsValue)
    }

    @MainActor
    @Test(
        "the subject has the state, and is told of every action; so has everything that reads the store",
        arguments: [0, 1]
    )
    func told(kind: Int) async {
        let subject = subjects[kind]()
        let store = store(subject)
        #expect(store.engine == .main)
        _ = subject.publisher.subscribe(logging(log))
        store.dispatch(1)
        store.dispatch(10)
        #expect(log.all == ["1", "2", "12"])
        #expect(subject.value() == 12)
        #expect(store.state == 12)
        #expect(store.withState { $0 } == 12)
        #expect(store.versionedState.state == 12)
        #expect(store.versionedState.version == 2)
        let subscribed = Recorder<Int>()
        store.subscribe { subscribed.record($0) }
        store.dispatch(100)
        #expect(subscribed.all == [12, 112])
    }

    @MainActor
    @Test(
        "handle sees the state before, the subscribers come before the IOs, which see the state after",
        arguments: [0, 1]
    )
    func order(kind: Int) {
        let log = log
        let subject = subjects[kind]()
        let middleware = AnyMiddleware<Int, Int, Int> { _, _, state in
            log.record("handle \(state())")
            return IO { _ in log.record("io \(state())") }
        }
        let store = store(subject, middleware: middleware)
        let subscription = store.statePublisher.subscribe(
            UnfailableSubscriberType(onValue: { log.record("told \($0), \(store.state), \(subject.value())") })
        )
        defer { subscription.unsubscribe() }
        store.dispatch(1)
        store.dispatch(2)
        #expect(
            log.all == [
                "told 1, 1, 1",
                "handle 1", "told 2, 2, 2", "io 2",
                "handle 2", "told 4, 4, 4", "io 4",
            ]
        )
    }

    @MainActor
    @Test("dispatched by another thread it runs on the main queue", arguments: [0, 1])
    func elsewhere(kind: Int) async {
        let subject = subjects[kind]()
        let store = store(
            subject,
            middleware: AnyMiddleware { [log] _, _, _ in
                log.record("\(DispatchQueue.isMainQueue)")
                return .pure()
            }
        )
        await TestSupport.elsewhere { store.dispatch(1) }
        await store.drain()
        #expect(log.all == ["true"])
        #expect(subject.value() == 2)
    }

    @MainActor
    @Test("a state that is pushed behind the store's back counts, and is told", arguments: [0, 1])
    func behindTheBack(kind: Int) {
        let subject = subjects[kind]()
        let store = store(subject)
        _ = store.statePublisher.subscribe(logging(log))
        store.dispatch(1)
        subject.subscriber.onValue(50)
        #expect(store.state == 50)
        store.dispatch(1)
        subject.mutate { $0 *= 2 }
        store.dispatch(1)
        #expect(log.all == ["1", "2", "50", "51", "102", "103"])
    }

    @MainActor
    @Test("whatever emitsValue says, the state is what the reducers made it", arguments: [0, 1])
    func emitsValue(kind: Int) {
        for policy in [ShouldEmitValue<Int>.never, .when { _, _ in false }, .when { old, new in new - old > 5 }] {
            log.clear()
            let subject = subjects[kind]()
            let store = store(subject, emitsValue: policy)
            _ = store.statePublisher.subscribe(logging(log))
            let subscribed = Recorder<Int>()
            store.subscribe { subscribed.record($0) }
            store.dispatch(1)
            store.dispatch(10)
            #expect(subject.value() == 12)
            let told = policy.shouldEmit(previous: 2, new: 12) ? ["1", "12"] : ["1"]
            #expect(log.all == told)
            #expect(subscribed.all.map(String.init) == told)
        }
    }

    @MainActor
    @Test("a native subject is changed silently, another one can only be pushed to")
    func silence() {
        for (kind, told) in [["1"], ["1", "2"]].enumerated() {
            log.clear()
            let subject = subjects[kind]()
            let store = store(subject, emitsValue: .never)
            _ = subject.publisher.subscribe(logging(log))
            store.dispatch(1)
            #expect(log.all == told)
            // What others push is told nevertheless.
            let states = Recorder<Int>()
            _ = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
            subject.subscriber.onValue(9)
            #expect(states.all == [2, 9])
        }
    }

    @MainActor
    @Test("a native subject's state is changed in place: an array is not copied")
    func inPlace() {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: Array(repeating: 0, count: 1000))
        let addresses = Recorder<UInt>()
        let store = ReduxStoreBase(
            subject: subject,
            reducer: Reducer<Int, [Int]>.reduce { action, state in
                state[action] += 1
                addresses.record(state.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
            },
            middleware: IdentityMiddleware<Int, Int, [Int]>()
        )
        for index in 0..<1000 { store.dispatch(index) }
        // The store has a copy of the first state.
        #expect(Set(addresses.all).count == 1)
        #expect(subject.value() == Array(repeating: 1, count: 1000))
    }

    @MainActor
    @Test("what a subscriber dispatches is taken after the action it was told of is finished", arguments: [0, 1])
    func dispatchInSubscriber(kind: Int) async {
        let log = log
        let subject = subjects[kind]()
        let middleware = AnyMiddleware<Int, Int, Int> { action, _, _ in
            log.record("handle \(action)")
            return IO { _ in log.record("io \(action)") }
        }
        let store = store(subject, middleware: middleware)
        let subscription = subject.publisher.subscribe(
            UnfailableSubscriberType(onValue: { if $0 == 2 { store.dispatch(10) } })
        )
        defer { subscription.unsubscribe() }
        store.dispatch(1)
        await store.drain()
        #expect(log.all == ["handle 1", "io 1", "handle 10", "io 10"])
        #expect(subject.value() == 12)
    }

    @MainActor
    @Test("many threads and the main actor at once: nothing is lost", arguments: [0, 1])
    func race(kind: Int) async {
        let subject = subjects[kind]()
        let store = store(subject)
        let last = Shared(0)
        let faults = Recorder<String>()
        _ = subject.publisher.subscribe(
            UnfailableSubscriberType(onValue: { state in
                if state < last.value { faults.record("\(state) after \(last.value)") }
                last.value = state
            })
        )
        let each = isSanitized ? 300 : 1_000
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { await TestSupport.elsewhere { for _ in 0..<each { store.dispatch(1) } } }
            }
            for _ in 0..<each { store.dispatch(1) }
        }
        await store.drain()
        #expect(subject.value() == 1 + 4 * each)
        #expect(last.value == 1 + 4 * each)
        #expect(faults.all == [])
    }

    @Test("a store that is released finishes what is pending, and lets its middlewares go")
    func release() async {
        final class Guest: MiddlewareProtocol, Sendable {
            func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
                .pure()
            }
        }
        let subject = Subject.native(initialValue: 1)
        weak var guest: Guest?
        do {
            let middleware = Guest()
            guest = middleware
            let store = ReduxStoreBase(subject: subject, reducer: sum, middleware: middleware)
            await TestSupport.elsewhere { store.dispatch(1) }
        }
        #expect(await eventually { guest == nil })
        #expect(subject.value() == 2)
    }

    @MainActor
    @Test("reading the state inside a reducer stops the program and says why")
    func readingInReducer() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let subject = UnfailableReplayLastSubjectType.native(initialValue: 1)
            let store = ReduxStoreBase(
                subject: subject,
                reducer: Reducer<Int, Int>.reduce { _, state in state = subject.value() },
                middleware: IdentityMiddleware<Int, Int, Int>()
            )
            store.dispatch(1)
            await store.drain()
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("use the inout parameter"))
    }

    /// A store class of one's own.
    final class OwnStore: ReduxStoreProtocol {
        let pipeline: ReduxPipelineWrapper<AnyMiddleware<Int, Int, Int>>
        let statePublisher: UnfailablePublisherType<Int>

        init(subject: UnfailableReplayLastSubjectType<Int>, middleware: sending AnyMiddleware<Int, Int, Int>) {
            pipeline = ReduxPipelineWrapper(state: { subject }, reducer: sum, middleware: middleware)
            statePublisher = subject.publisher
        }
    }

    @Test("a wrapper runs by itself, and makes a store of any class", arguments: [0, 1])
    func wrapper(kind: Int) async {
        let subject = subjects[kind]()
        let output = Shared<AnyActionHandler<Int>?>(nil)
        let middleware = AnyMiddleware<Int, Int, Int> { action, _, _ in
            IO { handler in
                output.value = handler
                if action == 1 { handler.dispatch(10) }
            }
        }
        var store: OwnStore? = OwnStore(subject: subject, middleware: middleware)
        let view = store?.projection(action: { (text: String) in Int(text) }, state: { "\($0)" })
        let states = Recorder<String>()
        _ = view?.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        view?.dispatch("1")
        #expect(await eventually { subject.value() == 12 })
        #expect(states.all == ["1", "2", "12"])
        weak var weakStore: OwnStore?
        weakStore = store
        store = nil
        #expect(weakStore != nil)
        withExtendedLifetime(view) {}
    }

    @MainActor
    @Test("DispatchQueue.asap runs at once on the main queue, and there from elsewhere")
    func asap() async {
        #expect(DispatchQueue.isMainQueue)
        DispatchQueue.asap { [log] in log.record("at once") }
        #expect(log.all == ["at once"])
        let isMain: Bool = await withCheckedContinuation { task in
            onNewThread {
                guard !DispatchQueue.isMainQueue else { return task.resume(returning: false) }
                DispatchQueue.asap { task.resume(returning: DispatchQueue.isMainQueue) }
            }
        }
        #expect(isMain)
        let queue = DispatchQueue(label: "other")
        #expect(queue.sync { !DispatchQueue.isMainQueue })
    }
}
