// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// The W3C Extended Log File Format.
@Suite struct W3CTests {
    private let iis = """
        #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) \
        sc-status sc-substatus sc-win32-status sc-bytes time-taken
        """

    @Test func readsTheColumnsOfIIS() {
        let line = """
            2015-05-17 10:05:03 10.0.0.1 GET /a.aspx id=1 443 - 192.0.2.7 Mozilla/5.0+(X) https://a/ 200 0 0 5123 15
            """
        let expected = LaidOut(
            host: "192.0.2.7",
            method: "GET",
            path: "/a.aspx?id=1",
            minute: sampleMinute,
            status: 200,
            size: 5123,
            referer: "https://a/",
            agent: "Mozilla/5.0+(X)"
        )
        #expect(parse(line, as: .w3c(nil), fields: iis).event == expected)
        #expect(parse(line + "\r", as: .w3c(nil), fields: iis + "\r").event == expected)
        let tabs = String(line.map { $0 == " " ? "\t" : $0 })
        #expect(parse(tabs, as: .w3c(nil), fields: iis).event == expected)
    }

    @Test func aDashIsNoValue() {
        let line = "2015-05-17 10:05:03 10.0.0.1 GET /a - 443 - 192.0.2.7 - - 200 0 0 - 15"
        let event = parse(line, as: .w3c(nil), fields: iis).event
        #expect(event?.path == "/a" && event?.size == 0 && event?.agent == "" && event?.referer == "")
    }

    @Test func aRequestThatWasNoneIsAnEvent() {
        let fields = "#Fields: date time c-ip cs-method cs-uri sc-status"
        let event = parse("2015-05-17 10:05:03 h - - 408", as: .w3c(nil), fields: fields).event
        #expect(event?.method == "-" && event?.path == "-" && event?.status == 408)
    }

    @Test func quotedTextsAreOneColumn() {
        let event = parse(
            "2015-05-17 10:05:03 h GET /a 200 \"My \"\"Agent\"\" 1\"",
            as: .w3c(nil),
            fields: "#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)"
        ).event
        #expect(event?.agent == "My \"\"Agent\"\" 1")
    }

    @Test(arguments: [
        ("2015-05-17 10:05:03 h GET /a", MalformedReason.columns), ("2015-05-17 10:05:03 h GET /a 200 more", .columns),
        ("2015-05-32 10:05:03 h GET /a 200", .time), ("2015-05-17 25:05:03 h GET /a 200", .time),
        ("2015-05-17 10:05:03 - GET /a 200", .host), ("2015-05-17 10:05:03 h GET /a 99", .status), ("", .emptyLine),
    ])
    func hasAReason(_ line: String, _ reason: MalformedReason) {
        let fields = "#Fields: date time c-ip cs-method cs-uri-stem sc-status"
        #expect(parse(line, as: .w3c(nil), fields: fields).reason == reason)
    }

    @Test func withoutColumnsNoLineIsAnEvent() {
        #expect(parse("2015-05-17 10:05:03 h GET /a 200", as: .w3c(nil)).reason == .noColumns)
        #expect(parse("x", as: .w3c(nil), fields: "#Date: 2015-05-17 10:05:03").reason == .noColumns)
        #expect(parse("x", as: .w3c(nil), fields: "#Fields:").reason == .noColumns)
    }

    @Test func theLastColumnsHoldForWhatFollows() {
        let text = "#Fields: time c-ip\nx#Fields: no\n#Fields: date c-ip cs-uri-stem\n#Date: x\n1 2 3\n"
        let columns = Array(text.utf8).withUnsafeBufferPointer { W3CColumns.last(in: $0) }
        #expect(columns?.slots == [.date, .host, .path])
    }

    /// `#Fields` changes in the middle of a file that several producers read.
    @Test(arguments: [1, 4])
    func columnsMayChangeInTheMiddle(_ producers: Int) async throws {
        let scratch = Scratch()
        let first = "#Software: x\n#Fields: date time c-ip cs-method cs-uri-stem sc-status\n"
        let second = "#Fields: time date sc-status cs-uri-stem cs-method c-ip\n"
        let some = String(repeating: "2015-05-17 10:05:03 h1 GET /first 200\n", count: 20_000)
        let others = String(repeating: "10:05:03 2015-05-17 404 /second POST h2\n", count: 20_000)
        let path = try scratch.file("u_ex.log", Array((first + some + second + others).utf8))
        let found = counts(try await analyse(path, producers: producers).state)
        #expect(found["path /first"] == 20_000 && found["path /second"] == 20_000)
        #expect(found["host h1"] == 20_000 && found["host h2"] == 20_000)
        #expect(found["status 200"] == 20_000 && found["status 404"] == 20_000)
        #expect(found["malformed"] == 0 && found["events"] == 40_000 && found["lines"] == 40_003)
    }
}
