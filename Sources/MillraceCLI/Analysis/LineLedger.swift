// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

/// Turns "line 7 of chunk 31" into "line 4711 of the second file". Chunks may end in any order.
struct LineLedger: Sendable {
    /// A malformed line in the report.
    struct Sample: Equatable, Sendable {
        /// The number of the input, in the order of the command line.
        var input: Int
        /// The line number, from 1.
        var line: UInt64
        var reason: MalformedReason
    }

    /// The first malformed lines of the input, at most `limit`. A repetition of the input adds none.
    private(set) var samples: [Sample] = []
    private let limit: Int

    /// The malformed lines of chunks that are not closed yet, at most `limit` of each.
    private var open: [UInt64: [MalformedLine]] = [:]
    /// The chunks that were closed while an earlier chunk is still open. There are only as many as producers have read
    /// ahead.
    private var waiting: [UInt64: ChunkSummary] = [:]
    private var next: UInt64 = 0
    private var input: UInt32 = 0
    private var linesBefore: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ line: MalformedLine) {
        guard samples.count < limit, open[line.chunk, default: []].count < limit else { return }
        open[line.chunk, default: []].append(line)
    }

    mutating func close(_ summary: ChunkSummary) {
        waiting[summary.chunk] = summary
        while let chunk = waiting.removeValue(forKey: next) {
            // Wraps around only with the numbers of a file that was changed, as the sums below.
            next &+= 1
            if chunk.input != input {
                input = chunk.input
                linesBefore = 0
            }
            for line in open.removeValue(forKey: chunk.chunk) ?? [] where samples.count < limit && chunk.pass == 0 {
                let number = linesBefore &+ UInt64(line.line) &+ 1
                samples.append(Sample(input: Int(input), line: number, reason: line.reason))
            }
            linesBefore &+= UInt64(chunk.lines)
        }
    }
}

extension LineLedger {
    /// Writes the ledger for a snapshot.
    func write(to output: inout RecordBuffer) {
        output.append(UInt64(samples.count))
        for sample in samples {
            output.append(UInt64(sample.input))
            output.append(sample.line)
            output.append(sample.reason.rawValue)
        }
        output.append(UInt64(limit))
        // In the order of the chunks, so that equal ledgers have equal bytes.
        let lines = open.sorted { $0.key < $1.key }.flatMap(\.value)
        output.append(UInt64(lines.count))
        for line in lines { line.write(to: &output) }
        output.append(UInt64(waiting.count))
        for chunk in waiting.values.sorted(by: { $0.chunk < $1.chunk }) { chunk.write(to: &output) }
        output.append(next)
        output.append(input)
        output.append(linesBefore)
    }

    /// Reads a ledger from a snapshot.
    init(_ bytes: inout StateBytes) throws(CodecError) {
        var samples: [Sample] = []
        for _ in 0..<(try bytes.count()) {
            let (input, line) = (try bytes.count(), try bytes.next() as UInt64)
            samples.append(Sample(input: input, line: line, reason: try MalformedReason(&bytes)))
        }
        self.init(limit: try bytes.count())
        self.samples = samples
        for _ in 0..<(try bytes.count()) {
            let line = try MalformedLine(&bytes)
            open[line.chunk, default: []].append(line)
        }
        for _ in 0..<(try bytes.count()) {
            let chunk = try ChunkSummary(&bytes)
            waiting[chunk.chunk] = chunk
        }
        next = try bytes.next()
        input = try bytes.next()
        linesBefore = try bytes.next()
    }
}
