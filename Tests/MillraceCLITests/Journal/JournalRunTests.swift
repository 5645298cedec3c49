// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// `millrace run --journal`: what a crash may not lose, and nothing may count twice.
@Suite struct JournalRunTests {
    private let runs = JournalRuns()

    @Test(arguments: [(1, "process"), (2, "interval"), (5, "grouped"), (2, "every")])
    func aKilledRunGoesOnAndCountsTheSame(_ producers: Int, _ level: String) throws {
        guard try runs.allows(level) else { return }
        // A sync for each action takes a while.
        let events = level == "every" ? 8_000 : JournalRuns.events
        let seed = UInt64.random(in: 0 ... .max)
        let options = [
            "run", "--events", "\(events)", "--seed", "3", "--json", "--top", "40", "--producers", "\(producers)",
        ]
        let journal = [
            "--journal", try runs.folder(), "--durability", level, "--snapshot-every", "\(events / 8)",
        ]
        let expected = try runs.counts(try Tool(options).finish())
        let (found, hits) = try runs.killed(options + journal, seed: seed)
        #expect(found == expected, "seed \(seed), \(hits) of \(JournalRuns.kills) starts were killed")
        // A finished journal: nothing is counted twice, and nothing is added.
        let again = try Tool(options + journal).finish()
        #expect(try runs.counts(again) == expected)
        #expect(again.errors.contains("recovered: snapshot at "))
        #expect(again.errors.contains(" replayed"))
    }

    @Test(arguments: ["process", "interval", "grouped", "every"])
    func everyDurabilityCountsTheSame(_ level: String) throws {
        guard try runs.allows(level) else { return }
        let path = try runs.scratch.file("small.log", mutated(generatedLog(lines: 600, seed: 5), oneIn: 9, seed: 5))
        let expected = try runs.counts(try millrace(path, "--json", "--producers", "2"))
        let journal = try runs.folder()
        for _ in 1...2 {
            let result = try millrace(path, "--json", "--producers", "2", "--journal", journal, "--durability", level)
            #expect(try runs.counts(result) == expected)
        }
    }

    @Test(.enabled(if: hasAwk, "needs awk"), arguments: [false, true])
    func aKilledRunAgreesWithAwk(_ isCompressed: Bool) throws {
        let seed = UInt64.random(in: 0 ... .max)
        let log = mutated(generatedLog(lines: JournalRuns.events / 2, seed: 11), oneIn: 15, seed: 11)
        let plain = try runs.scratch.file("awk.log", log)
        let input = isCompressed ? try runs.scratch.file("awk.log.gz", Packed.gzip(log)) : plain
        let options = ["run", input, "--json", "--top", "1000000", "--producers", "3"]
        let journal = [
            "--journal", try runs.folder(), "--durability", "process", "--snapshot-every", JournalRuns.snapshotEvery,
        ]
        let (found, hits) = try runs.killed(options + journal, seed: seed)
        let expected = try awkCounts(plain)
        let place = "seed \(seed), \(hits) of \(JournalRuns.kills) starts were killed"
        #expect((found["events"] as? Int).map(UInt64.init) == expected["events"], "\(place)")
        #expect((found["lines"] as? Int).map(UInt64.init) == expected["lines"], "\(place)")
        #expect((found["bytes"] as? Int).map(UInt64.init) == expected["bytes"], "\(place)")
        let report = try #require(found as? [String: Any])
        for (name, list) in [("path", "topPaths"), ("host", "topHosts"), ("status", "status"), ("method", "methods")] {
            let found = try #require(entries(report, list))
            for (key, count) in found {
                #expect(expected["\(name) \(key)"] == UInt64(count), "\(place): \(name) \(key)")
            }
        }
    }

    /// The log of a real server, which is not part of the package.
    private static let real = ProcessInfo.processInfo.environment["MILLRACE_REAL_LOG"]

