// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

private enum Action: Equatable, Sendable {
    case number(Int)

    var number: Int? {
        switch self {
        case .number(let number): number
        }
    }
}

@Suite("Conformance: dispatching")
struct DispatchConformanceTests {
    private let primary = ActionSource(file: "Primary.swift", function: "tap()", line: 42, info: "a finger")
    private let received = Recorder<DispatchedAction<Action>>()
    private var target: AnyActionHandler<Action> { AnyActionHandler { [received] in received.record($0) } }

    @Test("A24: the source is the primary dispatcher through every map, contramap and erasure")
    func a24_sourceThroughHandlers() {
        let dispatched = DispatchedAction(1, dispatcher: primary)
        let routes: [() -> Void] = [
            { target.dispatch(dispatched.map(Action.number)) },
            { dispatched.compactMap(Action.number).map(target.dispatch) },
            { target.contramap(Action.number).dispatch(dispatched) },
            { target.contramap(Action.number).contramap { (text: String) in text.count }.dispatch("x", from: primary) },
            {
                target.eraseToAnyActionHandler().contramap(Action.number).eraseToAnyActionHandler().dispatch(dispatched)
            },
            { AnyActionHandler(target).dispatch(.number(1), from: primary) },
        ]
        for route in routes {
            received.clear()
            route()
            #expect(received.all == [DispatchedAction(.number(1), dispatcher: primary)])
        }
    }

    @Test("A24: the source is the primary dispatcher through every IO and every lift")
    func a24_sourceThroughMiddlewares() {
        let part = AnyMiddleware<Int, Int, Int> { action, dispatcher, _ in
            #expect(dispatcher == primary)
            return IO { $0.dispatch(action, from: dispatcher) }
        }
        let lifted = part.lift(inputAction: \Action.number, outputAction: Action.number, state: { (_: Void) in 0 })
        let composed = ComposedMiddleware<Action, Action, Void>() <> lifted
        let middlewares = [
            lifted,
            composed.eraseToAnyMiddleware(),
            lifted.named("part").eraseToAnyMiddleware(),
            lifted.bound(to: {}),
        ]
        for middleware in middlewares {
            received.clear()
            let io = middleware.handle(action: .number(1), from: primary, state: {})
            io.run(target)
            io.map { $0 }.run(target)
            io.flatMap { dispatched in IO { $0.dispatch(dispatched) } }.run(target)
            #expect(received.all == Array(repeating: DispatchedAction(.number(1), dispatcher: primary), count: 3))
        }
    }

    @Test("A24: equality of a dispatched action includes its source")
    func a24_equality() {
        let here = DispatchedAction(1)
        let there = DispatchedAction(1)
        #expect(here != there)
        #expect(here == DispatchedAction(1, dispatcher: here.dispatcher))
        #expect(Set([here, there, here]).count == 2)
    }

    @Test("A34: an IO may be run repeatedly")
    func a34_runTwice() {
        let io = IO<Action> { $0.dispatch(.number(1)) }
        for io in [io, io <> .pure(), io.map { $0 }] {
            received.clear()
            for _ in 0..<3 { io.run(target) }
            #expect(received.all.map(\.action) == [.number(1), .number(1), .number(1)])
        }
    }

    @Test("A34: outputs may be saved and used later, from any thread")
    func a34_savedOutputs() async {
        let saved = Shared<AnyActionHandler<Int>?>(nil)
        let part = AnyMiddleware<Int, Int, Int> { _, _, _ in IO { saved.value = $0 } }
        let lifted = part.lift(inputAction: \Action.number, outputAction: Action.number)
        lifted.handle(action: .number(0), from: primary, state: { 0 }).run(target)
        #expect(received.count == 0)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask { saved.value?.dispatch(number, from: primary) }
            }
        }
        #expect(Set(received.all.compactMap(\.action.number)) == Set(1...8))
        #expect(received.all.allSatisfy { $0.dispatcher == primary })
    }
}
