// SPDX-License-Identifier: Apache-2.0

/// One side of a comparison: something that does a number of equal operations and can be timed.
@MainActor
struct Contender {
    let name: String
    /// The part of the asked-for operations that it does: a slow one does fewer, so that all runs take about as long.
    let share: Double
    /// Does so many operations, checks that they had their effect, and returns the nanoseconds they took.
    let run: (_ operations: Int) async throws -> UInt64

    init(_ name: String, share: Double = 1, run: @escaping (_ operations: Int) async throws -> UInt64) {
        self.name = name
        self.share = share
        self.run = run
    }

    /// Nanoseconds an operation in one run.
    func timed(_ operations: Int) async throws -> Double {
        let operations = scaled(operations)
        return Double(try await run(operations)) / Double(operations)
    }

    /// Its share of `operations`: a multiple of 128, so that producers and batches divide it evenly.
    func scaled(_ operations: Int) -> Int {
        max(128, Int(Double(operations) * share) / 128 * 128)
    }
}
