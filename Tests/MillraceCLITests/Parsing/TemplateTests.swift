// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// Lines in the notation of nginx's `log_format`.
@Suite struct TemplateTests {
    private func format(_ line: String) throws -> LogFormat { try LogFormat(argument: line) }

    @Test func readsWhatTheVariablesSay() throws {
        let format = try format(
            "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
                + "\"$http_user_agent\" \"$http_x_forwarded_for\" $host rt=$request_time urt=\"$upstream_response_time\""
        )
        let line =
            "192.0.2.7 - a b [17/May/2015:12:05:03 +0200] \"GET /x?y=1 HTTP/2.0\" 404 12 \"http://a/\" \"Agent \\\" 1\" "
            + "\"10.0.0.1, 10.0.0.2\" example.com rt=0.003 urt=\"0.001, 0.002\""
        let expected = LaidOut(
            host: "192.0.2.7",
            method: "GET",
            path: "/x?y=1",
            minute: sampleMinute,
            status: 404,
            size: 12,
            referer: "http://a/",
            agent: "Agent \\\" 1",
            site: "example.com"
        )
        #expect(parse(line, as: format).event == expected)
        #expect(parse(line + "\r", as: format).event == expected)
        #expect(parse(line + "  ", as: format).event == expected)
        #expect(parse(line + "x", as: format).reason == .trailingText)
    }

    @Test(arguments: [
        ("$time_iso8601", "2015-05-17T12:05:03+02:00"), ("$time_iso8601", "2015-05-17T10:05:03Z"),
        ("$time_iso8601", "2015-05-17T10:05:03.123Z"), ("$msec", "1431857103.123"), ("$msec", "1431857103"),
        ("[$time_local]", "[17/May/2015:10:05:03 +0000]"), ("$time_local", "17/May/2015:04:05:03 -0600"),
    ])
    func readsTimes(_ variable: String, _ text: String) throws {
        let format = try format("$remote_addr|\(variable)|$request_method|$request_uri|$status")
        let event = parse("::1|\(text)|GET|/a b|200", as: format).event
        #expect(event == LaidOut(host: "::1", method: "GET", path: "/a b", minute: sampleMinute, status: 200))
    }

    @Test func joinsPathAndQuery() throws {
        let format = try format("$remote_addr $msec $status $uri $args")
        #expect(parse("h 60 200 /a b=1", as: format).event?.path == "/a?b=1")
        #expect(parse("h 60 200 /a -", as: format).event?.path == "/a")
        let together = try self.format("$remote_addr $msec $status $uri$is_args$args")
        #expect(parse("h 60 200 /a?b=1", as: together).event?.path == "/a?b=1")
    }

    @Test func theFirstForwardedAddressCountsIfThereIsNoOther() throws {
        let format = try format("\"$http_x_forwarded_for\" $msec $status $uri")
        #expect(parse("\"10.0.0.1, 10.0.0.2\" 60 200 /", as: format).event?.host == "10.0.0.1")
    }

    @Test func whatIsNotUsedMayBeAnything() throws {
        let format = try format("$remote_addr $nobody_knows_this [$msec] $status $uri")
        #expect(parse("h any thing [60] 200 /", as: format).event?.host == "h")
    }

    @Test(arguments: [
        ("", MalformedReason.emptyLine), (" 60 \"GET / HTTP/1.1\" 200 1", .host),
        ("h x \"GET / HTTP/1.1\" 200 1", .time), ("h 60 \"GET /\" 200 1", .request),
        ("h 60 \"G@T / HTTP/1.1\" 200 1", .request), ("h 60 \"GET / HTTP/1.1\" 20 1", .status),
        ("h 60 \"GET / HTTP/1.1\" 600 1", .status), ("h 60 \"GET / HTTP/1.1\" 200 x", .size),
        ("h 60 \"GET / HTTP/1.1 200 1", .layout), ("h", .layout), ("h 60 GET", .layout),
        ("h 60 \"GET / HTTP/1.1\" 200 1234567890123456789", .size),
    ])
    func hasAReason(_ line: String, _ reason: MalformedReason) throws {
        let format = try format("$remote_addr $msec \"$request\" $status $body_bytes_sent")
        #expect(parse(line, as: format).reason == reason)
    }

    @Test func aRequestThatWasNoneIsAnEvent() throws {
        let format = try format("$remote_addr $msec \"$request\" $status")
        let event = parse("h 60 \"-\" 400", as: format).event
        #expect(event?.method == "-" && event?.path == "-")
    }

    @Test func knownLayoutsWithMoreFields() throws {
        let line = "h - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"Agent\""
        let nginx = LogFormat.known(.nginx)
        #expect(parse(line, as: nginx).event?.agent == "Agent")
        #expect(parse(line + " \"10.0.0.1\" 0.003", as: nginx).event?.path == "/a")
        #expect(parse(line + "x", as: nginx).reason == .trailingText)
        #expect(parse(line + " 0.003", as: .auto).reason == .trailingText)
        let vhost = LogFormat.known(.vhostCombined)
        #expect(parse("example.com:443 " + line, as: vhost).event?.site == "example.com")
        #expect(parse("[::1]:443 " + line, as: vhost).event?.site == "[::1]")
        #expect(parse("example.com " + line, as: vhost).event?.site == "example.com")
        #expect(parse("example.com:443 " + line, as: vhost).event?.host == "h")
        #expect(parse(line, as: vhost).reason == .time)
    }

    /// The general parser and the fast one agree on the layout that both know.
    @Test func agreesWithTheFastParser() throws {
        let format = try format(
            "$remote_addr $ident $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
                + "\"$http_user_agent\""
        )
        var events = 0
        for line in lines(of: generatedLog(lines: 3000, seed: 3)) {
            guard let fast = parse(Array(line), as: .combined).event else { continue }
            #expect(parse(Array(line), as: format).event == fast)
            events += 1
        }
        #expect(events > 2900)
    }
}
