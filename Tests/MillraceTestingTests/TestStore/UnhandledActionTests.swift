// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite("A test store: actions that nobody handles, and the order of effects")
struct UnhandledActionTests {
    private enum Step: Sendable, Equatable { case run(Int), first(Int), second(Int), cancelFirst, done(Int) }

    @Test("an action that is sent to a closed store")
    func closed() {
        let found = failures {
            let store = TestStore(initialState: 0, reducer: Reducer<Int, Int>.identity)
            store.send(1)
            store.store.close()
            store.send(2)
            store.finish()
        }
        #expect(found.map(\.message) == ["The store has not handled '2': it is closed, or has dropped the action."])
    }

    @Test("an action that is dispatched after the end of the test was checked")
    func afterFinish() {
        let found = failures {
            let store = TestStore(initialState: 0, reducer: Reducer<Int, Int>.identity)
            store.finish()
            store.store.dispatch(7)
        }
        #expect(found.count == 1)
        #expect(found.first?.message.hasPrefix("At the end of the test, it has not received '7'") == true)
    }

    @Test("effects begin, and are listed, in the order in which they were admitted, whatever their tokens are")
    func order() {
        // Of each token one effect runs, one waits until that one ends, and one waits behind it.
        let effects = SimpleEffectMiddleware<Step, [Int]>.onAction { step, _, _ in
            switch step {
            case .run(let number):
                .just(.done(-1)).delay(for: .seconds(9)).withToken("token \(number)", policy: .concurrent(max: 2))
                    .named("run \(number)")
            case .first(let number):
                .just(.done(-1)).withToken("token \(number)", policy: .serial).named("first")
            case .second(let number):
                .just(.done(number)).withToken("token \(number)", policy: .concurrent(max: 2)).named("second")
            case .cancelFirst: .toCancel { $0.name == "first" }
            case .done: .doNothing
            }
        }
        let store = TestStore(
            initialState: [],
            reducer: Reducer<Step, [Int]>.reduce { step, numbers in
                if case .done(let number) = step { numbers.append(number) }
            },
            middleware: effects
        )
        let numbers = Array(0..<12)
        for number in numbers {
            store.send(.run(number))
            store.send(.first(number))
            store.send(.second(number))
        }
        #expect(store.runningEffects.prefix(12) == numbers.map { "run \($0)" }[...])
        store.send(.cancelFirst)
        for number in numbers { store.receive(.done(number)) { $0.append(number) } }
        store.skipRunningEffects()
        store.finish()
    }
}
