// SPDX-License-Identifier: Apache-2.0

import CBenchCrew

/// What cache lines cost that two processors share: the measured part of docs/scaling.md. Threads on fixed processors.
struct LinesSection: Section {
    let id = "lines"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        guard let lines = bench_lines_create() else { throw BenchmarkError.noMemory("cache lines") }
        // Freed at the end; the threads of the crews use it only during a run.
        nonisolated(unsafe) let shared = lines
        defer { bench_lines_destroy(lines) }
        let one = try Crew(1, pinned: true)
        let two = try Crew(2, pinned: true)

        let ping = Contender("one transfer: half of a ping-pong round", share: 0.1) { operations in
            bench_lines_reset(shared)
            let rounds = UInt64(operations / 2)
            let times = two.run { bench_lines_ping(shared, CInt($0), rounds) }
            try expect(bench_lines_value(shared, 0), 2 * rounds, "ping-pong")
            return times.wall_nanoseconds
        }
        let owned = Contender("fetch-add, one thread") { operations in
            bench_lines_reset(shared)
            let times = one.run { _ in bench_lines_add(shared, 0, UInt64(operations)) }
            try expect(bench_lines_value(shared, 0), UInt64(operations), "fetch-add")
            return times.wall_nanoseconds
        }
        let contended = Contender("fetch-add, two threads, one word", share: 0.5) { operations in
            bench_lines_reset(shared)
            let times = two.run { _ in bench_lines_add(shared, 0, UInt64(operations / 2)) }
            try expect(bench_lines_value(shared, 0), UInt64(operations), "fetch-add")
            return times.wall_nanoseconds
        }
        let apart = Contender("fetch-add, two threads, a line for each") { operations in
            bench_lines_reset(shared)
            let times = two.run { bench_lines_add(shared, CInt($0), UInt64(operations / 2)) }
            try expect(
                bench_lines_value(shared, 0) + bench_lines_value(shared, 1),
                UInt64(operations),
                "fetch-add"
            )
            return times.wall_nanoseconds
        }
        let stream = Contender("one line written by one thread, read by another", share: 0.5) { operations in
            bench_lines_reset(shared)
            let times = two.run { _ = bench_lines_stream(shared, CInt($0), UInt64(operations)) }
            return times.wall_nanoseconds
        }
        return [
            try await pairing.table(
                "Cache lines shared by two processors; ns an operation of both threads together",
                subject: contended,
                rivals: [Opponent(owned), Opponent(apart), Opponent(ping), Opponent(stream)]
            )
        ]
    }

    /// Returns a contender whose only work is an atomic addition to a line that no other thread wants.
    static func addition(crew: Crew) throws -> Contender {
        guard let lines = bench_lines_create() else { throw BenchmarkError.noMemory("cache lines") }
        // Never freed: the contender may run until the program ends.
        nonisolated(unsafe) let own = lines
        return Contender("an atomic addition, and nothing else") { operations in
            bench_lines_reset(own)
            return crew.run { _ in bench_lines_add(own, 0, UInt64(operations)) }.wall_nanoseconds
        }
    }

    private func expect(_ found: UInt64, _ expected: UInt64, _ what: String) throws(BenchmarkError) {
        guard found == expected else {
            throw .wrongResult(contender: what, expected: "\(expected)", found: "\(found)")
        }
    }
}
