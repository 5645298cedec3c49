// SPDX-License-Identifier: Apache-2.0

/// A part of the benchmarks that can be run by itself.
@MainActor
protocol Section {
    /// The name that `--only` selects by its beginning.
    var id: String { get }
    /// Measures, and returns the tables in the order in which they are printed.
    func measure(_ pairing: Pairing) async throws -> [Table]
}
