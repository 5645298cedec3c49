// SPDX-License-Identifier: Apache-2.0

/// A measurement of how the cost of an operation depends on a size that can grow.
@MainActor
struct Cliff {
    /// How the cost may depend on the size.
    enum Rule {
        /// The median at the largest size is at most this many times the median at the smallest size.
        case flat(atMost: Double)
        /// The cost grows, as the documentation says. The table shows it with this note, without a target.
        case documented(String)
    }

    /// The name in the table: what grows, and which operation is measured.
    let name: String
    /// The sizes, in ascending order.
    let sizes: [Int]
    /// The words for the sizes in the table, in place of the numbers.
    let labels: [String]?
    /// The number of runs at each size.
    let runs: Int
    let rule: Rule
    /// The most nanoseconds at the largest size, on the machine for which the aims were set (``Aim``).
    let most: Double?
    /// Prepares a test of this size, checks the result, and returns the nanoseconds that one operation took. Where one
    /// thread does all the work, they are its processor time, which other programs disturb less.
    let nanoseconds: (_ size: Int) async throws -> Double

    init(
        _ name: String,
        sizes: [Int],
        labels: [String]? = nil,
        runs: Int = 5,
        rule: Rule,
        atMost most: Double? = nil,
        nanoseconds: @escaping (_ size: Int) async throws -> Double
    ) {
        self.name = name
        self.sizes = sizes
        self.labels = labels
        self.runs = runs
        self.rule = rule
        self.most = most
        self.nanoseconds = nanoseconds
    }

    /// Measures each size and returns one row per size. The amount of a row is its median divided by the median of the
    /// smallest size.
    ///
    /// If `isShort`, only the smallest size is measured, once: that checks the results, not how the cost grows. CI
    /// therefore compares two sizes of each lift by its instructions: the rows `sizes: …` of `millrace-bench check`.
    ///
    /// - Parameter mutex: What an uncontended Mutex takes here, in nanoseconds.
    func rows(isShort: Bool, mutex: Double, _ progress: Progress) async throws -> [Row] {
        var rows: [Row] = []
        var smallest: Double?
        for (index, size) in (isShort ? Array(sizes.prefix(1)) : sizes).enumerated() {
            var times: [Double] = []
            for run in 1...(isShort ? 1 : runs) {
                progress.show("\(name)  \(size)  \(run)/\(runs)")
                times.append(try await nanoseconds(size))
            }
            guard let sample = Sample(times) else { continue }
            let base = smallest ?? max(sample.median, 1)
            smallest = base
            var row = Row(
                "\(name): \(labels?[index] ?? String(size))",
                time: sample,
                amount: sample.median / base
            )
            row.points = [Point(size: size, time: sample)]
            switch rule {
            case .flat(let most) where size == sizes.last: row.targets = [Target(figure: .amount, atMost: most)]
            case .flat: break
            case .documented(let note): row.note = note
            }
            if let most, size == sizes.last {
                row.targets.append(Target(figure: .nanoseconds, atMost: most / Aim.mutexNanoseconds * mutex))
            }
            rows.append(row)
        }
        return rows
    }
}
