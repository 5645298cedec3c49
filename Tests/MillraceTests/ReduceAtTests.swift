// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

@Suite("Reducer.reduceAt")
struct ReduceAtTests {
    struct AppState: Sendable {
        var times: [ActionTime] = []
        var part: [ActionTime] = []
        /// Of a reducer that reads a clock a second time, after the others.
        var after: [ActionTime] = []
    }

    private let reducer: Reducer<Int, AppState> =
        Reducer<Int, AppState>.reduceAt { _, time, state in
            state.times.append(time)
            // So that a second look at the clock would be seen.
            let end = ActionTime.now + .microseconds(20)
            while ActionTime.now < end {}
        }
        <> Reducer<Int, [ActionTime]>.reduceAt { _, time, times in times.append(time) }.lift(state: \AppState.part)
        <> Reducer<Int, AppState>.reduce { _, state in state.after.append(.now) }

    @Test("all reducers of an action get the time at which it was taken up, in lifts, too", arguments: engines)
    func store(engine: StoreEngine) async {
        let before = ActionTime.now
        let store = ReduxStoreBase(initialState: AppState(), reducer: reducer, engine: engine)
        for action in 0..<100 { store.dispatch(action) }
        await store.drain()
        let state = store.state
        #expect(state.times.count == 100)
        #expect(state.part == state.times)
        #expect(zip(state.times, state.after).allSatisfy { $0 + .microseconds(20) <= $1 })
        // Each action has a time of its own: the reducers of one take longer than the clock's step.
        #expect(Set(state.times).count == 100)
        #expect(state.times.allSatisfy { before <= $0 && $0 <= .now })
    }

    @Test("of two stores on one thread each has its own time")
    func nested() {
        let times = Recorder<ActionTime>()
        let note = Reducer<Int, Int>.reduceAt { _, time, _ in times.record(time) }
        let inner = ReduxStoreBase(initialState: 0, reducer: note, engine: .caller)
        let outer = ReduxStoreBase(
            initialState: 0,
            reducer: note
                <> .reduce { action, _ in
                    let end = ActionTime.now + .microseconds(20)
                    while ActionTime.now < end {}
                    inner.dispatch(action)
                } <> note,
            engine: .caller
        )
        outer.dispatch(1)
        #expect(times.count == 3)
        #expect(times.all[0] == times.all[2])
        #expect(times.all[0] + .microseconds(20) <= times.all[1])
    }

    @Test("a middleware that reduces on a copy of the state gets the time of its own action", arguments: engines)
    func onACopy(engine: StoreEngine) async {
        let copies = Recorder<ActionTime>()
        let reducer = Reducer<Int, [ActionTime]>.reduceAt { _, time, times in times.append(time) }
        let store = ReduxStoreBase(
            initialState: [],
            reducer: reducer,
            middleware: Handle<Int, [ActionTime]> { action, _, state in
                IO { _ in
                    var copy: [ActionTime] = []
                    reducer.reduce(action, &copy)
                    copies.record(copy[0])
                }
            },
            engine: engine
        )
        for action in 0..<10 { store.dispatch(action) }
        await store.drain()
        // Not the time of the next action, which the IO would then take before that action is there.
        #expect(copies.all == store.state)
        #expect(copies.count == 10)
    }

    @Test("outside of a store each call gets the time now")
    func outside() {
        var state = AppState()
        reducer.reduce(1, &state)
        #expect(state.times.count == 1 && state.part.count == 1)
        #expect(state.times[0] + .microseconds(20) <= state.part[0])
    }

    @Test("times and durations: sums and differences, clamped where they do not fit")
    func arithmetic() {
        let time = ActionTime(nanosecondsSince1970: 1_000)
        #expect(time + .seconds(2) == ActionTime(nanosecondsSince1970: 2_000_001_000))
        #expect(time.advanced(by: .nanoseconds(-1_001)) == ActionTime(nanosecondsSince1970: -1))
        #expect(time.duration(to: time + .milliseconds(3)) == .milliseconds(3))
        #expect((time + .milliseconds(3)) - time == .milliseconds(3))
        let (earliest, latest) = (
            ActionTime(nanosecondsSince1970: .min), ActionTime(nanosecondsSince1970: .max)
        )
        for step in [Duration.seconds(Int64.max), .nanoseconds(Int64.max)] {
            #expect(time + step == latest)
            #expect(ActionTime(nanosecondsSince1970: -2_000) - step == earliest)
        }
        #expect(time - .seconds(Int64.min) == latest, "which has no negative counterpart")
        #expect(earliest.duration(to: latest) == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
    }
}
