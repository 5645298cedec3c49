// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import Testing

@testable import MillraceCLI

@Suite struct FiguresTests {
    @Test func areGroupedAndRounded() {
        #expect(Figures.grouped(0) == "0")
        #expect(Figures.grouped(999) == "999")
        #expect(Figures.grouped(1000) == "1,000")
        #expect(Figures.grouped(.max) == "18,446,744,073,709,551,615")
        #expect(Figures.fixed(1234.5678, 2) == "1,234.57")
        #expect(Figures.fixed(0.005, 1) == "0.0")
        #expect(Figures.fixed(9.96, 1) == "10.0")
        #expect(Figures.fixed(1.05, 3) == "1.050")
        #expect(Figures.fixed(-2.5, 1) == "-2.5")
        #expect(Figures.fixed(.nan, 1) == "-")
        #expect(Figures.fixed(1e300, 1) == "-")
        #expect(Figures.bytes(1023) == "1023 B")
        #expect(Figures.bytes(1536) == "1.5 KiB")
        #expect(Figures.bytes(.max) == "16.0 EiB")
        #expect(Figures.share(1, of: 3) == "33.3 %")
        #expect(Figures.share(0, of: 0) == "-")
    }
}

@Suite struct KeyTextDisplayTests {
    private func text(_ bytes: [UInt8]) -> KeyText { KeyText(bytes: bytes) }

    @Test func invalidUTF8IsEscapedByteByByte() {
        #expect(text([0x61, 0xFF, 0x62]).repaired == "a\\xffb")
        #expect(text(Array("ä€😀".utf8)).repaired == "ä€😀")
        #expect(text([0xE2, 0x82]).repaired == "\\xe2\\x82")
        #expect(text([0xC0, 0xAF]).repaired == "\\xc0\\xaf")
        #expect(text([0xED, 0xA0, 0x80]).repaired == "\\xed\\xa0\\x80")
        #expect(text([0xF0, 0x9F, 0x98, 0x61]).repaired == "\\xf0\\x9f\\x98a")
        #expect(text([]).repaired == "")
    }

    @Test func nothingThatSteersATerminalIsPrinted() {
        #expect(text(Array("a\u{1B}[2Jb\r\n\u{7F}".utf8)).printable == "a\\x1b[2Jb\\x0d\\x0a\\x7f")
        #expect(text(Array("\u{9B}31m\u{202E}x\u{2028}".utf8)).printable == "\\u{9b}31m\\u{202e}x\\u{2028}")
        #expect(text(Array("/grün?q=ж".utf8)).printable == "/grün?q=ж")
    }

    @Test func nothingThatSteersATerminalIsInJSON() throws {
        let hostile = "a\u{1B}[2J\u{9B}31m\u{85}\u{202E}\u{2028}\u{7F}\u{E0041}\"\\ü"
        let written = JSONValue.text(hostile).text()
        #expect(written == #""a\u001b[2J\u009b31m\u0085\u202e\u2028\u007f\udb40\udc41\"\\ü""#)
        let read = try JSONSerialization.jsonObject(with: Data(written.utf8), options: .fragmentsAllowed)
        #expect(read as? String == hostile)
    }
}

@Suite struct ReportTests {
    private func report(
        _ log: [UInt8],
        top: Int = 10,
        maximumKeys: Int = 1_000_000,
        setup: StoreSetup = StoreSetup(engine: .queue, shards: 2, requestedCapacity: 900)
    ) async throws -> Report {
        let scratch = Scratch()
        let outcome = try await analyse(scratch.file("a\u{1B}.log", log), setup: setup, maximumKeys: maximumKeys)
        return Report(
            state: outcome.state,
            metrics: outcome.metrics,
            parsed: outcome.parsed,
            setup: setup,
            seconds: 0.5,
            top: top,
            title: "Access log",
            inputs: ["a\u{1B}\".log", "b"],
            isInterrupted: false
        )
    }

    /// Every byte a line may have in its host and path.
    private var nastyLog: [UInt8] {
        var log: [UInt8] = []
        for byte in UInt8(1)...255 where ![Byte.space, Byte.newline, Byte.quote].contains(byte) {
            log += [byte] + Array(" - - [17/May/2015:10:05:03 +0000] \"GET /".utf8)
            log += [byte, byte] + Array("x HTTP/1.1\" 200 1 \"".utf8) + Array("\" \"\"\n".utf8)
        }
        return log + Array("broken\n".utf8)
    }

