// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import Synchronization

/// Reading the state from outside: `withState` next to a Mutex, from one thread to eight.
struct ReadsSection: Section {
    let id = "reads"

    private final class LockedState: Sendable {
        let state = Mutex(AppState())
    }

    /// Processor time a read, so that it does not matter how many threads share a processor.
    func measure(_ pairing: Pairing) async throws -> [Table] {
        let store = StoreLoop.plainStore(engine: .thread())
        let locked = LockedState()
        var one: Contender?
        var rows: [Row] = []
        var flat: [Row] = []
        for readers in [1, 2, 4, 8] {
            let crew = try Crew(readers)
            let ours = reader("withState, \(readers) thread\(readers == 1 ? "" : "s")", crew) { reads in
                var sum = 0
                for _ in 0..<reads { sum &+= store.withState { $0.count } }
                return sum
            }
            // With more threads than processors a contended Mutex may take a thousand times as long.
            let share = readers == 1 ? 1 : 0.02
            let theirs = reader("Mutex, \(readers) thread\(readers == 1 ? "" : "s")", crew, share: share) { reads in
                var sum = 0
                for _ in 0..<reads { sum &+= locked.state.withLock { $0.count } }
                return sum
            }
            // The uncontended Mutex is what the target speaks of.
            var targets: [Target] = []
            if readers == 1 { targets = [Target(figure: .ratio, atMost: 1.5)] }
            let table = try await pairing.table("", subject: ours, rivals: [Opponent(theirs, targets: targets)])
            rows += table.rows

            // Flat: with more threads a read costs what it costs one.
            if let one {
                guard let outcome = try await pairing.measure(ours, against: [one]) else { continue }
                flat.append(
                    Row(
                        ours.name,
                        time: outcome.subject,
                        ratio: outcome.rivals.first?.ratio,
                        targets: [Target(figure: .ratio, atMost: 1.25)]
                    )
                )
            } else {
                one = ours
            }
        }
        return [
            Table(
                title: "A read of the state, processor time; ratio: withState / Mutex with as many threads",
                rows: rows
            ),
            Table(title: "The same; ratio: to withState with one thread", rows: flat),
        ]
    }

    /// `read` does the whole loop, so that what it reads by is inlined there; the sum shows that it read.
    private func reader(
        _ name: String,
        _ crew: Crew,
        share: Double = 1,
        _ read: @escaping @Sendable (_ reads: Int) -> Int
    ) -> Contender {
        Contender(name, share: share) { operations in
            let share = operations / crew.size
            let times = crew.run { _ in keep(read(share)) }
            return times.cpu_nanoseconds
        }
    }
}

/// Makes the compiler believe that the value is needed.
@inline(never)
func keep(_ value: Int) {
    withUnsafePointer(to: value) { _ = $0 }
}
