// SPDX-License-Identifier: Apache-2.0

import CCallgrind

/// A row that does the work of the row `subject` and something more at each operation. If the check does not report it,
/// the check would not report a real regression either.
enum CountControl: String, CaseIterable {
    case malloc = "control: one malloc more"
    case retain = "control: one retain more"
    case release = "control: one release more"
    case systemCall = "control: one system call more"
    case lines = "control: eight cache lines more"
    case instructions = "control: 5 % more instructions"

    static var all: [CountControl] { allCases }

    /// The name of the row that each control is compared with.
    static let subject = "loop: batches of 256"
    /// The fraction of the subject's instructions that `.instructions` adds.
    static let part = 0.05
    /// More than all operations of a process, so that `.release` only releases what was retained before.
    private static let mostOperations = 1 << 20

    /// The name of the figure that the check must find to be worse.
    var expected: String {
        switch self {
        case .malloc: "mallocs"
        case .retain: "retains"
        case .release: "releases"
        case .systemCall: "system calls"
        case .lines: "cache lines"
        case .instructions: "instructions"
        }
    }

    /// Returns the row of this control.
    ///
    /// - Parameter more: The instructions per operation that `.instructions` adds.
    func row(more: Double) -> CountedRow {
        CountedRow(rawValue) {
            let run = CountedRow.batches(CountedRow.plain())
            let retained = Unmanaged.passRetained(RetainedObject())
            if self == .release { for _ in 0..<Self.mostOperations { _ = retained.retain() } }
            return CountedRow.Run { operations in
                run.body(operations)
                switch self {
                case .malloc:
                    for _ in 0..<operations {
                        UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16).deallocate()
                    }
                case .retain:
                    // In two loops, because the compiler removes a retain that is followed directly by a
                    // release. One release more, for `passRetained`.
                    let object = Unmanaged.passRetained(RetainedObject())
                    for _ in 0..<operations { _ = object.retain() }
                    for _ in 0...operations { object.release() }
                case .release: for _ in 0..<operations { retained.release() }
                case .systemCall: for _ in 0..<operations { callgrind_system_call() }
                case .lines: callgrind_touch_lines(UInt64(8 * operations))
                case .instructions: callgrind_spend(UInt64(more * Double(operations) / 2))
                }
            }
        }
    }
}

/// An object to retain and release.
private final class RetainedObject {}
