// SPDX-License-Identifier: Apache-2.0

/// The instructions and allocations of one operation of a row.
struct CountFigures: Codable, Equatable {
    var instructions: Double
    var mallocs: Double

    /// Allocations may differ by this: a thread that publishes may leave out a publication now and then.
    private static var mallocTolerance: Double { 0.06 }

    /// Returns why these figures are worse than the recorded ones; nil if they are not.
    func defect(against recorded: CountFigures, tolerance: Double) -> String? {
        if mallocs > recorded.mallocs + Self.mallocTolerance { return "more allocations" }
        if instructions > recorded.instructions * (1 + tolerance) + 0.5 { return "more instructions" }
        return nil
    }

    /// Returns whether the figures are so much better that they should be recorded.
    func isBetter(than recorded: CountFigures, tolerance: Double) -> Bool {
        mallocs < recorded.mallocs - Self.mallocTolerance
            || instructions < recorded.instructions * (1 - tolerance) - 0.5
    }

    /// Creates the medians of several figures; nil if there are none.
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

/// The content of `Benchmarks/counts.json`: the recorded figures, and the toolchain and settings that they depend on.
struct RecordedCounts: Codable {
    var swift: String
    var architecture: String
    var operations: Int
    var rows: [String: CountFigures]

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
