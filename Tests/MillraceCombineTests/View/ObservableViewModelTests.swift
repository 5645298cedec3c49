// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import MillraceCore
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

@Suite("ObservableViewModel")
struct ObservableViewModelTests {
    struct State: Sendable, Equatable {
        var count = 0
        var other = 0
    }

    private func makeStore() -> ReduxStoreBase<Int, State> {
        ReduxStoreBase(
            initialState: State(count: 5),
            reducer: Reducer<Int, State>.reduce { action, state in
                if action == 0 { state.other += 1 } else { state.count += action }
            },
            middleware: IdentityMiddleware<Int, Int, State>(),
            engine: .caller,
            publication: .everyAction
        )
    }

    private func model(_ store: ReduxStoreBase<Int, State>) -> ObservableViewModel<Int, Int> {
        store.projection(action: { (action: Int) in action }, state: { $0.count }).asObservableViewModel(
            initialState: -1
        )
    }

    final class Weak: @unchecked Sendable {
        // Unchecked: everything in this test is on one thread.
        weak var value: ObservableViewModel<Int, Int>?
        init(_ value: ObservableViewModel<Int, Int>) { self.value = value }
    }

    @Test("statePublisher gives each subscriber the current state, and no state twice in a row")
    func statePublisher() {
        let model = model(makeStore())
        let first = Recorder<Int>()
        let second = Recorder<Int>()
        let a = model.statePublisher.sink { @Sendable in first.record($0) }
        model.dispatch(1)
        let b = model.statePublisher.sink { @Sendable in second.record($0) }
        model.dispatch(0)
        model.dispatch(1)
        #expect(first.all == [5, 6, 7])
        #expect(second.all == [6, 7])
        withExtendedLifetime((a, b)) {}
    }

    @Test("it keeps the store; released, it is gone, and listens no more")
    func life() {
        weak var store: ReduxStoreBase<Int, State>?
        var kept: ObservableViewModel<Int, Int>?
        do {
            let made = makeStore()
            store = made
            kept = model(made)
        }
        #expect(store != nil)
        kept?.dispatch(1)
        #expect(kept?.state == 6)
        let released = kept.map(Weak.init)
        kept = nil
        #expect(released?.value == nil)
        #expect(store == nil)
    }

    @Test("sources pass through")
    func source() {
        let sources = Recorder<ActionSource>()
        let store = AnyStoreType<Int, Int>(
            action: { sources.record($0.dispatcher) },
            state: UnfailableSubject<Int>.native().publisher
        )
        let line = UInt(#line) + 1
        store.asObservableViewModel(initialState: 0, emitsValue: .always).dispatch(1)
        #expect(sources.all.map(\.line) == [line])
    }

    #if DEBUG
        @Test("a mock runs its closure inline, and tells every state, changed or not")
        func mock() {
            let log = Recorder<Int>()
            let model = ObservableViewModel<Int, Int>.mock(state: 3) { action, _, state in state += action }
            #expect(model.state == 3)
            let cancellable = model.objectWillChange.sink { @Sendable _ in log.record(1) }
            model.dispatch(2)
            #expect(model.state == 5)
            model.dispatch(0)
            #expect(log.count == 2)
            #expect(ObservableViewModel<Int, String>.mock(state: "still").state == "still")
            withExtendedLifetime(cancellable) {}
        }
    #endif
}
