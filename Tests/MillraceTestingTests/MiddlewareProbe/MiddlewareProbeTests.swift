// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import Testing

@testable import MillraceTesting

@Suite("Middleware probes")
struct MiddlewareProbeTests {
    @Test("effects: the clock is moved by hand")
    func effects() {
        let probe = MiddlewareProbe(searchEffects, state: SearchState())
        #expect(probe.send(.typed("m")).isEmpty)
        #expect(probe.runningEffects == ["search"])
        #expect(probe.advance(by: .milliseconds(349)).isEmpty)
        #expect(probe.advance(by: .milliseconds(1)).map(\.action) == [.found(["M"])])
        #expect(probe.runningEffects.isEmpty)
    }

    @Test("an IO reads the state after the reducer; sources are known")
    func io() throws {
        let probe = MiddlewareProbe(Echo(), state: SearchState(text: "before"))
        #expect(probe.send(.typed("x")).map(\.action) == [.found(["before"])])
        let outputs = probe.send(.typed("x")) { $0.text = "after" }
        #expect(outputs.map(\.action) == [.found(["after"])])
        #expect(try #require(outputs.first).dispatcher.file.hasSuffix("/SearchFixture.swift"))
        probe.state.text = "set"
        #expect(probe.state.text == "set")
        #expect(probe.send(.typed("x")).map(\.action) == [.found(["set"])])
    }

    @Test("the store has the order that the test names", arguments: ActionOrder.allCases)
    func order(order: ActionOrder) {
        let probe = MiddlewareProbe(Echo(), state: SearchState(), order: order)
        #expect(probe.send(.typed("x")).map(\.action) == [.found([""])])
        #expect(probe.store.metrics.internalActions == (order == .internalFirst ? 1 : 0))
    }

    @Test("input and output of two types; the source of the input")
    func twoTypes() {
        struct Line: MiddlewareProtocol {
            func handle(action: Int, from source: ActionSource, state: @escaping GetState<String>) -> IO<String> {
                IO { output in
                    for _ in 0..<action { output.dispatch("\(state()) \(source.line)") }
                }
            }
        }
        let probe = MiddlewareProbe(Line(), state: "line")
        let here: UInt = #line + 1
        #expect(probe.send(2).map(\.action) == ["line \(here)", "line \(here)"])
        let source = ActionSource(file: "a", function: "b", line: 7)
        #expect(probe.send(1, from: source).map(\.action) == ["line 7"])
    }

    @Test("a cancelled effect's waiting action is not returned; nothing returns twice")
    func once() {
        let probe = MiddlewareProbe(searchEffects, state: SearchState())
        probe.send(.typed("m"))
        probe.send(.left)
        #expect(probe.advance(by: .seconds(1)).isEmpty)
        probe.send(.typed("n"))
        probe.advance(by: .seconds(1))
        #expect(probe.advance(by: .seconds(1)).isEmpty)
    }

    @Test("a task that never ends without time is found, by probe and store")
    func endless() {
        let turning = SimpleEffectMiddleware<Int, Int>.onAction { _, _, _ in
            .task { _ in
                while !Task.isCancelled { await Task.yield() }
                return nil
            }
        }
        let message = """
            cannot go on: the run did not end within 1000000 steps; give a time limit, or more steps, if it may take longer.
            """
        let found = failures {
            let probe = MiddlewareProbe(turning, state: 0)
            probe.send(1)
            probe.send(1)
            let store = TestStore(initialState: 0, reducer: .identity, middleware: turning)
            store.send(1)
            store.send(1)
        }
        #expect(found.map(\.message) == ["The probe \(message)", "The test store \(message)"])
    }
}
