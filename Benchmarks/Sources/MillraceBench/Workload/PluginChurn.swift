// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import Synchronization

/// Dispatches actions in an open loop while another thread changes the plugins of the store all the time. The actions
/// are numbered, so the reducer and a plugin find lost and duplicate actions.
@MainActor
struct PluginChurn {
    /// The actions that were counted, lost and doubled, according to their numbers.
    struct Count: Sendable {
        private(set) var first: Int?
        private(set) var next = 0
        private(set) var lost = 0
        private(set) var doubled = 0

        mutating func add(_ number: Int) {
            if first == nil { (first, next) = (number, number) }
            if number < next { doubled += 1 } else { lost += number - next }
            next = max(next, number + 1)
        }

        /// Adds the counts of `other`, which counted after this one.
        mutating func append(_ other: Count) {
            guard let begin = other.first else { return }
            guard first != nil else { return self = other }
            lost += other.lost + max(0, begin - next)
            doubled += other.doubled + max(0, next - begin)
            next = max(next, other.next)
        }
    }

    private typealias Store = ReduxStoreBase<Action, Count>

    /// An action with its number and the time at which it was due.
    struct Action: Sendable {
        let number: Int
        let due: UInt64
    }

    let timetable: Timetable

    func table(runs: Int, _ progress: Progress) async throws -> Table {
        let variants = [("nobody changes anything", false), ("plugins change all the time", true)]
        var found: [[(latencies: Latencies, rate: Double, changes: Int)]] = [[], []]
        for run in 1...runs {
            // In turn, so that neither is always first.
            for index in run % 2 == 0 ? [1, 0] : [0, 1] {
                progress.show("\(variants[index].0)  \(run)/\(runs)")
                if let outcome = try await measure(variants[index].0, isChanging: variants[index].1) {
                    found[index].append(outcome)
                }
            }
        }
        let rows = zip(variants, found).map { variant, runs in
            let changes = runs.map(\.changes).reduce(0, +) / max(1, runs.count)
            return Row(
                variant.0,
                latencies: Latencies(mediansOf: runs.map(\.latencies)),
                amount: Sample(runs.map(\.rate))?.median,
                note: variant.1 ? "\(changes) changes a run, 0 actions lost, 0 doubled" : nil
            )
        }
        let seconds = Double(timetable.count) / Double(timetable.rate)
        return Table(
            title: "Plugins that change: dispatch to reduced, open loop at \(timetable.rate) actions a second for "
                + "\(seconds) s; amount: actions a second",
            rows: rows
        )
    }

    private func measure(
        _ name: String,
        isChanging: Bool
    ) async throws -> (latencies: Latencies, rate: Double, changes: Int)? {
        let crew = try Crew(1)
        let log = LatencyLog(capacity: timetable.count)
        let store = Store(
            initialState: Count(),
            reducer: Reducer<Action, Count>.reduce { action, count in
                log.add(bench_now() &- action.due)
                count.add(action.number)
            },
            engine: .thread(),
            publication: .onDemand
        )
        let witness = Witness()
        try await store.plugins.install(witness, as: "witness")
        let changes = Changes(of: store, witness)
        let changing = Task.detached { if isChanging { try await changes.run() } }
        let timetable = timetable
        let times = crew.run { _ in
            timetable.run { number, due in store.dispatch(Action(number: number, due: due)) }
        }
        await store.drain()
        let ended = bench_now()
        changes.isOver.store(true, ordering: .relaxed)
        try await changing.value
        try await store.plugins.remove("witness")
        try check(store.state, name, "reducer")
        try check(changes.total, name, "plugins")
        guard let latencies = Latencies(log.all) else { return nil }
        let rate = Double(timetable.count) / (Double(ended - times.began) / 1e9)
        return (latencies, rate, changes.made)
    }

    private func check(_ count: Count, _ name: String, _ place: String) throws {
        guard count.first == 0, count.next == timetable.count, count.lost == 0, count.doubled == 0 else {
            throw BenchmarkError.wrongResult(
                contender: "\(name), \(place)",
                expected: "\(timetable.count) actions",
                found: "\(count.next), \(count.lost) of them lost, \(count.doubled) doubled"
            )
        }
    }

    /// A plugin that counts every action while it is installed.
    private final class Witness: MiddlewareProtocol, @unchecked Sendable {
        // Unchecked because only the pipeline writes the count, and it is read when the plugin is no longer installed.
        private(set) var count = Count()

        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<Count>) -> IO<Action> {
            count.add(action.number)
            return .pure()
        }
    }

    /// A plugin that does nothing.
    private struct Guest: MiddlewareProtocol {
        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<Count>) -> IO<Action> {
            .pure()
        }
    }

    /// Changes the plugins, one change after the other, until `isOver` is set.
    private final class Changes: @unchecked Sendable {
        // Unchecked because only the task that runs it uses it, and it is read when that task has ended.
        let isOver = Atomic<Bool>(false)
        private(set) var made = 0
        private let store: Store
        private var witness: Witness
        /// The counts of the witnesses that were replaced.
        private var counted = Count()

        /// The counts of all witnesses together, when none is installed.
        var total: Count {
            var total = counted
            total.append(witness.count)
            return total
        }

        init(of store: Store, _ witness: Witness) {
            self.store = store
            self.witness = witness
        }

        func run() async throws {
            while !isOver.load(ordering: .relaxed) {
                try await store.plugins.install(Guest(), as: "guest", at: .first)
                try await store.plugins.move("guest", to: .after("witness"))
                try await store.plugins.disable("guest")
                try await replaceWitness()
                try await store.plugins.enable("guest")
                try await store.plugins.remove("guest")
                made += 6
            }
        }

        private func replaceWitness() async throws {
            let next = Witness()
            try await store.plugins.replace("witness", with: next)
            counted.append(witness.count)
            witness = next
        }
    }
}