    @Test func jsonIsValidForAnyBytes() async throws {
        let report = try await report(nastyLog, top: 1000)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["events"] as? Int == 252)
        #expect(object["malformed"] as? Int == 1)
        let hosts = try #require(object["topHosts"] as? [[String: Any]])
        #expect(hosts.count == 252)
        #expect(Set(hosts.compactMap { $0["key"] as? String }).count == 252, "different hosts stay different")
        let line = try #require((object["malformedLines"] as? [[String: Any]])?.first)
        #expect(line["input"] as? String == "a\u{1B}\".log")
        #expect(line["line"] as? Int == 253)
        #expect(line["reason"] as? String == "host")
    }

    @Test func jsonHasTheKeysOfTheDocumentation() async throws {
        let report = try await report(generatedLog(lines: 3000, seed: 2), top: 3)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let keys = [
            "actionsPerSecond", "alerts", "bytes", "capacity", "counted", "directives", "distinctHosts",
            "distinctPaths", "dropped",
            "engine",
            "events", "eventsPerSecond", "formats", "interrupted", "lines", "linesPerSecond", "malformed",
            "malformedLines",
            "malformedReasons", "methods", "metrics", "minutes", "otherHosts", "otherMethods", "otherMinutes",
            "otherPaths", "overflow", "rejected", "seconds", "shards", "stages", "status", "topHosts",
            "topPaths",
        ]
        #expect(object.keys.sorted() == keys)
        let metrics = try #require(object["metrics"] as? [String: Int])
        #expect(
            metrics.keys.sorted() == [
                "batches", "cancelled", "dropped", "highWaterMark", "offered", "pending", "reduced", "rejected",
                "wakeUps",
            ]
        )
        let paths = try #require(object["topPaths"] as? [[String: Any]])
        #expect(paths.map { $0["count"] as! Int } == report.state.paths.top(3).map { Int($0.count) })
        #expect(object["engine"] as? String == "queue")
        #expect(object["shards"] as? Int == 2)
        #expect(object["capacity"] as? Int == 900)
        #expect(object["overflow"] as? String == "block")
        #expect(object["seconds"] as? Double == 0.5)
        #expect(object["eventsPerSecond"] as? Double == Double(report.state.events) * 2)
    }

    @Test func tablesFit80ColumnsAndHoldNoControlCharacters() async throws {
        let long =
            "h - - [17/May/2015:10:05:03 +0000] \"GET /\(String(repeating: "long", count: 99)) HTTP/1.1\" 200 1\n"
        let report = try await report(Array(long.utf8) + Array(long.utf8) + nastyLog, maximumKeys: 200)
        let rows = report.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(rows.allSatisfy { $0.count <= 80 })
        #expect(rows.contains { $0.hasSuffix("…") })
        #expect(report.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        for expected in ["Totals", "Status", "Methods", "Top paths", "Top hosts", "Busiest minutes", "Malformed lines"]
        {
            #expect(rows.contains { $0.hasPrefix(expected) }, "\(expected)")
        }
        #expect(rows.contains { $0.contains("(other)") })
        #expect(report.text.contains("line 255  no host (a\\x1b\".log)"))
    }

    @Test func saysHowManyEventsAreMissing() async throws {
        var report = try await report(generatedLog(lines: 3000, seed: 2))
        let events = report.parsed
        #expect(!report.text.contains("missing"))
        #expect(report.text.contains("actions in each of 2 shards, overflow: block"))
        report.parsed += 40
        report.metrics.dropped = 39
        report.metrics.rejected = 1
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["events"] as? UInt64 == events + 40)
        #expect(object["counted"] as? UInt64 == events)
        #expect(object["dropped"] as? Int == 39)
        #expect(object["rejected"] as? Int == 1)
        #expect(report.text.contains(" 40  1.3 % (see Queue)\n"))
    }

    @Test func foldsBeyondTheKeysItMayKeep() async throws {
        let log = (0..<100).map { "h\($0) - - [17/May/2015:10:05:03 +0000] \"GET /\($0 % 10) HTTP/1.1\" 200 1\n" }
        let report = try await report(Array(log.joined().utf8), maximumKeys: 20, setup: StoreSetup())
        #expect(report.state.hosts.distinct == 20)
        #expect(report.state.hosts.other == 80)
        #expect(report.state.paths.distinct == 10)
        #expect(report.state.paths.other == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["otherHosts"] as? Int == 80)
        #expect(object["distinctHosts"] as? Int == 20)
    }

    @Test func theProgressLineNamesEventsRateAndDepth() {
        #expect(
            ProgressLine.text(events: 3_000_000, seconds: 2, depth: 1024)
                == "3,000,000 events   1,500,000 a second   depth 1,024"
        )
        #expect(ProgressLine.text(events: 0, seconds: 0, depth: 0) == "0 events   - a second   depth 0")
    }
}
