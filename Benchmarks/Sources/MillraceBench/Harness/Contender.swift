// SPDX-License-Identifier: Apache-2.0

/// One side of a comparison: it does a number of equal operations and can be timed.
@MainActor
struct Contender {
    let name: String
    /// The part of the requested operations that it does. A slow contender does fewer, so that all runs take about as
    /// long.
    let share: Double
    /// Does this number of operations, checks their result, and returns the nanoseconds they took.
    let run: (_ operations: Int) async throws -> UInt64

    init(_ name: String, share: Double = 1, run: @escaping (_ operations: Int) async throws -> UInt64) {
        self.name = name
        self.share = share
        self.run = run
    }

    /// Runs once and returns the nanoseconds per operation.
    func timed(_ operations: Int) async throws -> Double {
        let operations = scaled(operations)
        return Double(try await run(operations)) / Double(operations)
    }

    /// Returns its share of `operations`, as a multiple of 128, so that producers and batches divide it evenly.
    func scaled(_ operations: Int) -> Int {
        max(128, Int(Double(operations) * share) / 128 * 128)
    }
}
