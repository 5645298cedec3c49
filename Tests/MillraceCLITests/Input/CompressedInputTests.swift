// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// Inputs that gzip or zstd has compressed, from files and from standard input.
@Suite struct CompressedInputTests {
    private let scratch = Scratch()
    private let log = generatedLog(lines: 3000, seed: 12)

    private func events(_ bytes: [UInt8], isPipe: Bool = false, _ options: String...) throws -> ToolResult {
        if isPipe { return try Tool.run(["-", "--json", "--quiet"] + options, input: bytes) }
        return try Tool([try scratch.file(UUID().uuidString, bytes), "--json", "--quiet"] + options).finish()
    }

    private func report(_ result: ToolResult) throws -> NSDictionary {
        var report = try result.json()
        for key in report.keys where !["topPaths", "topHosts", "minutes", "status", "lines", "events"].contains(key) {
            report[key] = nil
        }
        return report as NSDictionary
    }

    @Test(arguments: [true, false])
    func aCompressedLogCountsAsThePlainOne(_ isPipe: Bool) throws {
        let plain = try report(try events(log))
        let half = log.count / 2
        let parts = [Array(log[..<half]), Array(log[half...])]
        for packed in [
            Packed.gzip(log), Packed.gzip(parts[0]) + Packed.gzip(parts[1]), Packed.gzip(log) + [0, 0, 0],
            Packed.zstd(log), Packed.zstd(parts[0]) + Packed.zstd(parts[1]),
            Packed.skippable + Packed.zstd(log) + Packed.skippable, Packed.zstd(log, windowLog: 27),
        ] {
            for producers in ["1", "3"] {
                let result = try events(packed, isPipe: isPipe, "--producers", producers)
                #expect(result.code == 0 && result.errors == "", "\(result.errors)")
                #expect(try report(result) == plain)
            }
        }
    }

    @Test(arguments: ["gzip", "zstd"])
    func whatTheProgramsWriteIsRead(_ program: String) throws {
        let path = try scratch.file("log", log)
        let packed = try Tool(["-c", "command -v \(program) >/dev/null && \(program) -c '\(path)'"], at: "/bin/sh")
            .finish()
        guard packed.code == 0 else { return print("skipped: no \(program) here") }
        #expect(try report(try events(Array(packed.output))) == report(try events(log)))
    }

    @Test func theNameSaysNothing() throws {
        let path = try scratch.file("plain.gz", log)
        #expect(try Tool([path, "--json"]).finish().json()["events"] as? Int ?? 0 > 2900)
        let names = try Tool([try scratch.file("packed.log", Packed.gzip(log)), "--json"]).finish().json()
        #expect(names["events"] as? Int ?? 0 > 2900)
    }

    @Test func repeatsCompressedFiles() throws {
        let once = try events(Packed.zstd(log)).json()["events"] as? Int ?? 0
        #expect(try events(Packed.zstd(log), isPipe: false, "--repeat", "3").json()["events"] as? Int == 3 * once)
    }

    @Test(arguments: ["gzip", "zstd"])
    func aTruncatedInputIsAnErrorAndItsLinesCount(_ kind: String) throws {
        let packed = kind == "gzip" ? Packed.gzip(log) : Packed.zstd(log)
        let cut = Array(packed[..<(packed.count / 2)])
        for isPipe in [true, false] {
            let result = try events(cut, isPipe: isPipe)
            #expect(result.code == 1)
            #expect(result.errors.contains("it ends at byte \(Figures.grouped(UInt64(cut.count)))"), "\(result.errors)")
            #expect(result.errors.contains(isPipe ? "'standard input'" : scratch.path))
            #expect(try result.json()["events"] as? Int ?? 0 > 1000)
        }
        #expect(try events(Array(packed[..<9])).code == 1)
    }

    @Test func aDamagedInputIsAnErrorAndItsLinesCount() throws {
        var packed = Packed.gzip(log)
        packed[packed.count - 6] ^= 0xFF
        let sum = try events(packed)
        #expect(sum.code == 1 && sum.errors.contains("gzip data is damaged at byte"), "\(sum.errors)")
        #expect(sum.errors.contains("incorrect data check"))
        #expect(try sum.json()["lines"] as? Int ?? 0 > 2900)
        var frame = Packed.zstd(log)
        // The header of the second block: a kind of block that is reserved.
        frame[9 + 3 + 65_535] |= 0x06
        let damaged = try events(frame)
        #expect(damaged.code == 1 && damaged.errors.contains("zstd data is damaged at byte"), "\(damaged.errors)")
        #expect(try damaged.json()["events"] as? Int ?? 0 > 200)
        for packed in [Packed.gzip(log), Packed.zstd(log)] {
            let result = try events(packed + Array("text".utf8))
            let place = "from byte \(Figures.grouped(UInt64(packed.count))) on, it is not"
            #expect(result.code == 1 && result.errors.contains(place), "\(result.errors)")
            #expect(try result.json()["events"] as? Int ?? 0 > 2900)
        }
    }

    @Test func aFrameThatNeedsTooMuchMemoryIsRefused() throws {
        let result = try events(Packed.zstd(log, windowLog: 30))
        #expect(result.code == 1)
        #expect(
            result.errors.contains("the zstd frame at byte 0 needs a window of more than 128 MiB"),
            "\(result.errors)"
        )
        let packed = Packed.zstd(log)
        let second = try events(packed + Packed.zstd(log, windowLog: 30))
        #expect(
            second.errors.contains("frame at byte \(Figures.grouped(UInt64(packed.count))) needs"),
            "\(second.errors)"
        )
        #expect(result.errors.contains("zstd -dc --long=31"))
    }

    @Test(arguments: [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 1, 2], "xz -dc"), (Array("BZh91AY".utf8), "bzip2 -dc"),
        ([0x04, 0x22, 0x4D, 0x18, 0, 0], "lz4 -dc"),
    ])
    func otherProgramsAreNamed(_ bytes: [UInt8], _ words: String) throws {
        for isPipe in [true, false] {
            let result = try events(bytes, isPipe: isPipe)
            #expect(result.code == 1 && result.errors.contains(words), "\(result.errors)")
        }
    }

    @Test func shortInputsThatBeginLikeCompressedOnesAreText() throws {
        for bytes in [[0x1F], [0x28, 0xB5], [0x1F, 0x8B], Array("P".utf8)] {
            let result = try events(bytes, isPipe: true)
            #expect(result.code == 1 && result.errors.contains("no line of the input is an event"), "\(result.errors)")
        }
    }

    /// Random damage never crashes, and every line is counted once.
    @Test func damageIsNeverMoreThanAnError() async throws {
        var random = SplitMix64(seed: 21)
        for round in 0..<60 {
            var packed = round % 2 == 0 ? Packed.gzip(log) : Packed.zstd(log)
            for _ in 0...random.below(3) { packed[random.below(packed.count)] = UInt8(random.below(256)) }
            packed.removeLast(random.below(packed.count / 2))
            let path = try scratch.file("damaged", packed)
            let chunks = InputChunks(
                inputs: [InputSource(path)],
                repeating: 1,
                interruption: Interruption(),
                report: { _ in }
            )
            let outcome = try await Analysis(producers: 2, format: .auto, maximumKeys: 1000).run(chunks)
            #expect(outcome.imbalance == nil)
        }
    }
}
