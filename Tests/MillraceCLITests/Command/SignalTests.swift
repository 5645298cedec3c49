// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// What happens when somebody does not want to read, or to wait, any longer.
@Suite struct SignalTests {
    @Test func aClosedPipeEndsQuietly() throws {
        // The reader goes away before the program writes.
        let result = try Tool(
            ["-c", "{ \"$1\" --events 3000 --json --top 5000; echo \"code $?\" >&2; } | true", "sh", Tool.executable],
            at: "/bin/sh"
        ).finish()
        #expect(result.errors == "code 0\n")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func aFullDiskIsAnError() throws {
        let result = try Tool(["-c", "\"$1\" --events 3000 > /dev/full", "sh", Tool.executable], at: "/bin/sh").finish()
        #expect(result.code == 1)
        #expect(result.errors == "millrace: cannot write the report: No space left on device\n")
    }

    @Test func closedDescriptorsAreErrorsAndNothingElse() throws {
        func shell(_ command: String) throws -> ToolResult {
            try Tool(["-c", command, "sh", Tool.executable], at: "/bin/sh").finish()
        }
        let output = try shell("\"$1\" --events 3000 >&-")
        #expect(output.code == 1)
        #expect(output.errors.hasPrefix("millrace: cannot write the report: "))
        let input = try shell("\"$1\" - <&-")
        #expect(input.code == 1)
        #expect(input.errors.hasPrefix("millrace: cannot read 'standard input': "))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalEndsWithTheReportSoFar(_ signal: Int32, _ code: Int32) throws {
        let tool = try Tool(["--events", "1000000000", "--json"])
        tool.waitUntilListening()
        tool.send(signal)
        let result = tool.finish()
        #expect(result.code == code)
        let report = try result.json()
        let events = try #require(report["events"] as? Int)
        #expect(0..<1_000_000_000 ~= events)
        #expect(report["interrupted"] as? Bool == true)
        let metrics = try #require(report["metrics"] as? [String: Int])
        #expect(metrics["offered"] == metrics["reduced"])
    }

    /// Also while producers wait for room, or throw events away: the counters of an interrupted run balance.
    @Test(arguments: engines.map(\.rawValue), ["--capacity 1", "--capacity 9 --overflow drop-oldest --shards 3"])
    func aSignalEndsEveryEngine(_ engine: String, _ options: String) throws {
        let options = options.split(separator: " ").map(String.init)
        let tool = try Tool(["--events", "1000000000", "--json", "--producers", "3", "--engine", engine] + options)
        tool.waitUntilListening()
        tool.send(SIGINT)
        let result = tool.finish()
        #expect(result.code == 130)
        #expect(result.errors == "")
        let report = try result.json()
        let counts = ["lines", "events", "malformed", "counted", "dropped", "rejected"].map { report[$0] as? Int ?? -1 }
        #expect(counts[0] == counts[1] + counts[2])
        #expect(counts[1] == counts[3] + counts[4] + counts[5])
    }

    /// Also while it waits for an input that says nothing; what came before counts.
    @Test func aSignalIsHeardWhileAPipeIsSilent() throws {
        let input = Pipe()
        let tool = try Tool(["-", "--json"], input: input)
        let line = "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 12\n"
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\(line)begun".utf8))
        tool.waitUntilListening()
        tool.send(SIGINT)
        let result = tool.finish()
        #expect(result.code == 130)
        #expect(try result.json()["events"] as? Int == 2)
        #expect(try result.json()["malformed"] as? Int == 0)
        withExtendedLifetime(input) {}
    }

    /// The reader of the report is asleep, the pipe is full: only the second signal helps.
    @Test func aSecondSignalKills() throws {
        let tool = try Tool(["--events", "30000", "--json", "--top", "100000"], reads: false)
        tool.waitUntilListening()
        Thread.sleep(forTimeInterval: 1)
        tool.send(SIGINT)
        Thread.sleep(forTimeInterval: 0.5)
        #expect(tool.process.isRunning)
        tool.send(SIGINT)
        #expect(tool.finish().code == 130)
    }

    @Test func thereIsNoProgressLineWithoutATerminal() throws {
        let tool = try Tool(["--events", "100000", "--json"])
        #expect(tool.finish().errors == "")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script(1) is not installed"))
    func thereIsOneOnATerminalAndQuietTakesItAway() throws {
        func terminal(_ options: String) throws -> String {
            let command = "\(Tool.executable) --events 100000 --json \(options) > /dev/null"
            return try Tool(["-qec", command, "/dev/null"], at: "/usr/bin/script").finish().text
        }
        let shown = try terminal("")
        #expect(shown.contains(" events   "))
        #expect(shown.contains("depth "))
        #expect(shown.hasSuffix("\r\u{1B}[K"))
        #expect(try terminal("--quiet") == "")
    }
}
