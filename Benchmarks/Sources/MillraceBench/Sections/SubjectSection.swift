// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Stores as in SwiftRex: with a subject and the main queue, with projections, and with type-erased middlewares.
struct SubjectSection: Section {
    let id = "subject"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        return [
            try await subject(pairing, crew, isObserved: false),
            try await subject(pairing, crew, isObserved: true),
            try await projected(pairing, crew),
            try await erased(pairing, crew),
        ]
    }

    private func subject(_ pairing: Pairing, _ crew: Crew, isObserved: Bool) async throws -> Table {
        let observation = isObserved ? "one subscriber" : "no subscriber"
        return try await pairing.table(
            "Subject-based store, \(observation): one producer thread, 3 middlewares, until drained",
            subject: Self.subjectStore("Millrace, subject-based, \(observation)", crew, isObserved: isObserved),
            targets: [Target(figure: .mallocs, atMost: 0.01)],
            rivals: [
                Opponent(
                    SwiftRexDesignRival.contender("SwiftRex 0.8's design", crew: crew, isObserved: isObserved),
                    targets: [Target(figure: .ratio, atMost: isObserved ? 0.2 : 0.1)]
                ),
                Opponent(
                    StoreLoop.contender(
                        "Millrace, engine .main",
                        store: StoreLoop.plainStore(engine: .main),
                        crew: crew
                    ),
                    note: "not on a subject, not observed"
                ),
                Opponent(LockRival.subjectLock(crew: crew)),
            ]
        )
    }

    /// Returns a contender with a store as SwiftRex makes it: on a subject, with the main queue.
    static func subjectStore(_ name: String, _ crew: Crew, isObserved: Bool) -> Contender {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: AppState())
        let observer = StateObserver()
        if isObserved { _ = subject.publisher.subscribe(UnfailableSubscriberType(onValue: { observer.take($0) })) }
        let store = StoreLoop.Store(
            subject: subject,
            reducer: AppState.reducer,
            middleware: FirstMiddleware() <> SecondMiddleware() <> ThirdMiddleware()
        )
        let loop = StoreLoop.contender(name, store: store, crew: crew)
        return Contender(name) { operations in
            let calls = observer.calls
            let time = try await loop.run(operations)
            try observer.check(isObserved ? calls + operations : 0, of: name)
            return time
        }
    }

    private func projected(_ pairing: Pairing, _ crew: Crew) async throws -> Table {
        let store = StoreLoop.plainStore(engine: .caller, publication: .onDemand)
        let direct = StoreLoop.contender("dispatched to the store", store: store, crew: crew)
        let view = store.projection(action: { (action: AppAction) in action }, state: \.count)
            .projection(action: { (action: AppAction) in action }, state: { $0 })
            .projection(action: { (action: AppAction) in action }, state: { $0 })
            .projection(action: { (action: AppAction) in action }, state: { $0 })
            .projection(action: { (action: AppAction) in action }, state: { $0.description })
        let projected = StoreLoop.contender("dispatched to the fifth projection", view: view, store: store, crew: crew)
        let erasedStore = StoreLoop.contender(
            "dispatched to the store, erased",
            view: store.mapState { $0.names[0] },
            store: store,
            crew: crew
        )
        guard let outcome = try await pairing.measure(projected, against: [direct, erasedStore]),
            let rival = outcome.rivals.first, let erasedOutcome = outcome.rivals.last
        else {
            return Table(title: "Projections", rows: [])
        }
        return Table(
            title: "Projections, five deep, engine .caller, published on demand",
            rows: [
                Row(
                    projected.name,
                    time: outcome.subject,
                    mallocs: try await pairing.mallocs(projected),
                    targets: [Target(figure: .mallocs, atMost: 0)]
                ),
                Row(direct.name, time: rival.time, ratio: rival.ratio),
                Row(erasedStore.name, time: erasedOutcome.time, ratio: erasedOutcome.ratio),
                Row("five projections, over the erased store", time: erasedOutcome.difference),
                Row(
                    "five projections, over the store",
                    time: rival.difference,
                    targets: [Target(figure: .nanoseconds, atMost: 10)]
                ),
            ]
        )
    }

    private func erased(_ pairing: Pairing, _ crew: Crew) async throws -> Table {
        let middleware: ComposedMiddleware<AppAction, AppAction, AppState> =
            FirstMiddleware().eraseToAnyMiddleware() <> SecondMiddleware().eraseToAnyMiddleware()
            <> ThirdMiddleware().eraseToAnyMiddleware()
        let store = StoreLoop.Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: middleware.eraseToAnyMiddleware()
        )
        return try await pairing.table(
            "W2 with erased middlewares: AnyMiddleware in ComposedMiddleware, engine .thread",
            subject: StoreLoop.contender("Millrace, erased and composed", store: store, crew: crew),
            targets: [Target(figure: .nanoseconds, atMost: 120), Target(figure: .mallocs, atMost: 0.001)],
            rivals: [
                Opponent(
                    StoreLoop.contender(
                        "Millrace, concrete middlewares",
                        store: StoreLoop.plainStore(engine: .thread()),
                        crew: crew
                    )
                )
            ]
        )
    }
}
