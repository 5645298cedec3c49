// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceJournal
import MillraceRecords

/// Measures the files of a journal beside the calls of the system that they are made of, in pairs, in one process.
///
/// `journal-bench [FOLDER] [PAIRS] [PART]`: the folder must be on a disk; all is removed afterwards. The parts are `groups`
/// and `scan`; without one both are measured. Stores with a journal are measured by `millrace-bench --only journal`.
@main
struct JournalBench {
    /// An action of 64 bytes.
    struct Order: BitwiseCopyable {
        var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4, 5, 6, 7, 8)
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let outer = arguments.first ?? FileManager.default.temporaryDirectory.path
        let pairs = arguments.dropFirst().first.flatMap { Int($0) } ?? 9
        let part = arguments.dropFirst(2).first
        func isWanted(_ name: String) -> Bool { part == nil || part == name }
        let path = "\(outer)/millrace-journal-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }

        if isWanted("groups") { try groups(path, pairs) }
        if isWanted("scan") {
            print("\n[journal] reading it again; bytes/s beside pread of 1 MiB at a time")
            try Scan(path: path, actions: 1_000_000).measure(pairs: pairs)
        }
    }

    private static func groups(_ path: String, _ pairs: Int) throws {
        print("[journal] write and sync of a group; bytes/s beside write + fdatasync of as many bytes, \(pairs) pairs")
        print(
            "actions    bytes   raw sync p50    raw MB/s   writer MB/s   ratio (quartiles)      target, processor time to encode an action"
        )
        for actions in [1, 46, 186, 744, 2978] {
            try Groups(path: path, actions: actions).measure(pairs: pairs).print()
        }
        // The disk writes each byte twice then: the zeros ahead, too.
        try Groups(path: path, actions: 2978, rotates: true).measure(pairs: pairs).print()
    }
}

/// The quartiles of some figures.
func quartiles(_ values: [Double]) -> (low: Double, middle: Double, high: Double) {
    let sorted = values.sorted()
    func at(_ part: Double) -> Double { sorted[Int(Double(sorted.count - 1) * part + 0.5)] }
    return (at(0.25), at(0.5), at(0.75))
}

/// The nanoseconds that a closure takes.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let time = ContinuousClock.now - start
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
}

/// The processor time of this thread in nanoseconds: the same on a busy machine.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func text(_ value: Double, _ width: Int, _ digits: Int = 1) -> String {
    let text = String(format: "%.\(digits)f", value)
    return String(repeating: " ", count: max(0, width - text.count)) + text
}
