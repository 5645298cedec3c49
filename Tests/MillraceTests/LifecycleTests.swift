// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Millrace

/// The table of transitions in `Lifecycle.swift`.
@Suite("Lifecycle")
struct LifecycleTests {
    enum Event: CaseIterable {
        case close, closeAsOnlyReference, endIntake, finish, end

        func happen(to machine: LifecycleMachine) {
            switch self {
            case .close: _ = machine.close(isOnlyReference: false)
            case .closeAsOnlyReference: _ = machine.close(isOnlyReference: true)
            case .endIntake: machine.endIntake()
            case .finish: machine.finish()
            case .end: machine.end()
            }
        }
    }

    private static let transitions: [Lifecycle: [Event: Lifecycle]] = [
        .open: [.close: .closing, .closeAsOnlyReference: .draining],
        .closing: [.endIntake: .draining, .closeAsOnlyReference: .draining],
        .draining: [.finish: .finished],
        .finished: [.end: .ended],
        .ended: [:],
    ]

    private func machine(in state: Lifecycle) -> LifecycleMachine {
        let machine = LifecycleMachine()
        let events: [Event] = [.close, .endIntake, .finish, .end]
        for event in events.prefix(Int(state.rawValue)) { event.happen(to: machine) }
        return machine
    }

    @Test("every event in every state leads to the state of the table", arguments: Lifecycle.allCases, Event.allCases)
    func transition(state: Lifecycle, event: Event) throws {
        let machine = machine(in: state)
        #expect(machine.current == state)
        event.happen(to: machine)
        #expect(machine.current == Self.transitions[state]?[event] ?? state)
    }

    @Test("the one who closes a store waits for its producers, unless there are none")
    func closing() {
        let machine = LifecycleMachine()
        #expect(machine.close(isOnlyReference: false) == .waitsForProducers)
        #expect(machine.close(isOnlyReference: false) == .wasClosed)
        #expect(machine.close(isOnlyReference: true) == .drains)
        #expect(machine.close(isOnlyReference: true) == .wasClosed)
        #expect(LifecycleMachine().close(isOnlyReference: true) == .drains)
    }

    @Test("of many threads that close a store one is told to wait")
    func race() {
        for _ in 0..<200 {
            let machine = LifecycleMachine()
            let chosen = Shared(0)
            onThreads(4) { _ in
                if machine.close(isOnlyReference: false) == .waitsForProducers { chosen.update { $0 += 1 } }
            }
            #expect(chosen.value == 1)
        }
    }

    @Test("a store goes from open to ended", arguments: engines)
    func store(engine: StoreEngine) async {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: engine)
        #expect(store.core.consumer.lifecycle.current == .open)
        store.dispatch(1)
        #expect(await store.shutdown().isComplete)
        #expect(store.core.consumer.lifecycle.current == .ended)
    }
}
