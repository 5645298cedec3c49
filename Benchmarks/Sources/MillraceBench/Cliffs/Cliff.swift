// SPDX-License-Identifier: Apache-2.0

/// One thing that can grow, and what an operation costs at each of its sizes.
@MainActor
struct Cliff {
    /// How the cost may depend on the size.
    enum Rule {
        /// The median at the largest size is at most so many times the median at the smallest.
        case flat(atMost: Double)
        /// The cost grows, and the documentation says so: it is printed, and has no target.
        case documented(String)
    }

    /// What grows, and what an operation is.
    let name: String
    /// Ascending.
    let sizes: [Int]
    /// Runs at each size.
    let runs: Int
    let rule: Rule
    /// Prepares something of this size, checks the result, and returns the nanoseconds that one operation took.
    let nanoseconds: (_ size: Int) async throws -> Double

    init(
        _ name: String,
        sizes: [Int],
        runs: Int = 5,
        rule: Rule,
        nanoseconds: @escaping (_ size: Int) async throws -> Double
    ) {
        self.name = name
        self.sizes = sizes
        self.runs = runs
        self.rule = rule
        self.nanoseconds = nanoseconds
    }

    /// A row a size; the amount is the median divided by that of the smallest size. `isShort`: only the smallest size.
    func rows(isShort: Bool, _ progress: Progress) async throws -> [Row] {
        var rows: [Row] = []
        var smallest: Double?
        for size in isShort ? Array(sizes.prefix(1)) : sizes {
            var times: [Double] = []
            for run in 1...(isShort ? 1 : runs) {
                progress.show("\(name)  \(size)  \(run)/\(runs)")
                times.append(try await nanoseconds(size))
            }
            guard let sample = Sample(times) else { continue }
            let base = smallest ?? max(sample.median, 1)
            smallest = base
            var row = Row("\(name): \(size)", time: sample, amount: sample.median / base)
            switch rule {
            case .flat(let most) where size == sizes.last: row.targets = [Target(figure: .amount, atMost: most)]
            case .flat: break
            case .documented(let note): row.note = note
            }
            rows.append(row)
        }
        return rows
    }
}
