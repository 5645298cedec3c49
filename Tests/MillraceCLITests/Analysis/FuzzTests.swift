// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// Random input: nothing may trap, and every line must be counted once. A failure names the seed to repeat it with.
@Suite struct FuzzTests {
    private static let lineFeeds = [UInt8(ascii: "\n"), UInt8(ascii: "\""), UInt8(ascii: " "), 0]

    private func expectConservation(_ bytes: [UInt8], _ seed: UInt64, format: LogFormat = .auto) async throws {
        let scratch = Scratch()
        let path = try scratch.file("fuzz.log", bytes)
        let state = try await analyse(path, format: format, producers: 2).state
        #expect(state.lines == UInt64(lines(of: bytes).count), "seed \(seed)")
        #expect(state.events + state.malformed == state.lines, "seed \(seed)")
        #expect(state.reasons.reduce(0, +) == state.malformed, "seed \(seed)")
        for table in [state.hosts, state.paths, state.minutes, state.methods] {
            #expect(table.counts.reduce(0, +) == state.events, "seed \(seed)")
        }
        #expect(state.statuses.reduce(0, +) == state.events, "seed \(seed)")
    }

    @Test(arguments: 1...12)
    func randomBytes(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let size = random.below(200_000) + 1
        // With more or fewer newlines and quotes than chance would give.
        let common = random.below(40)
        let bytes = (0..<size).map { _ -> UInt8 in
            random.below(40) < common
                ? Self.lineFeeds[random.below(Self.lineFeeds.count)] : UInt8(truncatingIfNeeded: random.next())
        }
        try await expectConservation(bytes, seed)
    }

    @Test(arguments: 1...12)
    func mutatedLines(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var log = mutated(generatedLog(lines: 2000, seed: seed), oneIn: 1, seed: seed)
        for _ in 0..<random.below(200) {
            log[random.below(log.count)] = UInt8(truncatingIfNeeded: random.next())
        }
        log.removeLast(random.below(200))
        try await expectConservation(log, seed, format: [.auto, .common, .combined][random.below(3)])
    }

    /// Lines directly at the parser, with what would be read past their end changed: it must not matter.
    @Test(arguments: 1...4)
    func nothingBehindTheLineMatters(_ seed: UInt64) {
        let log = mutated(generatedLog(lines: 500, seed: seed), oneIn: 1, seed: seed)
        for line in lines(of: log) {
            let results = [UInt8(0), 0x22, 0x20, 0xFF].map { byte -> ParseResult in
                let padded = Array(line) + [UInt8](repeating: byte, count: ByteSearch.padding)
                return padded.withUnsafeBufferPointer { all in
                    var parser = LineParser(format: .auto)
                    let start = all.baseAddress!
                    if let reason = parser.parse(start, start + line.count) { return .malformed(reason) }
                    return .event(
                        Parsed(
                            host: String(decoding: parser.line.host, as: UTF8.self),
                            path: String(decoding: parser.line.path, as: UTF8.self),
                            minute: parser.line.minute,
                            status: parser.line.status,
                            size: parser.line.size
                        )
                    )
                }
            }
            #expect(Set(results.map { "\($0)" }).count == 1, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
        }
    }
}
