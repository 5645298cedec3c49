// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// JSON lines.
@Suite struct JSONLineTests {
    private let json = LogFormat.json(.usual)

    @Test func readsNginxByTheNamesOfItsVariables() {
        let line = """
            {"time_iso8601":"2015-05-17T12:05:03+02:00","remote_addr":"192.0.2.7","request_method":"GET",\
            "request_uri":"/a?b=\\"c\\"","status":"200","body_bytes_sent":12,"http_user_agent":"Agent","host":"a.example",\
            "http_referer":"-","request_time":0.003,"tags":["x",{"y":null}],"ok":true}
            """
        let expected = LaidOut(
            host: "192.0.2.7",
            method: "GET",
            path: "/a?b=\"c\"",
            minute: sampleMinute,
            status: 200,
            size: 12,
            referer: "-",
            agent: "Agent",
            site: "a.example"
        )
        #expect(parse(line, as: json).event == expected)
        #expect(parse("  " + line + " \r", as: json).event == expected)
    }

    @Test func readsCaddy() {
        let line = """
            {"level":"info","ts":1431857103.12,"logger":"http.log.access","msg":"handled request","request":\
            {"remote_ip":"192.0.2.7","remote_port":"5000","proto":"HTTP/2.0","method":"GET","host":"a.example",\
            "uri":"/a","headers":{"User-Agent":["Agent","Other"],"Referer":["http://b/"]}},"size":7,"status":404}
            """
        let event = parse(line, as: json).event
        #expect(
            event
                == LaidOut(
                    host: "192.0.2.7",
                    method: "GET",
                    path: "/a",
                    minute: sampleMinute,
                    status: 404,
                    size: 7,
                    referer: "http://b/",
                    agent: "Agent",
                    site: "a.example"
                )
        )
    }

    @Test func readsGoogleCloud() {
        let line = """
            {"httpRequest":{"requestMethod":"POST","requestUrl":"/a","status":201,"responseSize":"7","userAgent":"Agent",\
            "remoteIp":"192.0.2.7","referer":"http://b/"},"timestamp":"2015-05-17T10:05:03.123456Z"}
            """
        let event = parse(line, as: json).event
        #expect(event?.method == "POST" && event?.path == "/a" && event?.status == 201 && event?.size == 7)
        #expect(event?.host == "192.0.2.7" && event?.agent == "Agent" && event?.referer == "http://b/")
    }

    @Test func readsTheElasticCommonSchema() {
        let line = """
            {"@timestamp":"2015-05-17T10:05:03.000Z","source":{"ip":"192.0.2.7"},"url":{"original":"/a"},\
            "http":{"request":{"method":"GET"},"response":{"status_code":200,"bytes":900,"body":{"bytes":7}}}}
            """
        let event = parse(line, as: json).event
        #expect(event?.method == "GET" && event?.path == "/a" && event?.status == 200 && event?.size == 7)
    }

    /// Envoy's address has the port of the connection, which is another one each time.
    @Test(arguments: [
        ("192.0.2.7:5000", "192.0.2.7"), ("[2001:db8::7]:5000", "2001:db8::7"), ("2001:db8::7", "2001:db8::7"),
        ("::1", "::1"), ("192.0.2.7", "192.0.2.7"), ("a.example:80", "a.example"), ("a.example:", "a.example:"),
        (":80", ":80"), ("7", "7"), ("[::1]", "[::1]"),
    ])
    func aClientHasNoPort(_ text: String, _ host: String) {
        let line = """
            {"start_time":"2015-05-17T10:05:03.123Z","method":"GET","path":"/a","response_code":200,"bytes_sent":7,\
            "downstream_remote_address":"\(text)"}
            """
        let event = parse(line, as: json).event
        #expect(event?.host == host && event?.path == "/a" && event?.size == 7)
    }

    @Test(arguments: [
        "1431857103", "1431857103123", "1431857103123456", "1431857103123456789", "1431857103.5",
        "\"2015-05-17T10:05:03Z\"", "\"17/May/2015:10:05:03 +0000\"", "\"2015-05-17 10:05:03\"",
    ])
    func readsTimes(_ time: String) {
        let line = "{\"time\": \(time), \"ip\": \"h\", \"url\": \"/\", \"status\": 200}"
        #expect(parse(line, as: json).event?.minute == sampleMinute)
    }

    @Test func readsNamesOfItsOwn() throws {
        let format = try LogFormat(
            argument: """
                {"when": "$time_iso8601", "who": {"ip": "$remote_addr"}, "url": "$request_uri", "code": $status, "v": 1}
                """
        )
        let line =
            "{\"code\":500,\"status\":200,\"url\":\"/a\",\"who\":{\"ip\":\"h\"},\"when\":\"2015-05-17T10:05:03Z\"}"
        let event = parse(line, as: format).event
        #expect(event?.status == 500 && event?.host == "h" && event?.path == "/a")
    }

    @Test func theBestNameCounts() {
        let members = ["\"url\":\"/worse\"", "\"request_uri\":\"/best\"", "\"path\":\"/worst\""]
        for order in [members, members.reversed()] {
            let line = "{\"ts\":60,\"ip\":\"h\",\"status\":200,\(order.joined(separator: ","))}"
            #expect(parse(line, as: json).event?.path == "/best")
        }
    }

    @Test(arguments: [
        ("\\u0041\\u00e9\\ud83d\\ude00", "Aé😀"), ("\\ud800x", "\u{FFFD}x"), ("\\/\\\\\\n", "/\\\n"), ("\\x22", "\""),
        ("a\\u0000b\\x00", "a\u{FFFD}b\u{FFFD}"),
    ])
    func undoesEscapes(_ text: String, _ plain: String) {
        let line = "{\"ts\":60,\"ip\":\"h\",\"status\":200,\"url\":\"\(text)\"}"
        #expect(parse(line, as: json).event?.path == plain)
    }

    @Test(arguments: [
        "{", "{}x", "[]", "x", "{\"a\":1", "{\"a\":}", "{\"a\" 1}", "{a:1}", "{\"a\":1,}", "{\"a\":[1}", "{\"a\":\"b}",
        "{\"a\":tru}", "{\"url\":\"\\q\"}", "{\"url\":\"\\u12\"}", "{\"url\":\"\\x1\"}", "{\"a\":--}",
        "{\"a\":1}{\"b\":2}",
        String(repeating: "{\"a\":", count: 100), String(repeating: "[", count: 100_000),
    ])
    func whatIsNoObjectHasAReason(_ line: String) {
        #expect(parse(line, as: json).reason == .json)
    }

    @Test func whatLacksAFieldHasAReason() {
        #expect(parse("{}", as: json).reason == .host)
        #expect(parse("{\"ip\":\"h\"}", as: json).reason == .time)
        #expect(parse("{\"ip\":\"h\",\"ts\":60}", as: json).reason == .request)
        #expect(parse("{\"ip\":\"h\",\"ts\":60,\"url\":\"/\"}", as: json).reason == .status)
        #expect(parse("{\"ip\":\"h\",\"ts\":60,\"url\":\"/\",\"status\":null}", as: json).reason == .status)
        #expect(parse("{\"ip\":\"h\",\"ts\":60,\"url\":\"/\",\"status\":200,\"size\":-1}", as: json).reason == .size)
    }

    /// Random damage must never crash, nor read outside of the line.
    @Test func damagedLinesAreEventsOrHaveAReason() {
        var random = SplitMix64(seed: 11)
        let line = Array(
            #"{"ts":60,"remote_ip":"h","request":{"uri":"/a\u00e9","headers":{"User-Agent":["A\"x"]}},"status":200}"#
                .utf8
        )
        let marks = Array("{}[]\",:\\u0x9".utf8) + [0x80, 0xFF]
        for _ in 0..<20_000 {
            var bytes = line
            for _ in 0...random.below(4) {
                let place = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(marks[random.below(marks.count)], at: place)
                default: bytes[place] = marks[random.below(marks.count)]
                }
            }
            _ = parse(bytes, as: json)
        }
    }
}
