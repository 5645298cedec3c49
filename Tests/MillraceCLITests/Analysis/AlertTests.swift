// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import Testing

@testable import MillraceCLI

/// When alerts are raised and taken back, action by action.
@Suite struct AlertTests {
    private let watch = AlertWatch(above: AlertRate(argument: "0.5")!, quiet: .milliseconds(1)).middleware

    private func makeStore() -> LogStore {
        let state = LogState(producers: 1, maximumKeys: 100)
        let store = LogStore(initialState: state, reducer: .accessLog, middleware: watch)
        let minute = KeyDefinition(text: KeyText(bytes: [1]), number: 1, producer: 0, dimension: .minute)
        store.dispatch(.define(minute))
        return store
    }

    private func count(_ store: LogStore, _ events: Int, status: UInt16) {
        let event = AccessEvent(size: 1, host: 0, path: 0, minute: 1, method: 0, status: status, producer: 0)
        store.dispatch(contentsOf: Array(repeating: LogAction.event(event), count: events))
    }

    private func settle(_ store: LogStore) async {
        store.dispatch(.inputEnded)
        await store.drain()
        while watch.runningEffects > 0 { await Task.yield() }
        for _ in 1...2 { await store.drain() }
    }

    @Test func raisedOnceWithTheLatestFigures() async {
        let store = makeStore()
        count(store, 20, status: 500)
        await settle(store)
        #expect(store.state.alerts == [Alert(text: KeyText(bytes: [1]), events: 20, failures: 20, minute: 1)])
        count(store, 5, status: 404)
        await settle(store)
        #expect(store.state.alerts == [Alert(text: KeyText(bytes: [1]), events: 25, failures: 25, minute: 1)])
    }

    @Test func takenBackWhenTheMinuteRecovers() async {
        let store = makeStore()
        count(store, 20, status: 503)
        await settle(store)
        #expect(store.state.alerts.count == 1)
        count(store, 30, status: 200)
        await settle(store)
        #expect(store.state.alerts == [])
    }

    @Test func cancelledWhileItWaits() async {
        let patient = AlertWatch(above: AlertRate(argument: "50%")!, quiet: .seconds(3600)).middleware
        let store = LogStore(
            initialState: LogState(producers: 1, maximumKeys: 100),
            reducer: .accessLog,
            middleware: patient
        )
        store.dispatch(.define(KeyDefinition(text: KeyText(bytes: [1]), number: 1, producer: 0, dimension: .minute)))
        count(store, 20, status: 500)
        store.dispatch(.inputEnded)
        await store.drain()
        #expect(patient.runningEffects == 1)
        count(store, 20, status: 200)
        store.dispatch(.inputEnded)
        await store.drain()
        // Who waits for an hour finds out that nothing is to be told of any more.
        while patient.runningEffects > 0 { await Task.yield() }
        await store.drain()
        #expect(store.state.alerts == [])
    }

    /// It was due before the minute recovered, and waited in the queue behind the events that say so.
    @Test func takenBackWhenItComesTooLate() async {
        let store = makeStore()
        count(store, 20, status: 500)
        count(store, 30, status: 200)
        await settle(store)
        store.dispatch(.alert(Alert(text: KeyText(bytes: [1]), events: 20, failures: 20, minute: 1)))
        for _ in 1...2 { await store.drain() }
        #expect(store.state.alerts == [])
    }

    @Test func fewRequestsSayNothing() async {
        let store = makeStore()
        count(store, 9, status: 500)
        await settle(store)
        #expect(store.state.alerts == [])
    }

    @Test func rates() {
        #expect(AlertRate(argument: "0.05") == AlertRate(argument: "5%"))
        for text in ["", "x", "1", "-0.1", "100%", "nan", "5 %x"] {
            #expect(AlertRate(argument: text) == nil, "\(text)")
        }
    }
}
