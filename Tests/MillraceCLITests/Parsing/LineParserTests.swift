// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

private let head = "192.0.2.7 - - [17/May/2015:10:05:03 +0000] "
private let common = head + "\"GET /a/b?c=d HTTP/1.1\" 200 1234"
private let combined = common + " \"https://example.org/\" \"Agent/1.0 (x; y)\""

@Suite struct LineParserTests {
    @Test func readsEveryFieldOfACombinedLine() {
        let expected = Parsed(
            host: "192.0.2.7",
            method: "GET",
            path: "/a/b?c=d",
            minute: 23_864_285,
            status: 200,
            size: 1234
        )
        #expect(parse(combined) == .event(expected))
        #expect(parse(common) == .event(expected))
    }

    @Test func formatDecidesWhichLinesAreEvents() {
        #expect(parse(common, .common).event != nil)
        #expect(parse(combined, .common).reason == .trailingText)
        #expect(parse(combined, .combined).event != nil)
        #expect(parse(common, .combined).reason == .referer)
    }

    @Test(arguments: ["\r", " ", "\t ", " \r"])
    func acceptsCarriageReturnAndBlanksAtTheEnd(_ end: String) {
        #expect(parse(common + end) == parse(common))
        #expect(parse(combined + end) == parse(combined))
    }

    @Test func aDashIsNoBytes() {
        #expect(parse(head + "\"HEAD / HTTP/1.0\" 304 -").event?.size == 0)
        #expect(parse(head + "\"HEAD / HTTP/1.0\" 304 - \"-\" \"-\"").event?.size == 0)
        #expect(parse(head + "\"HEAD / HTTP/1.0\" 304 --").reason == .size)
        #expect(parse(head + "\"HEAD / HTTP/1.0\" 304 -1").reason == .size)
    }

    @Test func sizesHaveUpTo18Digits() {
        let most = String(repeating: "9", count: 18)
        #expect(parse(head + "\"GET / HTTP/1.1\" 200 \(most)").event?.size == 999_999_999_999_999_999)
        #expect(parse(head + "\"GET / HTTP/1.1\" 200 \(most)9").reason == .size)
    }

    @Test func aMissingRequestIsAnEventWithoutMethodAndPath() {
        let event = parse(head + "\"-\" 408 0 \"-\" \"-\"").event
        #expect(event?.method == "-")
        #expect(event?.path == "-")
        #expect(event?.status == 408)
    }

    @Test(arguments: ["PROPFIND", "get", "M-SEARCH", "X!#$%&'*+.^_`|~9"])
    func methodsAreTokens(_ method: String) {
        #expect(parse(head + "\"\(method) /x HTTP/2.0\" 200 1").event?.method == method)
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/2.0", "HTTP/11.12", "RTSP/1.0"])
    func protocolsAreLettersSlashDigits(_ name: String) {
        #expect(parse(head + "\"GET /x \(name)\" 200 1").event?.path == "/x")
    }

    @Test(arguments: [
        "", "GET", "GET /", "GET / ", "GET / HTTP", "GET / HTTP/", "GET / /1.1", "GET / HTTP/x", "GET / HTTP/1.1 ",
        " / HTTP/1.1", "GET  HTTP/1.1", "GET /a b HTTP/1.1", "G(T / HTTP/1.1", "--", "- / HTTP/1.1 x",
        "GET /a\"b HTTP/1.1",
        "GET /a\\\\\"b HTTP/1.1", "\\x16\\x03\\x01", "GET / HTTP/1.1\\",
    ])
    func otherRequestsAreMalformed(_ request: String) {
        #expect(parse(head + "\"\(request)\" 200 1").reason == .request)
    }

    @Test func quotesMayBeEscaped() {
        #expect(parse(head + #""GET /a\"b\"c HTTP/1.1" 200 1"#).event?.path == #"/a\"b\"c"#)
        #expect(parse(head + #""GET /a\\\"b HTTP/1.1" 200 1"#).event?.path == #"/a\\\"b"#)
        #expect(parse(common + #" "r\"r" "a \\\" b""#).event != nil)
        #expect(parse(common + #" "r\\" "a""#).event != nil)
        #expect(parse(common + #" "r\" "a""#).reason == .agent)
    }

    @Test func hostsOfAnyKind() {
        for host in ["::1", "2001:db8::42", "a.example.org", "-", "x"] {
            #expect(parse("\(host) - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1").event?.host == host)
        }
    }

    @Test func anAgentMayRunToTheEndOfItsLine() {
        #expect(parse(common + " \"-\" \"Mozilla/5.0 (cut").event?.status == 200)
        #expect(parse(common + " \"-\" \"Mozilla/5.0 (cut", isTerminated: false).reason == .agent)
        #expect(parse(combined, isTerminated: false).event != nil)
    }

    @Test func anyByteButNULMayStandInAField() {
        let bytes = Array("h - - [17/May/2015:10:05:03 +0000] \"GET /".utf8) + [0xFF, 0xC3, 0x28, 0x1B]
        let line = bytes + Array(" HTTP/1.1\" 200 1 \"".utf8) + [0x80] + Array("\" \"".utf8) + [0xFE] + Array("\"".utf8)
        #expect(parse(line).event?.status == 200)
    }
}

@Suite struct MalformedLineTests {
    @Test(arguments: [
        ("", MalformedReason.emptyLine),
        ("\r", .emptyLine),
        ("   ", .emptyLine),
        ("word", .host),
        (" - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1", .host),
        ("h -", .identity),
        ("h - -", .identity),
        ("h  - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1", .identity),
        ("h - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1", .time),
        ("h - - [17/May/2015:10:05:03 +0000]", .request),
        ("h - - [17/May/2015:10:05:03 +0000] GET / HTTP/1.1 200 1", .request),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\"", .status),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\"200 1", .status),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200", .size),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 2000 1", .status),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1x", .size),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 x", .referer),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"r", .referer),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"r\"", .agent),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"r\"\"a\"", .agent),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"r\" \"a\" x", .trailingText),
        ("h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"r\" \"a\"\"", .trailingText),
    ])
    func hasAReason(_ line: String, _ reason: MalformedReason) {
        #expect(parse(line) == .malformed(reason))
    }

    @Test func statusesAreThreeDigitsFrom100To599() {
        let statuses = (0...999).filter { status in
            let digits = String(1000 + status).dropFirst()
            return parse(head + "\"GET / HTTP/1.1\" \(digits) 1").event?.status == UInt16(status)
        }
        #expect(statuses == Array(100...599))
        for status in ["20", "2x0", "20x", "x00", "+20", "-"] {
            #expect(parse(head + "\"GET / HTTP/1.1\" \(status) 1").reason == .status)
        }
    }

    @Test func noPrefixOfALineTraps() {
        for length in 0...combined.utf8.count {
            let line = Array(combined.utf8.prefix(length))
            // Nothing but the line itself, its Common part and the line without the closing quote is an event.
            let isEvent = parse(line, isTerminated: false).event != nil
            let size = common.utf8.count
            #expect(isEvent == (length == combined.utf8.count || size - 3...size + 1 ~= length), "\(length)")
        }
    }
}
