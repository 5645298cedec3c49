// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
@_spi(Benchmarks) import Millrace

/// The queue of a store without the store. Full slots, with source, cause and effect run, go from one thread to
/// another.
@MainActor
final class TransportLoop<Payload: TransportPayload> {
    private let queue: TransportQueue<Payload>

    init() throws(BenchmarkError) {
        guard let queue = TransportQueue<Payload>() else { throw .noMemory("the transport queue") }
        self.queue = queue
    }

    deinit { queue.destroy() }

    /// Returns a contender. Member 0 of `crew` produces, member 1 consumes.
    func contender(_ name: String, crew: Crew, patience: Patience) -> Contender {
        Contender(name) { [self] operations in
            let queue = queue
            let sum = Sum()
            let times = crew.run { member in
                if member == 0 {
                    sum.lost = Self.produce(operations, into: queue)
                } else {
                    sum.value = Self.consume(operations, from: queue, patience)
                }
            }
            let expected = Payload.totalWeight(operations)
            guard sum.value == expected, sum.lost == 0 else {
                throw BenchmarkError.wrongResult(
                    contender: name,
                    expected: "sum \(expected)",
                    found: "sum \(sum.value), \(sum.lost) rejected"
                )
            }
            return times.wall_nanoseconds
        }
    }

    private final class Sum: @unchecked Sendable {
        // Unchecked because the producer writes `lost`, the consumer writes `value`, and both are read after the run.
        var value: UInt64 = 0
        var lost = 0
    }

    /// Pushes the elements, and returns the number that the queue rejected.
    private nonisolated static func produce(_ count: Int, into queue: TransportQueue<Payload>) -> Int {
        var lost = 0
        for index in 0..<count {
            let source = ActionSource(file: #fileID, function: #function, line: #line)
            if !queue.push(Payload.nth(index), source: source) { lost += 1 }
        }
        return lost
    }

    private nonisolated static func consume(
        _ count: Int,
        from queue: TransportQueue<Payload>,
        _ patience: Patience
    ) -> UInt64 {
        let enough = patience.enough
        let pauses = patience.pauses
        var sum: UInt64 = 0
        var left = count
        while left > 0 {
            let taken = queue.drain(upTo: 256) { sum &+= $0.weight }
            left -= taken
            if taken < enough {
                for _ in 0..<pauses { bench_pause() }
            }
        }
        return sum
    }
}
