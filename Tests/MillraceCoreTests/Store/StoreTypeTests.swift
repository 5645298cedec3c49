// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

/// A store in name only: writes down what it is given, and tells what the test pushes.
private final class FakeStore: StoreType, Sendable {
    let received = Recorder<DispatchedAction<Int>>()
    let subject: UnfailableReplayLastSubjectType<[Int]>

    init(_ state: [Int]) {
        subject = .native(initialValue: state)
    }

    var statePublisher: UnfailablePublisherType<[Int]> { subject.publisher }

    func dispatch(_ dispatchedAction: sending DispatchedAction<Int>) {
        received.record(dispatchedAction)
    }
}

@Suite("Stores and projections")
struct StoreTypeTests {
    private let log = Recorder<String>()
    private let spy = FakeStore([1, 2])
    private let source = ActionSource(file: "Some/File.swift", function: "f()", line: 7, info: "info")

    private func told<State: Sendable>(_ provider: some StateProvider<State>) -> Recorder<State> {
        let states = Recorder<State>()
        _ = provider.statePublisher.subscribe(UnfailableSubscriberType(onValue: { states.record($0) }))
        return states
    }

    @Test("a projection maps actions and states, keeps the source, and drops what has no counterpart")
    func projection() {
        let view = spy.projection(action: { (text: String) in Int(text) }, state: { $0.count })
        let counts = told(view)
        view.dispatch("12", from: source)
        view.dispatch("twelve", from: source)
        view.dispatch("13")
        let line = #line - 1
        #expect(spy.received.all.map(\.action) == [12, 13])
        #expect(spy.received.all.first?.dispatcher == source)
        #expect(spy.received.all.last?.dispatcher.line == UInt(line))
        spy.subject.subscriber.onValue([1, 2, 3])
        #expect(counts.all == [2, 3])
    }

    @Test("projections of projections go all the way, and drop on every level")
    func nested() {
        var view = spy.projection(action: { (number: Int) in number < 100 ? number + 1 : nil }, state: { $0.count })
        for _ in 1..<5 {
            view = view.projection(action: { number in number < 100 ? number + 1 : nil }, state: { $0 + 1 })
        }
        let counts = told(view)
        view.dispatch(1, from: source)
        view.dispatch(96, from: source)
        #expect(spy.received.all == [DispatchedAction(6, dispatcher: source)])
        #expect(counts.all == [6])
    }

    @Test("contramapAction and mapState change one side each")
    func oneSide() {
        let lengths = spy.contramapAction { (text: String) in text.count }
        lengths.dispatch("four", from: source)
        let sums = spy.mapState { $0.reduce(0, +) }
        sums.dispatch(5, from: source)
        #expect(spy.received.all == [DispatchedAction(4, dispatcher: source), DispatchedAction(5, dispatcher: source)])
        #expect(told(lengths).all == [[1, 2]])
        #expect(told(sums).all == [3])
    }

    @Test("state providers are mapped and erased")
    func providers() {
        #expect(told(spy.map(\.count)).all == [2])
        #expect(told(spy.map { $0.count }.map { "\($0)" }.eraseToAnyStateProvider()).all == ["2"])
        #expect(told(AnyStateProvider(spy.statePublisher)).all == [[1, 2]])
    }

    @Test("an erased store is the store, however often it is erased, and may be made of closures")
    func erasure() {
        let erased = spy.eraseToAnyStoreType().eraseToAnyStoreType()
        erased.dispatch(3, from: source)
        erased.eraseToAnyActionHandler().dispatch(4, from: source)
        let made = AnyStoreType<Int, Int>(
            action: { [log] in log.record("\($0.action) \($0.dispatcher.line)") },
            state: spy.statePublisher.map(\.count)
        )
        made.dispatch(5, from: source)
        #expect(spy.received.all.map(\.action) == [3, 4])
        #expect(log.all == ["5 7"])
        #expect(told(made).all == [2])
    }

    @Test("a projection keeps the store, and its publisher alone does not")
    func ownership() {
        weak var store: FakeStore?
        var view: StoreProjection<Int, Int>?
        var publisher: UnfailablePublisherType<Int>?
        do {
            let spy = FakeStore([1])
            store = spy
            view = spy.projection(action: { $0 }, state: { $0.count }).projection(action: { $0 }, state: { $0 })
            publisher = view?.statePublisher
        }
        #expect(store != nil)
        view = nil
        #expect(store == nil)
        let counts = Recorder<Int>()
        _ = publisher?.subscribe(UnfailableSubscriberType(onValue: { counts.record($0) }))
        #expect(counts.all == [1])
    }
}
