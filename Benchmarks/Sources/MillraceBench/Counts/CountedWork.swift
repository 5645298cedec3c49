// SPDX-License-Identifier: Apache-2.0

/// Work whose instructions and allocations are counted. One thread does it, so that both are the same in every run.
struct CountedWork: Sendable {
    /// The work, and what is done before and after it without being counted.
    struct Run {
        var before: () -> Void = {}
        /// Does so many operations.
        let body: (_ operations: Int) -> Void
        var after: () -> Void = {}
    }

    /// `section: what`. The key of the recorded figures.
    let name: String
    /// The part of its instructions by which it may exceed those that were recorded. Code is laid out differently when
    /// something else changes; more, where another thread decides how much there is to do.
    let tolerance: Double
    /// Called once, on the thread that then does the work.
    let make: @Sendable () throws -> Run

    init(_ name: String, tolerance: Double = 0.01, make: @escaping @Sendable () throws -> Run) {
        self.name = name
        self.tolerance = tolerance
        self.make = make
    }

    /// In the order in which they are shown.
    static var all: [CountedWork] { stores + lifts + middlewares + effects + parts }
}
