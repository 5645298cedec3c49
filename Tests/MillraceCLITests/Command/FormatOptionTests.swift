// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// `--format`, as its users meet it.
@Suite struct FormatOptionTests {
    private let scratch = Scratch()
    private static let combined =
        "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"Agent\""

    private func file(_ text: String) throws -> String { try scratch.file(UUID().uuidString, Array(text.utf8)) }

    @Test(arguments: [
        ("\(combined)\n", "auto", "common or combined"), ("\(combined)\n", "combined", "combined"),
        ("\(combined) \"x\" 0.1\n", "auto", "nginx"), ("\(combined) \"x\" 0.1\n", "nginx", "nginx"),
        ("a.example:80 \(combined)\n", "auto", "vhost_combined"),
        ("a.example:80 \(combined)\n", "vhost_combined", "vhost_combined"),
        (
            "#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes\n2015-05-17 10:05:03 192.0.2.7 GET /a 200 12\n",
            "auto", "w3c"
        ),
        (
            "{\"ts\":1431857103,\"ip\":\"192.0.2.7\",\"method\":\"GET\",\"url\":\"/a\",\"status\":200,\"size\":12}\n",
            "auto",
            "json"
        ),
        (
            "12|200|GET /a HTTP/1.1|1431857103.5|192.0.2.7\n", "$body_bytes_sent|$status|$request|$msec|$remote_addr",
            "$body_bytes_sent|$status|$request|$msec|$remote_addr"
        ),
    ])
    func countsEveryLayout(_ line: String, _ format: String, _ found: String) throws {
        let path = try file(line)
        for input in [nil, Array(line.utf8)] as [[UInt8]?] {
            let arguments = [input == nil ? path : "-", "--format", format, "--json"]
            let result = try input.map { try Tool.run(arguments, input: $0) } ?? Tool(arguments).finish()
            #expect(result.code == 0 && result.errors == "", "\(result.errors)")
            let report = try result.json()
            #expect(report["events"] as? Int == 1 && report["bytes"] as? Int == 12)
            #expect(entries(report, "topPaths") == ["/a": 1] && entries(report, "topHosts") == ["192.0.2.7": 1])
            #expect(entries(report, "methods") == ["GET": 1] && entries(report, "status") == ["200": 1])
            #expect(entries(report, "minutes") == ["2015-05-17T10:05Z": 1])
            #expect(report["formats"] as? [String] == [found])
        }
        #expect(try millrace(path, "--format", format).text.contains("format"))
    }

    @Test func whatDoesNotMatchIsCountedWithItsReason() throws {
        let path = try file("h|60|200|/a\nh|60|200\nh|x|200|/a\nh|60|2000|/a\n\n")
        let result = try millrace(path, "--format", "$remote_addr|$msec|$status|$uri", "--json")
        let report = try result.json()
        #expect(report["events"] as? Int == 1 && report["malformed"] as? Int == 4)
        #expect(entries(report, "malformedReasons") == ["layout": 1, "time": 1, "status": 1, "emptyLine": 1])
        let text = try millrace(path, "--format", "$remote_addr|$msec|$status|$uri").text
        #expect(text.contains("not laid out as --format says") && text.contains("line 2"))
    }

    @Test func directivesAreNeitherEventsNorMalformed() throws {
        let path = try file(
            "#Fields: date time c-ip cs-uri-stem sc-status\n#Remark: x\n2015-05-17 10:05:03 h / 200\nx\n"
        )
        let report = try millrace(path, "--json").json()
        #expect(report["lines"] as? Int == 4 && report["events"] as? Int == 1)
        #expect(report["malformed"] as? Int == 1 && report["directives"] as? Int == 2)
        #expect(((report["malformedLines"] as? [[String: Any]])?.first?["line"] as? Int) == 4)
        #expect(try millrace(path).text.contains("directives"))
    }

    @Test(arguments: [
        ("xml", "neither the name of a format nor a line with variables"), ("$remote_addr $", "At character 14"),
        ("$remote_addr$status", "Put a character between them"), ("$remote_addr $status $uri", "add $time_local"),
        ("{\"a\": \"$a$b\"}", "At character 8"),
    ])
    func aBadFormatIsRefusedWithAdvice(_ format: String, _ words: String) throws {
        let result = try Tool(["--format", format]).finish()
        #expect(result.code == 64 && result.text == "")
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test func helpTellsOfTheFormats() throws {
        let help = try millrace("run", "--help").text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for words in ["vhost_combined", "w3c", "json", "log_format", "$remote_addr", "gzip or zstd"] {
            #expect(help.contains(words), "\(words)")
        }
    }
}
