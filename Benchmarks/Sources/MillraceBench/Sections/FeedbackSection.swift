// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceFeedback

/// What a feedback loop costs per event: the loop of a store without middlewares, against a view model whose feedbacks
/// look at each state and do nothing.
struct FeedbackSection: Section {
    let id = "feedback"

    typealias Loop = ViewModel<AppState, AppAction>

    func measure(_ pairing: Pairing) async throws -> [Table] {
        var tables: [Table] = []
        for engine in [StoreEngine.thread(), .caller] {
            let crew = try Crew(1)
            // With the engine of the caller each publication would belong to one event.
            let publication: Publication = engine == .caller ? .onDemand : .atMost(every: .milliseconds(1))
            let store = StoreLoop.Store(
                initialState: AppState(),
                reducer: AppState.reducer,
                engine: engine,
                publication: publication
            )
            let bare = StoreLoop.contender("the bare store", store: store, crew: crew)
            var rows: [Row] = []
            for count in [0, 1, 3] {
                let loop = contender(
                    "\(count) feedbacks",
                    Array(Self.feedbacks.prefix(count)),
                    engine,
                    publication,
                    crew
                )
                guard
                    let outcome = try await pairing.measure(loop, against: [bare]),
                    let rival = outcome.rivals.first
                else { return [] }
                if rows.isEmpty {
                    rows.append(Row(bare.name, time: rival.time, mallocs: try await pairing.mallocs(bare)))
                }
                rows.append(
                    Row(
                        "\(loop.name): the difference",
                        time: rival.difference,
                        mallocs: try await pairing.mallocs(loop),
                        // Each publication of the state allocates. Its allocations do not belong to an event.
                        targets: [Target(figure: .nanoseconds, atMost: 100), Target(figure: .mallocs, atMost: 0.01)]
                    )
                )
            }
            tables.append(
                Table(title: "A feedback loop whose feedbacks do not fire, 1 producer, engine \(engine)", rows: rows)
            )
        }
        return tables
    }

    /// A comparison, an edge and a level.
    nonisolated static let feedbacks: [Feedback<AppState, AppAction>] = [
        Feedback(skippingRepeated: { $0.names.count }, effects: { _ in .doNothing }),
        Feedback(whenBecomesTrue: { $0.ticks < 0 }, effects: { _ in .just(.tick(1)) }),
        Feedback(predicate: \.isAuditing, effects: { _ in .just(.tick(1)) }),
    ]

    private func contender(
        _ name: String,
        _ feedbacks: [Feedback<AppState, AppAction>],
        _ engine: StoreEngine,
        _ publication: Publication,
        _ crew: Crew
    ) -> Contender {
        let loop = Loop(
            initial: AppState(),
            feedbacks: feedbacks,
            scheduler: engine,
            publication: publication,
            reducer: AppState.reducer
        )
        return Contender(name) { operations in
            let before = loop.currentState
            let times = crew.run { _ in
                for index in 0..<operations { loop.send(event: AppAction.nth(index)) }
            }
            await loop.drain()
            let ended = bench_now()
            try StateChange(from: before, to: loop.currentState).check(
                StateChange(actions: operations, producers: 1),
                of: name
            )
            return ended - times.began
        }
    }
}
