// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceEffects

/// A `.caller` store whose effect answers each action of the counter with a tick, which the same store reduces.
enum AnsweredStore {
    typealias AppEffect = MillraceEffects.Effect<Void, AppAction>

    /// Returns a store whose actions of the counter have this effect.
    static func make(_ effect: @escaping @Sendable (CounterAction) -> AppEffect) -> StoreLoop.Store {
        StoreLoop.Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: SimpleEffectMiddleware<AppAction, AppState>.onAction { action, _, _ in
                guard case .counter(let action) = action else { return .doNothing }
                return effect(action)
            },
            engine: .caller,
            publication: .onDemand
        )
    }

    /// Returns a contender. An operation is an action, its effect, and the action that the effect sends, until both are
    /// reduced.
    @MainActor
    static func contender(
        _ name: String,
        crew: Crew,
        share: Double = 0.2,
        _ effect: @escaping @Sendable (CounterAction) -> AppEffect
    ) -> Contender {
        let store = make(effect)
        return Contender(name, share: share) { operations in
            let before = store.state
            let time = crew.run { _ in
                for _ in 0..<operations { store.dispatch(.counter(.increment)) }
            }.wall_nanoseconds
            let change = StateChange(from: before, to: store.state)
            guard change.count == operations, change.ticks == operations else {
                throw BenchmarkError.wrongResult(
                    contender: name,
                    expected: "\(operations) actions and as many answers",
                    found: change.description
                )
            }
            return time
        }
    }

    /// The three effects of the aims and counts: no effect, an answer at once, and the same with a token.
    static let nothing: @Sendable (CounterAction) -> AppEffect = { _ in .doNothing }
    static let just: @Sendable (CounterAction) -> AppEffect = { _ in .just(.tick(1)) }
    static let justWithToken: @Sendable (CounterAction) -> AppEffect = { _ in AppEffect.just(.tick(1)).withToken(1) }
}
