// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private enum Phase: Hashable, Sendable { case a, b, c }

private struct Machine: Equatable, Sendable {
    var phase = Phase.a
    var user: String?
}

/// The action is what the reducers do, one after the other.
private typealias Steps = [Phase]
private typealias StateMachine = StateMachineMiddleware<Steps, String, Machine>

@Suite("StateMachineMiddleware")
struct StateMachineMiddlewareTests {
    private let reducer = Reducer<Steps, Machine>.reduce { steps, state in
        for phase in steps { state.phase = phase }
    }

    /// What is dispatched for each action, by the machine as it is and by one that a store took.
    private func outputs(_ machine: StateMachine, _ actions: [Steps]) -> [[[String]]] {
        let live = Shared(Machine())
        return unboundAndBound(machine, state: live).map { machine in
            live.value = Machine()
            return actions.map { action in
                let sink = SinkSpy<String>()
                cycle(machine, action, state: live, reducer: reducer, output: sink)
                return sink.log.all.map(\.action)
            }
        }
    }

    private let machine = StateMachine()
        .when(\.phase, from: .a, to: .b, dispatch: "a to b")
        .when(\.phase, from: .value(.b), dispatch: "b to any")
        .when(\.phase, to: .value(.c), dispatch: "any to c")
        .when(\.phase, dispatch: "any to any")
        .when(\.phase, from: .b, to: .b, dispatch: "never")
        .when(\.phase, from: .a, to: .c, dispatch: "a to c")

    @Test("both ends are compared, each with its own value")
    func edges() {
        for outputs in outputs(machine, [[.b], [.c], [.b], [.a], [.c], [.a]]) {
            #expect(
                outputs == [
                    ["a to b", "any to any"],
                    ["b to any", "any to c", "any to any"],
                    ["any to any"],
                    ["b to any", "any to any"],
                    ["any to c", "any to any", "a to c"],
                    ["any to any"],
                ]
            )
        }
    }

    @Test("a value that stays, or comes back within one action, is no transition")
    func staying() {
        for outputs in outputs(machine, [[], [.a], [.b, .a], [.b], [.b], [.c, .b], []]) {
            #expect(outputs == [[], [], [], ["a to b", "any to any"], [], [], []])
        }
    }

    @Test("what is passed through within one action is not seen")
    func passingThrough() {
        for outputs in outputs(machine, [[.b, .c]]) {
            #expect(outputs == [["any to c", "any to any", "a to c"]])
        }
    }

    @Test("the whole state, and an optional part of it")
    func wholeStateAndOptional() {
        let machine = StateMachine()
            .when(from: Machine(), to: Machine(phase: .b), dispatch: "whole")
            .when(to: .value(Machine(phase: .c)), dispatch: "whole to c")
            .when(\.user, from: nil, to: "u", dispatch: "user")
            .when(\.user, from: .value(nil), dispatch: "user from nil")
        for outputs in outputs(machine, [[.b], [.c]]) {
            #expect(outputs == [["whole"], ["whole to c"]])
        }
        let live = Shared(Machine())
        for machine in unboundAndBound(machine, state: live) {
            live.value = Machine()
            let sink = SinkSpy<String>()
            let logIn = Reducer<Steps, Machine>.reduce { _, state in state.user = "u" }
            cycle(machine, [], state: live, reducer: logIn, output: sink)
            cycle(machine, [], state: live, reducer: logIn, output: sink)
            #expect(sink.log.all.map(\.action) == ["user", "user from nil"])
        }
    }

    @Test("the source is that of the action; its info ends with the place of the rule")
    func sources() {
        let machine = StateMachine().when(\.phase, dispatch: "x", file: "App/Machine.swift", line: 3)
        let live = Shared(Machine())
        for machine in unboundAndBound(machine, state: live) {
            live.value = Machine()
            let sink = SinkSpy<String>()
            cycle(machine, [.b], state: live, reducer: reducer, output: sink)
            #expect(sink.log.all.map(\.source.info) == ["transition at App/Machine.swift:3"])
            #expect(sink.log.all.map(\.source.line) == [1])
            #expect(sink.log.all.map(\.cause) == [ActionCause(parent: 5, root: 3)])
        }
    }

    @Test("two stores that took the same machine do not share a memory")
    func memories() {
        let (one, two) = (Shared(Machine()), Shared(Machine(phase: .b)))
        let (first, second) = (machine.bound(to: { one.value }), machine.bound(to: { two.value }))
        // The second's action begins and ends between the two halves of the first's.
        let sinks = (SinkSpy<String>(), SinkSpy<String>())
        _ = first.handle(action: [.b], from: .a, state: { one.value })
        cycle(second, [.c], state: two, reducer: reducer, output: sinks.1)
        one.value.phase = .b
        first.afterReduce(
            action: [.b],
            from: .a,
            state: { one.value },
            output: AnyActionHandler(sink: sinks.0)
        )
        #expect(sinks.0.log.all.map(\.action) == ["a to b", "any to any"])
        #expect(sinks.1.log.all.map(\.action) == ["b to any", "any to c", "any to any"])
    }

    @Test("who hears of the end of an action only, is told nothing")
    func endWithoutStart() {
        let live = Shared(Machine())
        let machine = machine.bound(to: { live.value })
        let sink = SinkSpy<String>()
        cycle(machine, [.b], state: live, reducer: reducer, output: sink)
        sink.log.clear()
        live.value.phase = .c
        machine.afterReduce(action: [.c], from: .a, state: { live.value }, output: AnyActionHandler(sink: sink))
        #expect(sink.log.count == 0)
    }

    @Test("a rule changes no other machine; one without rules has no afterReduce")
    func values() {
        #expect(!StateMachine().hasAfterReduce)
        let one = StateMachine().when(\.phase, dispatch: "one")
        for outputs in outputs(one.when(\.phase, dispatch: "two"), [[.b]]) { #expect(outputs == [["one", "two"]]) }
        for outputs in outputs(one, [[.b]]) { #expect(outputs == [["one"]]) }
    }
}
