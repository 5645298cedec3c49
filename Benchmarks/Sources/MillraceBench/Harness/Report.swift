// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The results of one run of the benchmarks.
struct Report: Encodable {
    let machine: Machine
    let pairs: Int
    let operations: Int
    var sections: [String: [Table]] = [:]
    /// What a cache line took from one processor to another, before and after each section.
    var lines: [String: LineTransfer] = [:]
    /// The rows that missed a target.
    var missed: [String] = []

    /// The first lines of the output: what the figures depend on, and how to read them.
    var header: String {
        """
        millrace-bench
          machine    \(machine.processor), \(machine.cores) cores, \(machine.kernel), load \(machine.load)
          software   Swift \(machine.swift), allocator \(machine.allocator)
          method     \(pairs) pairs of runs by turns, \(operations) operations a run; ns an operation;
                     ratio: the first row's time divided by this row's, pair by pair (below 1 the first row is faster)
        """
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
