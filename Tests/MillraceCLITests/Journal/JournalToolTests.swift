// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// `millrace journal` and `millrace replay` on the journals of `millrace run`.
@Suite struct JournalToolTests {
    private let scratch = Scratch()
    private let journal: String

    init() throws {
        journal = try scratch.file("run", []) + ".journal"
        let options = ["--journal", journal, "--durability", "process", "--snapshot-every", "5000", "--json"]
        let result = try Tool(["run", "--events", "20000", "--producers", "2"] + options).finish()
        try #require(result.code == 0, "\(result.errors)")
    }

    /// The last action of the journal, by `stat`.
    private func last() throws -> Int {
        let stat = try millrace("journal", "stat", journal)
        #expect(stat.code == 0)
        let line = try #require(stat.text.split(separator: "\n").first { $0.hasPrefix("actions") })
        return try #require(Int(line.split(separator: " ").last!.filter { $0 != "," }))
    }

    @Test func statSaysWhatIsInTheFolder() throws {
        let text = try millrace("journal", "stat", journal).text
        #expect(text.contains("kind        began  1\n"))
        #expect(text.contains("kind        inputEnded  1\n"))
        #expect(text.contains("producer    run  2\n"))
        #expect(text.contains("producer    producer-1  "))
    }

    @Test func exportIsOneObjectForEachAction() throws {
        let result = try millrace("journal", "export", journal)
        #expect(result.code == 0)
        let lines = result.output.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == (try last()))
        for (index, line) in lines.enumerated() where index % 997 == 0 {
            let entry = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            #expect(entry["sequence"] as? Int == index + 1)
            #expect(entry["kind"] is String && entry["action"] is String && entry["time"] is String)
        }
    }

    @Test func theHashIsTheSameInEachProcess() throws {
        let first = try millrace("replay", journal)
        let hash = String(first.text.prefix(16))
        #expect(first.code == 0)
        #expect(try millrace("replay", journal, "--expect-hash", hash).code == 0)
        #expect(try millrace("replay", journal, "--snapshots", "--expect-hash", hash).code == 0)
        #expect(try millrace("journal", "verify", journal).text.contains("state: \(hash) after "))
        #expect(try millrace("replay", journal, "--to", "500", "--expect-hash", hash).code == 1)
    }

    @Test func aSnapshotMakesTheNextStartFast() throws {
        #expect(try millrace("journal", "snapshot", journal).code == 0)
        let again = try Tool([
            "run", "--events", "20000", "--producers", "2", "--json", "--journal", journal, "--durability", "process",
        ]).finish()
        #expect(again.code == 0)
        #expect(again.errors.contains("recovered: snapshot at \(Figures.grouped(UInt64(try last()))), 0 replayed"))
    }

    @Test func showAndTailAgree() throws {
        let last = try last()
        let shown = try millrace("journal", "show", journal, "\(last)")
        #expect(shown.text.contains("action    input ended\n"))
        let tail = try millrace("journal", "tail", journal, "--lines", "1", "--no-follow")
        #expect(tail.text.hasPrefix("\(last)  ") && tail.text.hasSuffix("  input ended\n"))
    }

    @Test func tailFollowsARunningProgram() throws {
        let live = journal + ".live"
        let output = journal + ".tail"
        let run = try Tool(["run", "--events", "60000", "--json", "--journal", live, "--durability", "process"])
        while try millrace("journal", "stat", live).code != 0 { Thread.sleep(forTimeInterval: 0.02) }
        let command = "exec \"$0\" journal tail \"$1\" --lines 1 > \"$2\""
        let tail = try Tool(["-c", command, Tool.executable, live, output], at: "/bin/sh")
        #expect(run.finish().code == 0)
        func text() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
        while !text().hasSuffix("  input ended\n"), tail.process.isRunning { Thread.sleep(forTimeInterval: 0.05) }
        tail.send(SIGKILL)
        let code = tail.finish().code
        #expect(code == -SIGKILL)
        let numbers = text().split(separator: "\n").compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        let first = try #require(numbers.first)
        let isWhole = numbers == Array(first..<(first + numbers.count))
        #expect(isWhole, "every action once, in order")
    }

    @Test func bisectFindsAMalformedLine() throws {
        let found = try millrace("journal", "bisect", journal, "--invariant", "no-malformed-line")
        #expect(found.code == 1)
        #expect(found.text.contains("kind      malformed\n"))
        #expect(try millrace("journal", "bisect", journal, "--invariant", "statuses").code == 0)
        #expect(try millrace("journal", "bisect", journal, "--invariant", "complete").code == 0)
    }

    @Test(arguments: ["stat", "tail", "show", "verify", "snapshot", "export", "replay", "bisect"])
    func everyCommandHasHelp(_ command: String) throws {
        let help = try millrace("journal", command, "--help")
        #expect(help.code == 0)
        #expect(help.text.contains("USAGE: millrace journal \(command) <dir>"))
    }
}
