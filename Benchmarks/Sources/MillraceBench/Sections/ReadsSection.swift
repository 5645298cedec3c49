// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// Reads of the state from outside: `withState` compared with a Mutex, on one to eight threads.
///
/// It measures processor time per read, so the number of threads that share a processor does not matter. Busy
/// processors may slow each other down, but this affects both sides of a ratio. Reads scale if the ratio to a Mutex per
/// thread does not grow.
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
                // Sometimes a contended Mutex takes a thousand times as long.
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

    /// Returns a contender. `read` contains the whole loop, so that the compiler inlines the read there. The sum shows
    /// that it read.
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

/// Keeps the compiler from removing the computation of a value.
@inline(never)
func keep(_ value: Int) {
    withUnsafePointer(to: value) { _ = $0 }
}
