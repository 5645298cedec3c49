// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

private enum CountAction: Equatable, Sendable {
    case up, down
}

private let countReducer = Reducer<CountAction, Int>.reduce { action, count in
    switch action {
    case .up: count += 1
    case .down: count -= 1
    }
}

/// Stores in every form in which apps make them.
@Suite("Readme: stores", .timeLimit(.minutes(5)))
@MainActor
struct StoreTests {
    private class Store: ReduxStoreBase<CountAction, Int>, @unchecked Sendable {
        static let shared = Store()

        private init() {
            super.init(
                subject: .combine(initialValue: 0),
                reducer: countReducer,
                middleware: IdentityMiddleware()
            )
        }
    }

    /// Without inheriting.
    private final class OtherStore: ReduxStoreProtocol, @unchecked Sendable {
        typealias ActionType = CountAction
        typealias StateType = Int

        let pipeline: ReduxPipelineWrapper<IdentityMiddleware<CountAction, CountAction, Int>>
        let statePublisher: UnfailablePublisherType<Int>

        init() {
            let subject = UnfailableReplayLastSubjectType<Int>.combine(initialValue: 10)
            pipeline = ReduxPipelineWrapper(
                state: { subject },
                reducer: countReducer,
                middleware: IdentityMiddleware(),
                emitsValue: .whenDifferent
            )
            statePublisher = subject.publisher
        }
    }

    @Test("a subclass, a conformance, a plain one: dispatched on the main thread, the state is there at return")
    func forms() {
        let plain = ReduxStoreBase<CountAction, Int>(
            subject: .combine(initialValue: 20),
            reducer: countReducer,
            middleware: IdentityMiddleware()
        )
        let counts = Recorder<Int>()
        var subscriptions = Set<AnyCancellable>()
        let other = OtherStore()
        for publisher in [Store.shared.statePublisher, other.statePublisher, plain.statePublisher] {
            publisher.sink { @Sendable in counts.record($0) }.store(in: &subscriptions)
        }
        Store.shared.dispatch(.up)
        other.dispatch(.up)
        plain.dispatch(.down)
        #expect(counts.all == [0, 10, 20, 1, 11, 19])
    }

    @Test("the subject is the caller's, with any subject of Combine behind it")
    func subjects() {
        let current = CurrentValueSubject<Int, Never>(1)
        let announced = Recorder<Int>()
        let subject = UnfailableReplayLastSubjectType(
            currentValueSubject: current,
            willChange: { announced.record($0) }
        )
        let store = ReduxStoreBase(subject: subject, reducer: countReducer, middleware: IdentityMiddleware())
        store.dispatch(.up)
        #expect(current.value == 2 && subject.value() == 2)
        #expect(announced.all == [2])
        current.send(7)
        store.dispatch(.up)
        #expect(current.value == 8)
    }

    @Test("when subscribers are told", arguments: [true, false])
    func emitsValue(_ differs: Bool) {
        let store = ReduxStoreBase<CountAction, Int>(
            subject: .combine(initialValue: 0),
            reducer: .identity,
            middleware: IdentityMiddleware(),
            emitsValue: differs ? .whenDifferent : .always
        )
        let counts = Recorder<Int>()
        let subscription = store.statePublisher.sink { @Sendable in counts.record($0) }
        store.dispatch(.up)
        #expect(counts.all == (differs ? [0] : [0, 0]))
        subscription.cancel()
    }

    @Test("the source of an action is the line that dispatched it")
    func sources() {
        let sources = Recorder<ActionSource>()
        let store = ReduxStoreBase(
            subject: .combine(initialValue: 0),
            reducer: countReducer,
            middleware: AnyMiddleware<CountAction, CountAction, Int> { _, dispatcher, _ in
                sources.record(dispatcher)
                return .pure()
            }
        )
        let line = UInt(#line) + 1
        store.dispatch(.up, info: "by hand")
        store.dispatch(.up, from: .here(info: "elsewhere"))
        store.dispatch(DispatchedAction(.up))
        #expect(sources.all.map(\.line) == [line, line + 1, line + 2])
        #expect(sources.all.map(\.info) == ["by hand", "elsewhere", nil])
        #expect(sources.all[0].function == "sources()")
        #expect(sources.all[0].file == "ReadmeTests/StoreTests.swift")
    }
}
