// SPDX-License-Identifier: Apache-2.0

/// The part of the output of `millrace-bench --json` that the pictures show.
public struct Figures: Decodable {
    /// What a cache line took from one processor to the other, in nanoseconds, before a section and after it.
    struct Lines: Decodable {
        let before: Double
        let after: Double
    }

    struct Machine: Decodable {
        let processor: String
        let cores: Int
        let kernel: String
        let swift: String
        let allocator: String
        /// The average number of busy threads in the minute before.
        let load: Double
    }

    struct Table: Decodable {
        let title: String
        let rows: [Row]
    }

    struct Row: Decodable {
        let name: String
        /// The nanoseconds per operation.
        let time: Sample?
        /// The nanoseconds per operation at several sizes.
        let points: [Point]?
        let note: String?
    }

    struct Point: Decodable {
        let size: Int
        let time: Sample
    }

    struct Sample: Decodable {
        let min: Double
        let median: Double
        let max: Double
    }

    let machine: Machine
    let pairs: Int
    let operations: Int
    /// By the names of the sections; nil in older files.
    let lines: [String: Lines]?
    let sections: [String: [Table]]
}
