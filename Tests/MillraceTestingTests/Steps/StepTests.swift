// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import XCTest

/// The form of SwiftRex's test cases. With XCTest: `assert` is a member of the test case there.
final class StepTests: XCTestCase {
    func testBuilder() {
        let isLong = true
        assert(
            initialValue: SearchState(),
            reducer: searchReducer,
            middleware: Echo(),
            steps: {
                Send(action: .typed("a")) { $0.text = "a" }
                Receive(action: .found(["a"])) { $0.results = ["a"] }
                if isLong {
                    Send(action: .typed("b")).expectStateToHaveChanged { $0.text = "b" }
                    Receive(isExpectedAction: { $0.found != nil }).expectStateToHaveChanged { $0.results = ["b"] }
                }
                for text in ["c", "d"] {
                    Send(action: .typed(text)) { $0.text = text }
                    Receive(action: .found([text])) { $0.results = [text] }
                }
                SideEffectResult {}
                [Send<Searching, SearchState>(action: .failed) { $0.isFailed = true }.asStep]
            }
        )
    }

    func testVariadic() {
        assert(
            initialValue: SearchState(),
            reducer: searchReducer,
            middleware: Echo(),
            steps: Send(action: .typed("a")) { $0.text = "a" }.asStep,
            Receive(action: .found(["a"])) { $0.results = ["a"] }.asStep
        )
        assert(
            initialValue: SearchState(),
            reducer: searchReducer,
            middleware: Echo(),
            stateEquating: ==,
            steps: Send(action: .failed) { $0.isFailed = true }.asStep
        )
        assert(
            initialValue: SearchState(),
            reducer: searchReducer,
            middleware: Echo(),
            stateEquating: { $0.text == $1.text },
            steps: {
                Send(action: .failed)
            }
        )
    }

    func testWaitsForTheFirst() {
        let slow = SimpleEffectMiddleware<Searching, SearchState>.onAction { action, _, _ in
            guard case .typed(let text) = action else { return .doNothing }
            return .task { _ in .found([text]) }
        }
        assert(
            initialValue: SearchState(),
            reducer: searchReducer,
            middleware: slow,
            steps: {
                Send(action: .typed("a")) { $0.text = "a" }
                Receive(action: .found(["a"])) { $0.results = ["a"] }
            }
        )
    }

    /// No re-entrancy: an output does not come to the reducer by itself.
    func testFailures() {
        let line = UInt(#line)
        let found = failures {
            assert(
                initialValue: SearchState(),
                reducer: searchReducer,
                middleware: Echo(),
                steps: {
                    Send(action: .typed("a"))
                    Send(action: .left) { $0.text = "" }
                    Receive(action: .failed) { $0.results = ["a"] }
                    Receive(action: .failed)
                    Send(action: .typed("b")) { $0.text = "b" }
                }
            )
        }
        XCTAssertEqual(
            found.map(\.message),
            [
                """
                After '.typed("a")' the state is not as expected (- expected, + actual):
                      SearchState(
                    -   text: ""
                    +   text: "a"
                        results: []
                        isFailed: false
                """,
                "Action sent before 1 received actions were handled by a Receive: \n    .found([\"a\"])",
                """
                Another action was received than expected: '.found(["a"])'
                    - .failed
                    + .found(
                    +   [
                    +     "a"
                    +   ]
                    + )
                """,
                "No action was received: expected '.failed'",
                "At the end, 1 received actions were not handled by a Receive: \n    .found([\"b\"])",
            ]
        )
        XCTAssertEqual(found.map { $0.line - Int(line) }, [7, 8, 9, 10, 2])
    }
}
