// SPDX-License-Identifier: Apache-2.0

/// A part of the benchmarks that can be run by itself.
@MainActor
protocol Section {
    /// What `--only` asks for.
    var id: String { get }
    /// The tables, in the order in which they are printed.
    func measure(_ pairing: Pairing) async throws -> [Table]
}
