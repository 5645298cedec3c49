// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceEffects
import Testing

@testable import MillraceCLI

/// `millrace run --journal` together with `--report`, `--alert` and `--shards`.
@Suite struct JournalPluginTests {
    private let runs = JournalRuns()

    /// Options, and whether a page is written.
    private static let combinations: [(options: [String], hasPage: Bool)] = [
        (["--alert", "0.01"], false), ([], true), (["--shards", "3"], false),
        (["--alert", "0.01", "--engine", "queue"], true), (["--shards", "3"], true),
    ]

    @Test(arguments: Self.combinations)
    func aKilledRunHasTheSameReport(_ options: [String], _ hasPage: Bool) throws {
        let seed = UInt64.random(in: 0 ... .max)
        let log = mutated(generatedLog(lines: JournalRuns.events / 2, seed: 12), oneIn: 15, seed: 12)
        let page = "\(runs.scratch.path)/page.html"
        let input = try runs.scratch.file("access.log", log)
        let options =
            ["run", input, "--json", "--top", "1000000", "--producers", "3"] + options
            + (hasPage ? ["--report", page] : [])
        let journal = [
            "--journal", try runs.folder(), "--durability", "process", "--snapshot-every", JournalRuns.snapshotEvery,
        ]
        func written() throws -> String { hasPage ? try String(contentsOfFile: page, encoding: .utf8) : "" }

        let expected = try runs.counts(try Tool(options).finish())
        if options.contains("--alert") {
            #expect((expected["alerts"] as? [Any])?.isEmpty == false, "a log without alerts shows nothing")
        }
        let whole = try written()
        try? FileManager.default.removeItem(atPath: page)
        let (found, hits) = try runs.killed(options + journal, seed: seed)
        let place = "seed \(seed), \(hits) of \(JournalRuns.kills) starts were killed"
        #expect(found == expected, "\(place)")
        #expect(try written() == whole, "\(place)")
        // A finished journal says the same again.
        let again = try Tool(options + journal).finish()
        #expect(try runs.counts(again) == expected)
        #expect(try written() == whole)
        #expect(again.errors.contains("recovered: "))
        if hasAwk {
            let awk = try awkCounts(input)
            for name in ["events", "lines", "bytes"] {
                #expect((found[name] as? Int).map(UInt64.init) == awk[name], "\(place): \(name)")
            }
            let report = try #require(found as? [String: Any])
            let hosts = try #require(entries(report, "topHosts"))
            for (host, count) in hosts { #expect(awk["host \(host)"] == UInt64(count), "\(place): \(host)") }
        }
    }

    @Test(arguments: [
        (["--shards", "2"], ["--shards", "3"], "it has 2 shards by the hash"),
        (["--shards", "2"], [], "it was begun with --shards. Give the same number"),
        (["--shards", "2"], ["--shards", "2", "--max-keys", "7"], "it was begun with --max-keys 1000000, not 7."),
        (["--report", "/dev/null"], [], "it was begun with --report. Give that"),
    ])
    func otherOptionsAreRefused(_ first: [String], _ second: [String], _ words: String) throws {
        let journal = try runs.folder()
        let options = ["run", "--events", "500", "--json", "--journal", journal, "--durability", "process"]
        let begun = try Tool(options + first).finish()
        #expect(begun.code == 0, "\(begun.errors)")
        let result = try Tool(options + second).finish()
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.contains("the journal '\(journal)' belongs to another run: \(words)"), "\(result.errors)")
        #expect(try Tool(options + first).finish().code == 0, "the refused start has changed nothing")
    }

    /// An alert may be given or left out from start to start: it follows from the counts.
    @Test func alertsFollowFromAFinishedJournal() throws {
        let options = ["run", "--events", "60000", "--json", "--producers", "2"]
        let alert = ["--alert", "0.01"]
        let journal = ["--journal", try runs.folder(), "--durability", "process"]
        let expected = try runs.counts(try Tool(options + alert).finish())
        _ = try runs.counts(try Tool(options + journal).finish())
        #expect(try runs.counts(try Tool(options + journal + alert).finish()) == expected)
        let none = try runs.counts(try Tool(options + journal + ["--alert", "0.9"]).finish())
        #expect((none["alerts"] as? [Any])?.isEmpty == true, "those of another rate are withdrawn")
        #expect(try runs.counts(try Tool(options + journal + alert).finish()) == expected)
    }

    @Test("the log has a line when a journal begins, in each shard, and none when the run goes on")
    func logOfAJournal() throws {
        let file = "\(runs.scratch.path)/actions.log"
        let options = ["run", "--events", "1000", "--json", "--shards", "2", "--log", file]
        let journal = ["--journal", try runs.folder(), "--durability", "process"]
        for _ in 1...2 { _ = try runs.counts(try Tool(options + journal).finish()) }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.hasSuffix("info began a journal") }.count == 2, "\(lines)")
    }

    @Test func correctionsOfAState() {
        let watch = AlertWatch(above: AlertRate(argument: "0.5")!)
        var state = LogState(producers: 1, maximumKeys: 100)
        func count(_ minute: UInt32, _ events: Int, status: UInt16) {
            let event = AccessEvent(size: 1, host: 0, path: 0, minute: minute, method: 0, status: status, producer: 0)
            for _ in 0..<events { state.count(event) }
        }
        for minute in 1...4 {
            let text = KeyText(bytes: [UInt8(minute)])
            state.define(KeyDefinition(text: text, number: UInt32(minute), producer: 0, dimension: .minute))
        }
        func alert(_ minute: UInt32, _ events: UInt64, _ failures: UInt64) -> Alert {
            Alert(text: KeyText(bytes: [UInt8(minute)]), events: events, failures: failures, minute: minute)
        }
        // Above the rate and not raised; raised with other counts; raised and recovered; well and not raised.
        count(1, 20, status: 500)
        count(2, 20, status: 500)
        state.raise(alert(2, 12, 12))
        count(3, 20, status: 200)
        state.raise(alert(3, 10, 10))
        count(4, 20, status: 200)
        let corrections = watch.corrections(of: state)
        #expect(corrections == [.alert(alert(1, 20, 20)), .alert(alert(2, 20, 20)), .recovered(alert(3, 20, 0))])
        for action in corrections { LogJournal.reducer.reduce(action, &state) }
        #expect(watch.corrections(of: state) == [])
    }
}
