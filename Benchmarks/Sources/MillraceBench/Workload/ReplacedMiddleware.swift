// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects

/// A middleware of a class, whose effects replace the effect middleware in it while that one handles an action.
///
/// Checked here and not by the unit tests: only an optimised build would free the old middleware too early.
final class ReplacedMiddleware: MiddlewareProtocol, @unchecked Sendable {
    // Unchecked: only the thread that dispatches uses it.
    private var inner = SimpleEffectMiddleware<Int, Int>.identity

    /// Ends the program if the old middleware is freed too early, or throws if an action was lost.
    static func check() throws {
        for answers in [false, true] {
            let holder = ReplacedMiddleware()
            holder.inner = .onAction { [unowned holder] action, _, _ in
                if action == 1 { holder.inner = .onAction { _, _, _ in .doNothing } }
                // Uses the memory that was freed, if it was.
                let filling = (0..<200).map { Filling(number: $0) }
                let sum = filling.reduce(0) { $0 + $1.number }
                return answers && action < 100 ? .just(action + sum) : .doNothing
            }
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
                middleware: holder,
                engine: .caller
            )
            store.dispatch(1)
            store.dispatch(2)
            guard store.state == (answers ? 3 : 2) else {
                throw BenchmarkError.wrongResult(
                    contender: "an effect that replaces its middleware",
                    expected: "\(answers ? 3 : 2) actions",
                    found: "\(store.state)"
                )
            }
        }
    }

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
        inner.handle(action: action, from: dispatcher, state: state)
    }

    var hasAfterReduce: Bool { inner.hasAfterReduce }

    func afterReduce(
        action: Int,
        from dispatcher: ActionSource,
        state: @escaping GetState<Int>,
        output: AnyActionHandler<Int>
    ) {
        inner.afterReduce(action: action, from: dispatcher, state: state, output: output)
    }

    func bind(_ binding: MiddlewareBinding<Int, Int>) { inner.bind(binding) }
}

/// An object of the size of the ones that the middleware holds.
private final class Filling {
    let number: Int
    var first = 0
    var second = 0
    var third = 0

    init(number: Int) { self.number = number }
}
