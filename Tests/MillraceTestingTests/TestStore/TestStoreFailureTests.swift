// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

/// Each message of a test store, word for word.
@Suite("Test stores: failures")
struct TestStoreFailureTests {
    private func makeStore() -> TestStore<Searching, SearchState> {
        TestStore(initialState: SearchState(), reducer: searchReducer, middleware: Echo() <> searchEffects)
    }

    @Test("a change that is not declared, with the difference and the line")
    func undeclared() {
        let line = #line + 3
        let found = failures {
            let store = TestStore(initialState: SearchState(), reducer: searchReducer)
            store.send(.typed("m"))
        }
        #expect(
            found.map(\.message) == [
                """
                Sending '.typed("m")' changed the state, but the step declares no change (- declared, + actual):
                      SearchState(
                    -   text: ""
                    +   text: "m"
                        results: []
                        isFailed: false
                """
            ]
        )
        #expect(found.first?.line == line)
        #expect(found.first?.fileID == #fileID)
    }

    @Test("another change than declared")
    func otherChange() {
        let found = failures {
            let store = TestStore(initialState: SearchState(), reducer: searchReducer)
            store.send(.found(["a", "b"])) { $0.results = ["a"] }
        }
        #expect(
            found.map(\.message) == [
                """
                Sending '.found(["a", "b"])' did not change the state as the step declares (- declared, + actual):
                        results: [
                          "a"
                    +     "b"
                        ]
                        isFailed: false
                """
            ]
        )
    }

    @Test("urgent: another urgent action waits, the change is not declared, the store is closed")
    func urgent() {
        let line = #line + 4
        let found = failures {
            let store = TestStore(initialState: SearchState(), reducer: searchReducer)
            store.store.dispatch(urgent: .found(["a"]), file: "A.swift", function: "f", line: 3)
            store.send(urgent: .failed) { $0.isFailed = true }
            store.send(urgent: .left) { $0.text = "a" }
            store.store.close()
            store.send(urgent: .left)
        }
        #expect(
            found.map { $0.message.split(separator: "\n")[0] } == [
                "Before this step, the test must receive '.found([\"a\"])', dispatched at A.swift:3 f (now handled without a check).",
                "Sending '.left' did not change the state as the step declares (- declared, + actual):",
                "The store has not handled '.left': it is closed, or has dropped the action.",
            ]
        )
        #expect(found.first?.line == line)
    }

    @Test("an action that waits at the next send")
    func waitingAtSend() {
        let found = failures {
            let store = makeStore()
            store.exhaustivity = .on
            store.send(.typed("a")) { $0.text = "a" }
            store.send(.left) { $0.text = "" }
            store.finish()
        }
        #expect(found.count == 1)
        #expect(
            found.first?.message.hasPrefix(
                "Before this step, the test must receive '.found([\"a\"])', dispatched at \(#fileID.prefix { $0 != "/" })/SearchFixture.swift:"
            ) == true
        )
    }

    @Test("an action that waits, and an effect that runs, at the end; by finish, and by the release")
    func end() {
        for isExplicit in [true, false] {
            let found = failures {
                let store = makeStore()
                store.send(.typed("a")) { $0.text = "a" }
                if isExplicit { store.finish() }
            }
            #expect(found.count == 2)
            #expect(
                found.first?.message.hasPrefix("At the end of the test, it has not received '.found([\"a\"])'") == true
            )
            #expect(
                found.last?.message == """
                    At the end of the test, search still runs. Advance the clock, cancel the effects by an action, or call \
                    skipRunningEffects(). The next timer is due in 0.3 seconds: see advance(by:).
                    """
            )
        }
    }

    @Test("nothing to receive, and another action than expected")
    func receive() {
        let found = failures {
            let store = makeStore()
            store.send(.typed("a")) { $0.text = "a" }
            store.receive(.found(["b"])) { $0.results = ["b"] }
            store.receive(.failed)
            store.skipReceivedActions()
            store.receive(case: \.found)
            store.receive(where: { _ in true })
            store.skipRunningEffects()
        }
        #expect(found.count == 5)
        #expect(
            found[0].message.hasPrefix(
                "The test expects '.found([\"b\"])', but the next action is '.found([\"a\"])', dispatched at "
            )
        )
        #expect(found[0].message.hasSuffix("\n        [\n    -     \"b\"\n    +     \"a\"\n        ]\n      )"))
        let hint = " The next timer is due in 0.3 seconds: see advance(by:)."
        #expect(found[1].message == "The test expects '.failed', but no action waits.\(hint)")
        #expect(found[2].message == "There is no action to skip: none waits.\(hint)")
        #expect(
            found[3].message
                == "The test expects an action of the case with a value of type Array<String>, but no action waits.\(hint)"
        )
        #expect(
            found[4].message == "The test expects an action that fulfils the condition, but no action waits.\(hint)"
        )
    }

    @Test("off: the expected action does not come")
    func receiveOff() {
        let found = failures {
            let store = makeStore()
            store.exhaustivity = .off
            store.send(.typed("a"))
            store.receive(.failed)
        }
        #expect(found.count == 1)
        #expect(
            found.first?.message.hasPrefix(
                "The test expects '.failed', but no such action waits. There was '.found([\"a\"])', dispatched at "
            ) == true
        )
    }

    @Test("effects by token")
    func effects() {
        let found = failures {
            let store = makeStore()
            store.assertRunning("search")
            store.send(.typed("a")) { $0.text = "a" }
            store.skipReceivedActions()
            store.assertRunning("search", count: 2)
            store.assertWaiting("search")
            store.assertNotRunning("search")
            store.assertNotRunning("other")
            store.assertIdle()
            store.skipRunningEffects()
        }
        let hint = " The next timer is due in 0.3 seconds: see advance(by:)."
        #expect(
            found.map(\.message) == [
                "Effects 'search' that are running: the test expects at least 1, there are 0. No effect is under way.",
                "Effects 'search' that are running: the test expects 2, there are 1. Under way: search.\(hint)",
                "Effects 'search' that are waiting: the test expects at least 1, there are 0. Under way: search.\(hint)",
                "No effect 'search' should be under way, but search is.\(hint)",
                "No effect should be under way, but search is.\(hint)",
            ]
        )
    }

    @Test("a closure that throws")
    func throwing() {
        struct Oops: Error {}
        let found = failures {
            let store = TestStore(initialState: SearchState(), reducer: searchReducer)
            store.send(.failed) { _ in throw Oops() }
        }
        #expect(found.map(\.message) == ["The closure of this step threw an error: Oops()"])
    }

    @Test("without a reporter, the running test fails at the line of the step")
    func issue() {
        withKnownIssue {
            let store = TestStore(initialState: SearchState(), reducer: searchReducer, middleware: searchEffects)
            store.send(.typed("a"))
            store.advance(by: .seconds(1))
            store.skipReceivedActions()
        } matching: { issue in
            issue.sourceLocation?.fileID == #fileID && issue.comments.first?.rawValue.hasPrefix("Sending") == true
        }
    }
}
