// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

@Suite struct GeneratorTests {
    @Test func theSeedDecidesEveryByte() {
        let log = generatedLog(lines: 3000, seed: 7)
        #expect(log == generatedLog(lines: 3000, seed: 7))
        #expect(log != generatedLog(lines: 3000, seed: 8))
        #expect(lines(of: log).count == 3000)
        #expect(log.last == Byte.newline)
    }

    @Test func blocksDoNotDependOnWhoWritesThem() {
        let generator = LineGenerator(seed: 7, total: 5000)
        let buffer = ChunkBuffer(capacity: LineGenerator.block * LineGenerator.maximumLength)
        var parts = [[UInt8]](repeating: [], count: generator.blocks)
        for block in (0..<generator.blocks).reversed() {
            let end = generator.write(block: block, to: buffer.base)
            parts[block] = Array(UnsafeBufferPointer(start: buffer.base, count: end - buffer.base))
        }
        #expect(Array(parts.joined()) == generatedLog(lines: 5000, seed: 7))
    }

    @Test func linesAreRealisticAndShortEnough() {
        let all = lines(of: generatedLog(lines: 50_000, seed: 1))
        #expect(all.allSatisfy { $0.count < LineGenerator.maximumLength - 64 })
        let results = all.map { $0.contains(0) ? ParseResult.malformed(.binaryData) : parse(Array($0), .combined) }
        let events = results.compactMap(\.event)
        #expect(20..<90 ~= results.count - events.count, "about one line in a thousand is malformed")
        #expect(Set(results.compactMap(\.reason)).count >= 6, "malformed in several ways")
        #expect(Set(events.map(\.host)).count > 3000)
        #expect(Set(events.map(\.path)).count > 1000)
        #expect(Set(events.map(\.status)).isSuperset(of: [200, 301, 304, 404, 500]))
        #expect(Set(events.map(\.method)).isSuperset(of: ["GET", "POST", "HEAD"]))
        let minutes = events.map(\.minute)
        #expect(minutes == minutes.sorted())
        #expect(minutes.last! - minutes.first! == 1439)
    }

    /// Zipf: the first path is far ahead of the tenth, and the tenth of the hundredth.
    @Test func popularityFallsOff() {
        var counts: [String: Int] = [:]
        for line in lines(of: generatedLog(lines: 50_000, seed: 1)) {
            if let path = parse(Array(line)).event?.path { counts[path, default: 0] += 1 }
        }
        let sorted = counts.values.sorted(by: >)
        #expect(sorted[0] > 2 * sorted[9])
        #expect(sorted[9] > 3 * sorted[99])
    }
}
