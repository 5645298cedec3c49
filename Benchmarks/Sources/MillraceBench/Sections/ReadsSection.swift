// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// Reading the state from outside: `withState` next to a Mutex, from one thread to eight.
///
/// Processor time a read, so that it does not matter how many threads share a processor. That two busy processors may slow
/// each other down is in both sides of a ratio: flat means that the ratio to a Mutex of one's own does not grow.
struct ReadsSection: Section {
    let id = "reads"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let store = StoreLoop.plainStore(engine: .thread())
        var rows: [Row] = []
        for readers in [1, 2, 4, 8] {
            let crew = try Crew(readers)
            let threads = "\(readers) thread\(readers == 1 ? "" : "s")"
            let subject = reader("withState, \(threads)", crew) { _, reads in
                var sum = 0
                for _ in 0..<reads { sum &+= store.withState { $0.count } }
                return sum
            }
            let own = (0..<readers).map { _ in MutexState() }
            let uncontended = reader("Mutex of each thread's own, \(threads)", crew) { member, reads in
                let locked = own[member]
                var sum = 0
                for _ in 0..<reads { sum &+= locked.withLock { $0.count } }
                return sum
            }
            var rivals = [Opponent(uncontended, targets: [Target(figure: .ratio, atMost: 1.5)])]
            if readers > 1 {
                let locked = MutexState()
                // Now and then a contended Mutex takes a thousand times as long.
                let shared = reader("one Mutex, \(threads)", crew, share: 0.02) { _, reads in
                    var sum = 0
                    for _ in 0..<reads { sum &+= locked.withLock { $0.count } }
                    return sum
                }
                rivals.append(Opponent(shared))
            }
            rows += try await pairing.table("", subject: subject, rivals: rivals).rows
        }
        return [
            Table(
                title: "A read of the state, processor time; ratio: withState / Mutex, with as many threads",
                rows: rows
            )
        ]
    }

    /// `read` does the whole loop, so that what it reads by is inlined there; the sum shows that it read.
    private func reader(
        _ name: String,
        _ crew: Crew,
        share: Double = 1,
        _ read: @escaping @Sendable (_ member: Int, _ reads: Int) -> Int
    ) -> Contender {
        Contender(name, share: share) { operations in
            let reads = operations / crew.size
            let times = crew.run { member in keep(read(member, reads)) }
            return times.cpu_nanoseconds
        }
    }
}

/// Makes the compiler believe that the value is needed.
@inline(never)
func keep(_ value: Int) {
    withUnsafePointer(to: value) { _ = $0 }
}
