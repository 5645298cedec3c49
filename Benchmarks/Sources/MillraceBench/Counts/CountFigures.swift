// SPDX-License-Identifier: Apache-2.0

/// What one operation of a work takes.
struct CountFigures: Codable, Equatable {
    var instructions: Double
    var mallocs: Double

    /// Why these are worse than what was recorded; nil: they are not.
    func defect(against recorded: CountFigures, tolerance: Double) -> String? {
        if mallocs > recorded.mallocs + 0.02 { return "more allocations" }
        if instructions > recorded.instructions * (1 + tolerance) + 0.5 { return "more instructions" }
        return nil
    }

    /// Whether they are better by so much that they should be recorded.
    func isBetter(than recorded: CountFigures, tolerance: Double) -> Bool {
        mallocs < recorded.mallocs - 0.02 || instructions < recorded.instructions * (1 - tolerance) - 0.5
    }

    /// The median of each; nil of none.
    init?(medianOf figures: [CountFigures]) {
        guard let instructions = Sample(figures.map(\.instructions)), let mallocs = Sample(figures.map(\.mallocs))
        else { return nil }
        self.init(instructions: instructions.median, mallocs: mallocs.median)
    }

    init(instructions: Double, mallocs: Double) {
        self.instructions = instructions
        self.mallocs = mallocs
    }
}

/// The recorded figures, `Benchmarks/counts.json`, and what they depend on.
struct RecordedCounts: Codable {
    var swift: String
    var architecture: String
    var operations: Int
    var works: [String: CountFigures]

    static var architectureHere: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }
}