    @Test(.enabled(if: Self.real != nil, "MILLRACE_REAL_LOG names no file: the path of a server's access log"))
    func aKilledRunOfARealLog() throws {
        let options = ["run", try #require(Self.real), "--repeat", "6", "--json", "--top", "100", "--producers", "2"]
        let journal = ["--journal", try runs.folder(), "--durability", "process", "--snapshot-every", "10000"]
        let expected = try runs.counts(try Tool(options).finish())
        let seed = UInt64.random(in: 0 ... .max)
        #expect(try runs.killed(options + journal, seed: seed).counts == expected, "seed \(seed)")
    }

    @Test func anInterruptedRunGoesOn() throws {
        let options = ["run", "--events", "400000", "--json", "--producers", "2"]
        let journal = ["--journal", try runs.folder(), "--durability", "process"]
        let tool = try Tool(options + journal)
        tool.waitUntilListening()
        tool.send(SIGINT)
        let first = tool.finish()
        #expect(first.code == 130 || first.code == 0)
        #expect(try runs.counts(try Tool(options + journal).finish()) == runs.counts(try Tool(options).finish()))
    }

    /// Begins a journal, and returns what a start with other options says.
    private func refusal(_ first: [String], _ second: [String], in journal: String) throws -> ToolResult {
        let options = ["--json", "--journal", journal, "--durability", "process"]
        let result = try Tool(["run"] + first + options).finish()
        #expect(result.code == 0, "\(result.errors)")
        return try Tool(["run"] + second + options).finish()
    }

    @Test(arguments: [
        (["--producers", "3"], "it was begun with --producers 2, not 3. Give that"),
        (["--producers", "2", "--max-keys", "7"], "it was begun with --max-keys 1000000, not 7. Give that"),
        (["--producers", "2", "--format", "common"], "it was begun with --format auto, not common. Give that"),
        (["--producers", "2", "--repeat", "2"], "it was begun with --repeat 1, not 2. Give that"),
        (["--producers", "2", "--shards", "2"], "it was begun without --shards. Leave it out"),
        (["--producers", "2", "--report", "/dev/null"], "it was begun without --report. Leave it out"),
    ])
    func otherOptionsAreRefused(_ options: [String], _ words: String) throws {
        let path = try runs.scratch.file("a.log", generatedLog(lines: 50, seed: 1))
        let journal = try runs.folder()
        let result = try refusal([path, "--producers", "2"], [path] + options, in: journal)
        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("the journal '\(journal)' belongs to another run: \(words)"))
        #expect(result.errors.contains("or begin anew with another folder"))
    }

    @Test func otherInputsAreRefused() throws {
        let log = generatedLog(lines: 50, seed: 1)
        let path = try runs.scratch.file("a.log", log)
        let journal = try runs.folder()
        func said(_ second: [String]) throws -> String {
            try refusal([path, "--producers", "1"], second + ["--producers", "1"], in: journal).errors
        }
        #expect(try said([path, path]).contains("it counts 1 files, not 2. Give the same files in the same order"))
        #expect(try said(["--events", "50"]).contains("it counts '\(path)'. Give these files"))
        let moved = try runs.scratch.file("moved.log", log)
        #expect(try said([moved]).contains("recovered: "), "a file may be moved")
        let grown = try runs.scratch.file("grown.log", log + log)
        #expect(
            try said([grown]).contains("is not what '\(path)' was when the run began (\(2 * log.count) bytes, then")
        )
        let changed = try runs.scratch.file("changed.log", [UInt8(ascii: "x")] + log.dropFirst())
        #expect(try said([changed]).contains("was when the run began (other bytes). Put the old file back"))
    }

    @Test func anotherGeneratedLogIsRefused() throws {
        let result = try refusal(["--events", "50"], ["--events", "50", "--seed", "9"], in: try runs.folder())
        #expect(result.errors.contains("it counts --events 50 --seed 1, not --events 50 --seed 9. Give these"))
    }

    @Test func aFolderOfOtherFilesIsRefused() throws {
        let file = try runs.scratch.file("letter.txt", Array("mine".utf8))
        let folder = (file as NSString).deletingLastPathComponent
        let result = try millrace("--events", "10", "--journal", folder, "--durability", "process")
        #expect(result.code == 1)
        #expect(result.errors.contains("is no journal: it holds 'letter.txt'. Give --journal a folder of its own"))
    }

    @Test(arguments: [
        (["-", "--journal", "x"], "--journal cannot go with standard input (-)"),
        (
            ["--shards", "2", "--alert", "0.5", "--journal", "x"],
            "--alert tells of one store: it cannot go with --shards."
        ),
        (["--journal", "x", "--journal", "y"], "--journal was given twice"),
        (["--journal", "-"], "--journal needs the path of a folder"),
        (["--durability", "process"], "--durability needs --journal"),
        (["--snapshot-every", "5"], "--snapshot-every needs --journal"),
        (["--snapshot-every", "0", "--journal", "x"], "--snapshot-every must be positive"),
        (["--durability", "never", "--journal", "x"], "--durability"),
        (
            ["--capacity", "9", "--overflow", "drop-newest", "--journal", "x"],
            "--journal keeps every event: it cannot go with --overflow drop-newest"
        ),
    ])
    func optionsThatDoNotGoTogether(_ options: [String], _ words: String) throws {
        let result = try Tool(["run"] + options).finish()
        #expect(result.code == 64)
        #expect(result.errors.contains(words))
    }

    @Test func anInputThatCannotBeReadAgainIsRefused() throws {
        let missing = try millrace("/nonexistent.log", "--journal", try runs.folder())
        #expect(missing.code == 1)
        #expect(missing.errors.contains("cannot read '/nonexistent.log'"))
        let pipe = try millrace("/dev/null", "--journal", try runs.folder())
        #expect(pipe.errors.contains("'/dev/null' cannot be read again after a crash"))
    }
}
