// SPDX-License-Identifier: Apache-2.0

import Millrace

extension CountedRow {
    /// Rows of lifted middlewares that read their part of 10 and of 10,000 elements: both must take as much.
    static var sizedLifts: [CountedRow] {
        SizedLift.allCases.filter { $0 != .computed }.flatMap { lift in
            [10, 10_000].map { row(sizedName(lift, $0), lift, $0, flatTo: $0 == 10 ? nil : sizedName(lift, 10)) }
        }
    }

    /// The control of the comparison, a lift that copies: it must be found to take more with more elements.
    static let steep: [CountedRow] = {
        let few = "control: a computed copy of 10 elements"
        return [
            row(few, .computed, 10),
            row("control: a computed copy of 1,000 elements", .computed, 1_000, flatTo: few),
        ]
    }()

    /// A run has few operations: an IO takes thousands of instructions, and one copy too many takes tens of thousands.
    private static func row(_ name: String, _ lift: SizedLift, _ size: Int, flatTo few: String? = nil) -> CountedRow {
        CountedRow(name, divisor: 32, flatTo: few) { run(lift, size) }
    }

    private static func sizedName(_ lift: SizedLift, _ size: Int) -> String {
        "sizes: lifted by \(lift.rawValue), \(size == 10 ? "10" : "10,000") elements"
    }

    private static func run(_ lift: SizedLift, _ size: Int) -> Run {
        let sum = Cliff.Counter()
        let store = lift.store(elements: size, middlewares: 1, sum)
        for entry in 0..<10 { store.dispatch(lift.action(entry)) }
        let batch = (0..<64).map { lift.action($0 % 10) }
        return Run(
            body: { operations in
                for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
            },
            after: { keep(sum.count) }
        )
    }
}
