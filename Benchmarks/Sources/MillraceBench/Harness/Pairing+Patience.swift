// SPDX-License-Identifier: Apache-2.0

extension Pairing {
    /// Tries every kind of consumer a few times and returns the contender with the fastest one, and a note with the
    /// median of each kind in nanoseconds.
    func best(_ candidate: (Patience) -> Contender) async throws -> (contender: Contender, note: String) {
        var found: (contender: Contender, time: Double)?
        var notes: [String] = []
        for patience in Patience.allCases {
            let contender = candidate(patience)
            guard let sample = try await measure(contender, runs: min(3, pairs)) else { continue }
            notes.append("\(patience.rawValue) \(Int(sample.median.rounded()))")
            if sample.median < found?.time ?? .infinity { found = (contender, sample.median) }
        }
        return (found?.contender ?? candidate(.patient), notes.joined(separator: ", "))
    }
}
