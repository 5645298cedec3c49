// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

/// Reducers that are lifted to elements, without a store: the cost of finding an element by its id, and the cost of a
/// lift.
struct CollectionSection: Section {
    let id = "collection"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let noMallocs = [Target(figure: .mallocs, atMost: 0)]
        let flat = [Target(figure: .ratio, atMost: 1.3), Target(figure: .mallocs, atMost: 0)]
        var tables = [
            try await pairing.table(
                "An element by its id, 100 ids in use: the cost of finding one among this number",
                subject: keyed(100_000, .hundred),
                targets: noMallocs,
                rivals: [
                    Opponent(keyed(10_000, .hundred), targets: noMallocs),
                    Opponent(keyed(100, .hundred), targets: flat),
                    Opponent(dictionary(100_000, .hundred), targets: noMallocs),
                    Opponent(dictionary(100, .hundred), targets: noMallocs),
                    Opponent(array(10_000, .hundred, share: 0.002), targets: noMallocs),
                    Opponent(array(100, .hundred, share: 0.2), targets: noMallocs),
                ]
            ),
            try await pairing.table(
                "An element by its id, all ids in use at random: the same with cache misses",
                subject: keyed(100_000, .all),
                targets: noMallocs,
                rivals: [
                    Opponent(keyed(10_000, .all), targets: noMallocs),
                    Opponent(keyed(100, .all), targets: noMallocs),
                    Opponent(dictionary(100_000, .all), targets: noMallocs),
                ]
            ),
            try await pairing.table(
                "A middleware of an element, 10,000 elements in a KeyedArray: handle and its IO",
                subject: ElementMiddleware.contender("ignores the state", ElementMiddleware.Ignoring()),
                targets: noMallocs,
                rivals: [
                    Opponent(
                        ElementMiddleware.contender("reads the state", ElementMiddleware.Reading()),
                        targets: noMallocs
                    ),
                    Opponent(
                        ElementMiddleware.contender("reads it in its IO", ElementMiddleware.Working()),
                        note: "the IO, its lift, the getter, the output"
                    ),
                ]
            ),
        ]
        if let lift = try await liftTable(pairing) { tables.append(lift) }
        return tables
    }

    private func keyed(_ count: Int, _ order: CollectionLoop.Order) -> Contender {
        CollectionLoop.contender(
            "KeyedArray, \(count) elements",
            elements: KeyedArray((0..<count).map { Item(id: Item.id($0)) }),
            count: count,
            order: order,
            reducer: itemReducer.liftToCollection(action: \.item, stateCollection: \.elements),
            total: { $0.reduce(0) { $0 + Int($1.count) } }
        )
    }

    private func array(_ count: Int, _ order: CollectionLoop.Order, share: Double) -> Contender {
        CollectionLoop.contender(
            "Array, \(count) elements: searched",
            elements: (0..<count).map { Item(id: Item.id($0)) },
            count: count,
            order: order,
            share: share,
            reducer: itemReducer.liftToCollection(action: \.item, stateCollection: \.elements),
            total: { $0.reduce(0) { $0 + Int($1.count) } }
        )
    }

    private func dictionary(_ count: Int, _ order: CollectionLoop.Order) -> Contender {
        CollectionLoop.contender(
            "Dictionary, \(count) elements",
            elements: Dictionary(uniqueKeysWithValues: (0..<count).map { (Item.id($0), Item(id: Item.id($0))) }),
            count: count,
            order: order,
            reducer: itemReducer.liftToDictionary(action: \.item, stateDictionary: \.elements),
            total: { $0.values.reduce(0) { $0 + Int($1.count) } }
        )
    }

    /// Measures what a lift adds, by key path to a stored property.
    private func liftTable(_ pairing: Pairing) async throws -> Table? {
        let lifted = LiftLoop.contender("lifted by key path", LiftLoop.reducer.lift(state: \LiftLoop.State.counter))
        let plain = LiftLoop.contender("not lifted", LiftLoop.unlifted)
        guard let outcome = try await pairing.measure(lifted, against: [plain]), let rival = outcome.rivals.first else {
            return nil
        }
        let mallocs = (try await pairing.mallocs(lifted), try await pairing.mallocs(plain))
        return Table(
            title: "A reducer of a stored property",
            rows: [
                Row(lifted.name, time: outcome.subject, mallocs: mallocs.0),
                Row(plain.name, time: rival.time, ratio: rival.ratio, mallocs: mallocs.1),
                Row(
                    "the lift: the difference",
                    time: rival.difference,
                    mallocs: max(0, mallocs.0 - mallocs.1),
                    targets: [Target(figure: .nanoseconds, atMost: 3), Target(figure: .mallocs, atMost: 0)]
                ),
            ]
        )
    }
}

/// Changes a property with a lifted reducer of the property, and with a reducer of the whole state.
private enum LiftLoop {
    struct State {
        var ticks = 0
        var counter = 0
    }

    static let reducer = Reducer<Int, Int>.reduce { action, counter in counter &+= action }
    static let unlifted = Reducer<Int, State>.reduce { action, state in state.counter &+= action }

    @MainActor
    static func contender(_ name: String, _ reducer: Reducer<Int, State>) -> Contender {
        Contender(name) { operations in
            var state = State()
            let start = DispatchTime.now().uptimeNanoseconds
            run(reducer, &state, operations)
            let time = DispatchTime.now().uptimeNanoseconds - start
            guard state.counter == operations else {
                throw BenchmarkError.wrongResult(
                    contender: name,
                    expected: "\(operations)",
                    found: "\(state.counter)"
                )
            }
            return time
        }
    }

    @inline(never)
    private static func run(_ reducer: Reducer<Int, State>, _ state: inout State, _ operations: Int) {
        for _ in 0..<operations { reducer.reduce(1, &state) }
    }
}
