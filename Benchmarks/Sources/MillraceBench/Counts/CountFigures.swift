// SPDX-License-Identifier: Apache-2.0

/// What one operation of a row takes, on average.
struct CountFigures: Codable, Equatable {
    var instructions = 0.0
    var mallocs = 0.0
    /// Calls of the functions of Swift's runtime that raise and lower a reference count.
    var retains = 0.0
    var releases = 0.0
    var systemCalls = 0.0
    /// Cache lines that are fetched into a cache of `CallgrindRun.cachedLines` lines.
    var lines = 0.0

    /// A figure with its name, and the amount by which a run may exceed the record.
    struct Kind: Sendable {
        let name: String
        let path: @Sendable (CountFigures) -> Double
        /// The allowed difference, for a recorded figure and its row.
        let allowed: @Sendable (_ recorded: Double, _ row: CountedRow) -> Double
    }

    /// A thread that publishes may leave out a publication now and then, with what it allocates and retains.
    private static let now = 0.06

    static let kinds: [Kind] = [
        Kind(name: "mallocs", path: { $0.mallocs }, allowed: { _, _ in now }),
        Kind(name: "retains", path: { $0.retains }, allowed: { $0 * $1.tolerance / 2 + now }),
        Kind(name: "releases", path: { $0.releases }, allowed: { $0 * $1.tolerance / 2 + now }),
        Kind(name: "system calls", path: { $0.systemCalls }, allowed: { $1.moreSystemCalls }),
        // The addresses decide whether an object lies in one line or in two, and they differ from run to run.
        Kind(name: "cache lines", path: { $0.lines }, allowed: { recorded, _ in recorded * 0.2 + 2 }),
        Kind(name: "instructions", path: { $0.instructions }, allowed: { $0 * $1.tolerance + 0.5 }),
    ]

    /// Returns the names of the figures that are worse than the recorded ones.
    func worse(than recorded: CountFigures, for row: CountedRow) -> [String] {
        Self.kinds.filter { $0.path(self) > $0.path(recorded) + $0.allowed($0.path(recorded), row) }.map(\.name)
    }

    /// Returns why these figures are worse than the recorded ones; nil if they are not.
    func defect(against recorded: CountFigures, for row: CountedRow) -> String? {
        let worse = worse(than: recorded, for: row)
        return worse.isEmpty ? nil : "more " + worse.joined(separator: ", ")
    }

    /// Returns whether a figure is so much better that it should be recorded.
    func isBetter(than recorded: CountFigures, for row: CountedRow) -> Bool {
        Self.kinds.contains { $0.path(self) < $0.path(recorded) - $0.allowed($0.path(recorded), row) }
    }

    /// Creates the medians of several figures; nil if there are none.
    init?(medianOf figures: [CountFigures]) {
        guard !figures.isEmpty else { return nil }
        func median(_ path: (CountFigures) -> Double) -> Double { Sample(figures.map(path))?.median ?? 0 }
        instructions = median { $0.instructions }
        mallocs = median { $0.mallocs }
        retains = median { $0.retains }
        releases = median { $0.releases }
        systemCalls = median { $0.systemCalls }
        lines = median { $0.lines }
    }

    init() {}
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
