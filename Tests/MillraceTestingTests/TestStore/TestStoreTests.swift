// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite("Test stores")
struct TestStoreTests {
    @Test("a debounced search: two letters, one search")
    func search() {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: searchEffects)
        store.send(.typed("m")) { $0.text = "m" }
        store.assertRunning("search", count: 1)
        store.advance(by: .milliseconds(200))
        store.send(.typed("mi")) { $0.text = "mi" }
        store.advance(by: .milliseconds(349))
        store.assertRunning("search", count: 1)
        store.advance(by: .milliseconds(1))
        store.receive(.found(["MI"])) { $0.results = ["MI"] }
        store.assertIdle()
        store.finish()
        #expect(store.now == .milliseconds(550))
    }

    @Test("a cancelled effect sends nothing")
    func cancel() {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: searchEffects)
        store.send(.typed("m")) { $0.text = "m" }
        store.send(.left) { $0.text = "" }
        store.assertIdle()
        store.advance(by: .seconds(10))
        store.finish()
    }

    @Test("an answer waits for receive, and is handled then")
    func answer() async {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: Echo())
        store.send(.typed("a")) { $0.text = "a" }
        #expect(store.state.results == [])
        let results = store.receive(case: \.found) { $0.results = ["a"] }
        #expect(results == ["a"])
        await Task.yield()
        store.send(.typed("b")) { $0.text = "b" }
        store.receive(where: { $0.found == ["b"] }) { $0.results = ["b"] }
        store.finish()
    }

    @Test("what other code dispatches to the store waits, too; its source is known")
    func outside() {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer)
        store.store.dispatch(.failed)
        #expect(!store.state.isFailed)
        store.receive(.failed) { $0.isFailed = true }
    }

    @Test("an urgent action is handled before those that wait, which wait on")
    func urgent() {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: Echo())
        store.send(.typed("a")) { $0.text = "a" }
        store.store.dispatch(.left)
        store.send(urgent: .failed) { $0.isFailed = true }
        #expect(store.state == SearchState(text: "a", isFailed: true))
        store.receive(.found(["a"])) { $0.results = ["a"] }
        store.receive(.left) { $0.text = "" }
        store.send(urgent: .left)
        store.finish()
        #expect(store.store.metrics.urgentActions == 2)
    }

    @Test("reducers of an urgent action get the time of the step")
    func urgentTime() {
        let store = TestStore(
            initialState: 0,
            reducer: Reducer<Int, Int64>.reduceAt { _, time, state in state = time.nanosecondsSince1970 }
        )
        store.send(urgent: 1, at: ActionTime(nanosecondsSince1970: 77)) { $0 = 77 }
        store.send(urgent: 1) { $0 = 0 }
    }

    @Test("without time, an effect's task answers at once")
    func task() {
        let middleware = SimpleEffectMiddleware<Searching, SearchState>.onAction { action, _, _ in
            guard case .typed(let text) = action else { return .doNothing }
            return .task { _ in
                await Task.yield()
                return .found([text])
            }
        }
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: middleware)
        store.send(.typed("x")) { $0.text = "x" }
        store.receive(.found(["x"])) { $0.results = ["x"] }
        store.finish()
    }

    @Test("off: only what is declared is checked")
    func nonExhaustive() {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: Echo() <> searchEffects)
        store.exhaustivity = .off
        store.send(.typed("a"))
        store.send(.typed("b")) { $0.text = "b" }
        store.advance(by: .seconds(1))
        store.receive(.found(["B"])) { $0.results = ["B"] }
        store.send(.typed("c"))
    }

    @Test("skipping and settling handle what waits; skipped effects are cancelled")
    func skip() {
        let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: Echo() <> searchEffects)
        store.send(.typed("a")) { $0.text = "a" }
        store.skipReceivedActions()
        #expect(store.state.results == ["a"])
        store.send(.typed("b")) { $0.text = "b" }
        store.settle()
        #expect(store.state.results == ["b"])
        #expect(store.runningEffects == ["search"])
        store.skipRunningEffects()
        store.finish()
    }

    @Test("states that are not Equatable are compared by a closure")
    func equating() {
        struct Opaque { var count = 0 }
        let store = TestStore(
            initialState: Opaque(),
            reducer: Reducer<Int, Opaque>.reduce { action, state in state.count += action },
            middleware: IdentityMiddleware<Int, Int, Opaque>(),
            stateEquating: { $0.count == $1.count }
        )
        store.send(2) { $0.count = 2 }
        let failed = failures { store.send(3) { $0.count = 4 } }
        #expect(failed.count == 1)
        store.finish()
    }

    @MainActor
    @Test("a thousand test stores, on the main actor")
    func many() {
        for _ in 0..<1000 {
            let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: searchEffects)
            store.send(.typed("m")) { $0.text = "m" }
            store.advance(by: .milliseconds(350))
            store.receive(.found(["M"])) { $0.results = ["M"] }
        }
    }
}
