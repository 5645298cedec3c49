// SPDX-License-Identifier: Apache-2.0

/// A row of the table: operations whose instructions and allocations are counted. One thread does them, so both are the
/// same in every run.
struct CountedRow: Sendable {
    /// The operations, and the steps before and after them that are not counted.
    struct Run {
        var before: () -> Void = {}
        /// Does this number of operations.
        let body: (_ operations: Int) -> Void
        var after: () -> Void = {}
    }

    /// The name, as `section: what`. It is the key of the recorded figures.
    let name: String
    /// The part of the recorded instructions by which a run may exceed them. The compiler lays out code differently
    /// when other code changes. The tolerance is larger where another thread decides how much there is to do.
    let tolerance: Double
    /// The system calls by which an operation may exceed the recorded ones. One where operations publish: then the
    /// pipeline looks for readers, as often as the clock allows, and at most once a publication.
    let moreSystemCalls: Double
    /// By how much the operations of a run are divided, for a row whose operations take long.
    let divisor: Int
    /// The name of a row that does the same with fewer elements; nil: none. This row may take hardly more than that
    /// one.
    let flatTo: String?
    /// Whether the main thread runs the main queue meanwhile. In the other rows it sleeps.
    let needsMainQueue: Bool
    /// Makes the run. Called once, on the thread that then does the operations.
    let make: @Sendable () throws -> Run

    init(
        _ name: String,
        tolerance: Double = 0.01,
        moreSystemCalls: Double = 0.06,
        divisor: Int = 1,
        flatTo: String? = nil,
        needsMainQueue: Bool = false,
        make: @escaping @Sendable () throws -> Run
    ) {
        self.name = name
        self.tolerance = tolerance
        self.moreSystemCalls = moreSystemCalls
        self.divisor = divisor
        self.flatTo = flatTo
        self.needsMainQueue = needsMainQueue
        self.make = make
    }

    /// All rows, in the order of the table.
    static var all: [CountedRow] {
        stores + actions + order + lifts + partReads + sizedLifts + middlewares + effects + feedbacks + substates
            + logging + parts + records + threads + growth + rivals
    }

    /// The sections of the benchmarks that have no row.
    static var missingSections: [String] {
        MillraceBench.knownSections.filter { section in !all.contains { $0.name.hasPrefix("\(section): ") } }
    }
}
