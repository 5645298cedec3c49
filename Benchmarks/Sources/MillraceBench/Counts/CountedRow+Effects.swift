// SPDX-License-Identifier: Apache-2.0

import MillraceEffects

extension CountedRow {
    /// Rows that handle an action and its effect, most of them without a store.
    static var effects: [CountedRow] {
        [
            CountedRow("effects: none", tolerance: 0.1) { effect { _, _ in .doNothing } },
            CountedRow("effects: just") { effect { number, _ in .just(number) } },
            CountedRow("effects: just, with a token") {
                effect { number, _ in NumberEffect.just(number).withToken(number & 7) }
            },
            CountedRow("effects: ended by a callback") {
                effect { number, ends in NumberEffect { _, sink in ends.end(sink, number) } }
            },
            CountedRow("effects: ended by a callback, with a token") {
                effect { number, ends in NumberEffect(token: number & 7) { _, sink in ends.end(sink, number) } }
            },
            CountedRow("effects: ended by a callback, serial") {
                effect { number, ends in NumberEffect(token: 0, policy: .serial) { _, sink in ends.end(sink, number) } }
            },
            CountedRow("effects: replaced by the next") {
                effect { _, _ in NumberEffect(token: 0) { _, _ in } }
            },
            CountedRow("effects: just, and its answer in a store") { answered(AnsweredStore.just) },
            CountedRow("effects: just with a token, and its answer in a store") {
                answered(AnsweredStore.justWithToken)
            },
            CountedRow("effects: supervised in a store, nothing changed") {
                batches(
                    store(
                        SimpleEffectMiddleware<AppAction, AppState>.supervise(by: { $0.names.count }) { count in
                            (0..<count).map { SupervisedEffect($0, .doNothing) }
                        }
                    )
                )
            },
            CountedRow("effects: supervised, nothing changed") {
                let state = Array(0..<100)
                let middleware = SimpleEffectMiddleware<Int, [Int]>.supervise { numbers in
                    numbers.map { SupervisedEffect($0, NumberEffect { _, _ in }) }
                }.bound(to: { state })
                return Run { operations in
                    let output = AnyActionHandler<Int> { _ in }
                    for number in 0..<operations { EffectLoop.act(middleware, number, { state }, output) }
                }
            },
        ]
    }

    private static func answered(
        _ effect: @escaping @Sendable (CounterAction) -> AnsweredStore.AppEffect
    ) -> Run {
        let store = AnsweredStore.make(effect)
        return Run { operations in
            for _ in 0..<operations { store.dispatch(.counter(.increment)) }
        }
    }

    private static func effect(_ effect: @escaping @Sendable (Int, Ends) -> NumberEffect) -> Run {
        let ends = Ends()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { number, _, _ in effect(number, ends) }
            .bound(to: { 0 })
        return Run { operations in
            let sent = SentCounter()
            let output = AnyActionHandler<Int> { _ in sent.add() }
            for number in 0..<operations {
                EffectLoop.act(middleware, number, { 0 }, output)
                ends.endLast()
            }
        }
    }
}
