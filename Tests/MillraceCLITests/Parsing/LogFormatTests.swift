// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// What `--format` takes, and what it says about the rest.
@Suite struct LogFormatTests {
    private func error(_ argument: String) -> FormatError? {
        do throws(FormatError) {
            _ = try LogFormat(argument: argument)
            return nil
        } catch {
            return error
        }
    }

    @Test func namesAreFormats() throws {
        #expect(try LogFormat(argument: "auto") == .auto)
        #expect(try LogFormat(argument: "common") == .known(.common))
        #expect(try LogFormat(argument: "combined") == .known(.combined))
        #expect(try LogFormat(argument: "vhost_combined") == .known(.vhostCombined))
        #expect(try LogFormat(argument: "nginx") == .known(.nginx))
        #expect(try LogFormat(argument: "w3c") == .w3c(nil))
        #expect(try LogFormat(argument: "json") == .json(.usual))
    }

    @Test func everyVariableOfTheContractIsUnderstood() throws {
        let used = """
            remote_addr time_local time_iso8601 msec request request_method request_uri uri status body_bytes_sent \
            bytes_sent http_referer http_user_agent host server_name http_host http_x_forwarded_for
            """
        for name in used.split(separator: " ") {
            #expect(FieldSlot.of(variable: String(name)) != .skip, "\(name)")
        }
        for name in ["remote_user", "request_time", "upstream_response_time", "anything_else"] {
            #expect(FieldSlot.of(variable: name) == .skip, "\(name)")
        }
    }

    private static let least = "$remote_addr [$time_local] \"$request\" $status"

    @Test(arguments: [
        ("xml", FormatError.unknownName("xml")),
        ("", .empty),
        ("  ", .empty),
        ("$remote_addr $", .noName(place: 14)),
        ("$remote_addr $- $status", .noName(place: 14)),
        ("$remote_addr ${status", .unclosedBrace(place: 14)),
        ("$remote_addr\u{1}$status", .controlCharacter(place: 13)),
        ("$remote_addr$status", .touching(first: "remote_addr", second: "status", place: 13)),
        ("$remote_addr \"$request\" $status", .missing(what: "time", variables: "$time_local, $time_iso8601 or $msec")),
        ("$remote_addr $msec \"$request\"", .missing(what: "status", variables: "$status")),
        ("$remote_addr $msec $status", .missing(what: "path", variables: "$request, $request_uri or $uri")),
        (
            "$msec $status $uri",
            .missing(what: "client", variables: "$remote_addr, $http_x_real_ip or $http_x_forwarded_for")
        ),
        ("log_format main '$remote_addr", .quotes(place: 17)),
    ])
    func aBadLineSaysWhatIsWrongAndWhere(_ line: String, _ expected: FormatError) {
        #expect(error(line) == expected)
        #expect(expected.description.contains { $0 == "." })
    }

    @Test func aDirectiveOfNginxIsUnderstood() throws {
        let directive = """
            log_format  main escape=json '$remote_addr - $remote_user [$time_local] '
                                         "\\"$request\\" $status";
            """
        let plain = "$remote_addr - $remote_user [$time_local] \"$request\" $status"
        #expect(try LogFormat(argument: directive) == LogFormat(argument: plain))
    }

    /// Such a text comes from two directives, one in the other.
    @Test(arguments: ["log_format ", "log_format main 'a\\b' ", "log_format_2 ", ""])
    func whatIsShownOfAFormatIsAnArgumentForIt(_ beginning: String) throws {
        let text = beginning + Self.least
        let quoted = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let format = try LogFormat(argument: "log_format main '\(quoted)';")
        #expect(try LogFormat(argument: format.description) == format)
        guard case .template(let template) = format else {
            Issue.record("\(format)")
            return
        }
        #expect(template.text == text)
    }

    @Test func variablesMayHaveBraces() throws {
        let line = parse("1.2.3.4x[17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200", as: .auto)
        #expect(line.event == nil)
        let format = try LogFormat(argument: "${remote_addr}x[${time_local}] \"${request}\" ${status}")
        #expect(
            parse("1.2.3.4x[17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200", as: format).event?.host == "1.2.3.4"
        )
    }

    @Test(arguments: [
        ("{\"a\": \"$remote_addr $status\"}", "more than one variable"), ("{\"a\" \"$status\"}", "':' is missing"),
        ("{\"a\": \"$status\"", "'}' is missing"), ("{\"a\": \"$status\"} x", "text after the object"),
        ("{\"a\": , \"b\": $status}", "a value is missing"), ("{\"a\": \"$status}", "does not end"),
    ])
    func aBadObjectSaysWhatIsWrong(_ line: String, _ words: String) throws {
        let found = try #require(error(line))
        guard case .json(let reason, let place) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.contains(words) && place > 1)
        #expect(found.description.hasPrefix("At character \(place): "))
    }
}
