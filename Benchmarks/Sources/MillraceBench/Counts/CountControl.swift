// SPDX-License-Identifier: Apache-2.0

import CCallgrind

/// A work that is made worse on purpose. A check that lets one of them pass would let a real change pass, too.
enum CountControl: String, CaseIterable {
    case malloc = "control: one malloc more"
    case instructions = "control: 5 % more instructions"

    static var all: [CountControl] { allCases }

    /// The work that it is compared with.
    static let subject = "loop: batches of 256"
    /// What the second one adds, as a part of the subject's instructions.
    static let part = 0.05

    /// - Parameter more: Instructions an operation that the second one adds.
    func work(more: Double) -> CountedWork {
        CountedWork(rawValue) {
            let run = CountedWork.batches(CountedWork.plain())
            return CountedWork.Run { operations in
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
