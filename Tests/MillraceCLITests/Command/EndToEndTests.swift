// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

private let line = "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"Agent\""

/// The built program as its users meet it.
@Suite struct EndToEndTests {
    private let scratch = Scratch()

    private func file(_ text: String) throws -> String { try scratch.file(UUID().uuidString, Array(text.utf8)) }

    @Test("--version prints the version that the README names")
    func version() throws {
        let result = try millrace("--version")
        #expect(result.code == 0)
        let version = result.text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(version.split(separator: ".").count == 3)
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("from: \"\(version)\""))
    }

    @Test func countsAFile() throws {
        let result = try millrace("run", try file("\(line)\n\(line)\nbroken\n"), "--json")
        let report = try result.json()
        #expect(result.code == 0)
        #expect(result.errors == "")
        #expect(report["events"] as? Int == 2)
        #expect(report["malformed"] as? Int == 1)
        #expect(report["bytes"] as? Int == 24)
        #expect(entries(report, "topPaths") == ["/a": 2])
        #expect(entries(report, "topHosts") == ["192.0.2.7": 2])
        #expect(entries(report, "status") == ["200": 2])
        #expect(entries(report, "methods") == ["GET": 2])
        #expect(entries(report, "minutes") == ["2015-05-17T10:05Z": 2])
    }

    @Test func printsTablesAndRunIsTheDefault() throws {
        let path = try file("\(line)\n")
        let result = try millrace(path)
        #expect(result.code == 0)
        #expect(result.text.hasPrefix("Access log: \(path)\n\nTotals\n"))
        #expect(result.text.contains("  200  1  100.0 %\n"))
    }

    @Test(arguments: engines.map(\.rawValue))
    func everyProducerEngineAndStoreGivesTheSame(_ engine: String) throws {
        let log = mutated(generatedLog(lines: 4000, seed: 9), oneIn: 20, seed: 9)
        let path = try scratch.file("same.log", log)
        func report(_ options: [String]) throws -> NSDictionary {
            let result = try Tool([path, "--json", "--top", "50"] + options).finish()
            #expect(result.code == 0)
            var report = try result.json()
            for key in [
                "seconds", "eventsPerSecond", "linesPerSecond", "actionsPerSecond", "metrics", "stages", "engine",
                "shards",
                "capacity",
            ] { report[key] = nil }
            return report as NSDictionary
        }
        let expected = try report(["--producers", "1"])
        for options in [
            "--producers 4", "--producers 2 --shards 3", "--producers 3 --shards 2 --capacity 1",
            "--producers 1 --shards 64 --capacity 64 --overflow block",
        ] {
            let options = options.split(separator: " ").map(String.init)
            #expect(try report(options + ["--engine", engine]) == expected)
        }
    }

    @Test func generatesWithoutAFile() throws {
        let first = try millrace("--events", "5000", "--seed", "4", "--json", "--producers", "1").json()
        let second = try millrace("--events", "5000", "--seed", "4", "--json", "--producers", "3").json()
        #expect(first["lines"] as? Int == 5000)
        #expect(first["topPaths"] as? NSArray == second["topPaths"] as? NSArray)
        #expect(first["malformedLines"] as? NSArray == second["malformedLines"] as? NSArray)
        #expect(first["bytes"] as? Int == second["bytes"] as? Int)
        let metrics = try #require(first["metrics"] as? [String: Int])
        #expect(metrics["offered"] == metrics["reduced"])
        #expect(metrics["pending"] == 0)
    }

    @Test func repeatsFiles() throws {
        let report = try millrace(try file("\(line)\nbroken\n"), "--repeat", "100", "--json").json()
        #expect(report["events"] as? Int == 100)
        #expect(report["malformed"] as? Int == 100)
        #expect((report["malformedLines"] as? [Any])?.count == 1)
    }

    @Test func readsStandardInput() throws {
        let report = try millrace("-", "--json", input: Array("\(line)\n\(line)".utf8)).json()
        #expect(report["events"] as? Int == 2)
        #expect(try millrace("-", "--json", input: []).code == 1)
    }
}

@Suite struct BadInputTests {
    private let scratch = Scratch()

    private func file(_ bytes: [UInt8]) throws -> String { try scratch.file(UUID().uuidString, bytes) }

    @Test func aMissingFileIsAnError() throws {
        let result = try millrace("\(scratch.path)/none")
        #expect(result.code == 1)
        #expect(result.errors == "millrace: cannot read '\(scratch.path)/none': No such file or directory\n")
        #expect(result.text == "")
    }

    @Test func aDirectoryIsAnError() throws {
        let result = try millrace(scratch.path, "--json")
        #expect(result.code == 1)
        #expect(result.errors == "millrace: cannot read '\(scratch.path)': Is a directory\n")
        #expect(result.text == "")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func anUnreadableFileIsAnError() throws {
        let path = try file(Array("\(line)\n".utf8))
        chmod(path, 0)
        let result = try millrace(path)
        #expect(result.code == 1)
        #expect(result.errors == "millrace: cannot read '\(path)': Permission denied\n")
    }

