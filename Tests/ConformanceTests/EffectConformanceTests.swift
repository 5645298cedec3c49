// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// Effects and view models; those of single types are in the tests of their modules.
@Suite("Conformance: effects and view models", .timeLimit(.minutes(5)))
struct EffectConformanceTests {
    private typealias Effects = EffectMiddleware<Int, Int, Int, Void>

    @Test("A33: associativity and two-sided identity of effect middlewares")
    func a33_laws() {
        func effects(_ number: Int) -> Effects {
            .onAction { action, _, _ in action == number ? .doNothing : .sequence(10 * action + number, number) }
        }
        func outputs(_ middleware: Effects, _ action: Int) -> [Int] {
            let outputs = Recorder<Int>()
            middleware.handle(action: action, from: .here(), state: { 0 }).run { outputs.record($0.action) }
            return outputs.all
        }
        let (a, b, c) = (effects(1), effects(2), effects(3))
        for action in 0...3 {
            #expect(outputs((a <> b) <> c, action) == outputs(a <> (b <> c), action))
            #expect(outputs(a <> .identity, action) == outputs(a, action))
            #expect(outputs(.identity <> a, action) == outputs(a, action))
        }
        #expect(outputs(a <> b <> c, 0) == [1, 1, 2, 2, 3, 3])
    }

    @MainActor
    @Test("A13: view models retain the store; nothing else does, and a view model is released")
    func a13_viewModels() {
        weak var store: ReduxStoreBase<Int, Int>?
        weak var released: ObservableViewModel<Int, Int>?
        var model: ObservableViewModel<Int, Int>?
        do {
            let made = ReduxStoreBase(
                subject: .native(initialValue: 1),
                reducer: Reducer<Int, Int>.reduce { action, state in state += action },
                middleware: IdentityMiddleware<Int, Int, Int>()
            )
            store = made
            model = made.projection(action: { $0 }, state: { $0 }).asObservableViewModel(initialState: 0)
            released = model
        }
        model?.dispatch(1)
        #expect(store != nil)
        #expect(model?.state == 2)
        model = nil
        #expect(store == nil)
        #expect(released == nil)
    }
}
