// SPDX-License-Identifier: Apache-2.0

import CCallgrind

/// A row that is worse on purpose. If the check does not find it, the check would not find a real regression either.
enum CountControl: String, CaseIterable {
    case malloc = "control: one malloc more"
    case instructions = "control: 5 % more instructions"

    static var all: [CountControl] { allCases }

    /// The name of the row that each control is compared with.
    static let subject = "loop: batches of 256"
    /// The instructions that `.instructions` adds, as a part of those of the subject.
    static let part = 0.05

    /// Returns the row of this control.
    ///
    /// - Parameter more: The instructions per operation that `.instructions` adds.
    func row(more: Double) -> CountedRow {
        CountedRow(rawValue) {
            let run = CountedRow.batches(CountedRow.plain())
            return CountedRow.Run { operations in
                run.body(operations)
                switch self {
                case .malloc:
                    for _ in 0..<operations {
                        UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16).deallocate()
                    }
                case .instructions: callgrind_spend(UInt64(more * Double(operations) / 2))
                }
            }
        }
    }
}