    @Test func oneBadFileDoesNotStopTheOthers() throws {
        let good = try file(Array("\(line)\n".utf8))
        let result = try millrace("\(scratch.path)/none", good, scratch.path, "--json")
        #expect(result.code == 1)
        #expect(try result.json()["events"] as? Int == 1)
        #expect(result.errors.split(separator: "\n").count == 2)
    }

    @Test func anEmptyFileIsAnError() throws {
        let result = try millrace(try file([]))
        #expect(result.code == 1)
        #expect(result.errors == "millrace: nothing to count: the input is empty\n")
        #expect(result.text == "")
        let json = try millrace(try file([]), "--json")
        #expect(json.code == 1)
        #expect(try json.json()["events"] as? Int == 0)
    }

    @Test func binaryDataIsCountedAndRefused() throws {
        var random = SplitMix64(seed: 5)
        let result = try millrace(
            try file((0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }),
            "--json"
        )
        #expect(result.code == 1)
        #expect(result.errors.contains("no line of the input is an event"))
        #expect(try result.json()["events"] as? Int == 0)
        let count = try #require(try result.json()["malformed"] as? Int)
        #expect(count > 500)
    }

    @Test func aNULMakesItsLineMalformedAndNoOther() throws {
        let bytes = Array("\(line)\n\(line)".utf8) + [0] + Array("\n\(line)\n".utf8)
        let report = try millrace(try file(bytes), "--json").json()
        #expect(report["events"] as? Int == 2)
        #expect(entries(report, "malformedReasons") == ["binaryData": 1])
    }

    @Test(arguments: [true, false])
    func aLineOf10MegabytesIsMalformed(_ isPipe: Bool) throws {
        let bytes = Array("\(line)\n".utf8) + [UInt8](repeating: 0x61, count: 10_000_000) + Array("\n\(line)\n".utf8)
        let result = isPipe ? try millrace("-", "--json", input: bytes) : try millrace(try file(bytes), "--json")
        let report = try result.json()
        #expect(result.code == 0)
        #expect(report["events"] as? Int == 2)
        #expect(entries(report, "malformedReasons") == ["lineTooLong": 1])
        #expect(((report["malformedLines"] as? [[String: Any]])?.first?["line"] as? Int) == 2)
    }

    @Test func carriageReturnsAreNoPartOfTheLine() throws {
        let report = try millrace(try file(Array("\(line)\r\n\(line)\r\n".utf8)), "--json").json()
        #expect(report["events"] as? Int == 2)
        #expect(report["malformed"] as? Int == 0)
    }

    @Test func invalidUTF8IsShownEscaped() throws {
        let bytes =
            Array("h - - [17/May/2015:10:05:03 +0000] \"GET /".utf8) + [0xFF, 0x1B] + Array(" HTTP/1.1\" 200 1\n".utf8)
        let path = try file(bytes)
        #expect(try millrace(path).text.contains("/\\xff\\x1b\n"))
        let paths = try #require(try millrace(path, "--json").json()["topPaths"] as? [[String: Any]])
        #expect(paths.first?["key"] as? String == "/\\xff\u{1B}")
    }

    @Test func aLastLineWithoutNewlineCountsIfItIsComplete() throws {
        let complete = try millrace(try file(Array("\(line)\n\(line)".utf8)), "--json").json()
        #expect(complete["events"] as? Int == 2)
        let cut = try millrace(try file(Array("\(line)\n\(line.dropLast(5))".utf8)), "--json").json()
        #expect(cut["events"] as? Int == 1)
        #expect(entries(cut, "malformedReasons") == ["truncated": 1])
    }

    @Test(arguments: [
        ["--producers", "0"], ["--producers", "-1"], ["--producers", "many"], ["--repeat", "0", "x"],
        ["--repeat", "2"],
        ["--repeat", "2", "-"], ["-", "-"], ["--top", "0"], ["--events", "0"], ["--events", "5", "x"],
        ["--seed", "1", "x"], ["--max-keys", "0"], ["--format", "xml"], ["--engine", "steam"], ["--nonsense"],
        ["--capacity", "0"], ["--capacity", "-1"], ["--capacity", "1000000001"], ["--shards", "0"], ["--shards", "65"],
        ["--overflow", "block"], ["--overflow", "drop-oldest"], ["--capacity", "5", "--overflow", "drop"],
    ])
    func wrongOptionsAreRefused(_ arguments: [String]) throws {
        let result = try Tool(["run"] + arguments).finish()
        #expect(result.code == 64)
        #expect(result.errors.hasPrefix("Error: "))
        #expect(result.text == "")
    }

    @Test(arguments: [
        (["--capacity", "0"], "leave it out for the default"), (["--shards", "0"], "1 is one store for all"),
        (["--overflow", "drop-newest"], "for example --capacity 1024"),
    ])
    func aWrongOptionSaysHowToMendIt(_ arguments: [String], _ mend: String) throws {
        #expect(try Tool(["run"] + arguments).finish().errors.contains(mend))
    }
}
