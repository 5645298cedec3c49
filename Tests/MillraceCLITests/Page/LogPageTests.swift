// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// The page of the log.
@Suite struct LogPageTests {
    private let scratch = Scratch()

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(scratch.path)/\(name)", encoding: .utf8)
    }

    private func page(_ log: [UInt8], _ options: String...) throws -> String {
        let path = try scratch.file("access.log", log)
        let page = "\(scratch.path)/page.html"
        let result = try Tool([path, "--quiet", "--report", page] + options).finish()
        #expect(result.code == 0 && (result.errors == "" || !options.isEmpty), "\(result.errors)")
        return try text("page.html")
    }

    private func line(
        _ host: String = "h",
        at time: String = "17/May/2015:10:05:03 +0000",
        path: String = "/a",
        status: Int = 200,
        size: Int = 1000,
        agent: String = "Agent",
        referer: String = "-"
    ) -> String {
        "\(host) - - [\(time)] \"GET \(path) HTTP/1.1\" \(status) \(size) \"\(referer)\" \"\(agent)\"\n"
    }

    @Test func showsSumsThatAreMoreThanTheLargestNumber() throws {
        let log = String(repeating: line(size: 999_999_999_999_999_999), count: 20)
        #expect(try page(Array(log.utf8)).contains("data-chart=\"bytes\""))
    }

    @Test func showsTheLog() throws {
        var log = line("192.0.2.1", path: "/first", size: 2048) + line("192.0.2.1", path: "/first", size: 2048)
        log += line("192.0.2.2", path: "/second", status: 404, agent: "Other", referer: "http://from/")
        log += line("192.0.2.2", path: "/second", agent: "Other")
        log += line("192.0.2.3", path: "/second", status: 403)
        log += line("192.0.2.2", at: "18/May/2015:09:00:00 +0000", path: "/third", status: 503)
        let page = try page(Array((log + "broken\n").utf8))
        #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
        for tile in [
            ("3", "visitors"), ("6", "requests"), ("7.9 KiB", "sent"), ("3", "paths"), ("3", "hosts"),
            ("1", "not found"),
            ("1", "server errors"), ("1", "malformed lines"),
        ] {
            #expect(page.contains("<div class=\"tile\"><b>\(tile.0)</b><span>\(tile.1)</span></div>"), "\(tile)")
        }
        for text in [
            "17 May 2015, 10:05 to 18 May 2015, 09:00 UTC", "<h2>Over time</h2>", "data-chart=\"requests\"",
            "data-chart=\"visitors\"", "data-chart=\"bytes\"", "<h2>Statuses</h2>", "404 <small>Not Found</small>",
            "<h2>Paths</h2>", "<div>/first</div>", "<td>4.0 KiB</td>", "<h2>Not found (404)</h2>", "<h2>Hosts</h2>",
            "<div>192.0.2.2</div>", "<h2>Referers</h2>", "<div>http://from/</div>", "<h2>User agents</h2>",
            "<div>Other</div>", "<h2>Malformed lines</h2>", "line 7 of ", "common or combined",
        ] { #expect(page.contains(text), "\(text)") }
        #expect(!page.contains("Virtual hosts"), "the layout has none")
        #expect(page.components(separatedBy: "<svg").count > 8)
    }

    @Test func virtualHostsAreShown() throws {
        let log = "a.example:80 \(line())b.example:80 \(line())a.example:443 \(line())"
        let page = try page(Array(log.utf8))
        #expect(page.contains("<h2>Virtual hosts</h2>") && page.contains("<div>a.example</div>"))
    }

    @Test func loadsNothingAndEscapesEverything() throws {
        let hostile: [[UInt8]] = [
            Array("<script>alert(1)</script>".utf8), Array("\"onload='x'&<b>".utf8), Array("</script><!--".utf8),
            [0xFF, 0xFE, 0x3C], Array("\u{202E}gpj.exe".utf8), Array("\u{1B}[31m\u{7F}".utf8),
            Array("<\u{0338}img src=x>".utf8), Array("\u{2028}\u{2066}\u{FEFF}".utf8),
            Array("javascript:alert(1)".utf8),
        ]
        var log: [UInt8] = []
        for text in hostile {
            let target = text.map { $0 == Byte.quote ? UInt8(ascii: "'") : $0 }.filter { $0 != Byte.space }
            log += target + Array(" - - [17/May/2015:10:05:03 +0000] \"GET /".utf8) + target
            log += Array(" HTTP/1.1\" 404 1 \"".utf8) + target + Array("\" \"".utf8) + target + Array("\"\n".utf8)
        }
        let page = try page(log)
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(page.contains("\\xff\\xfe&lt;") && page.contains("\\u{202e}gpj.exe") && page.contains("\\x1b[31m\\x7f"))
        // The scripts and their ends are those of the page.
        #expect(
            page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "</script").count == 3
        )
        #expect(!page.contains("<img") && !page.contains("<!--") && !page.contains("<b>alert"))
        #expect(!page.contains("<\u{0338}"))
        for scalar in page.unicodeScalars where scalar != "\n" {
            let category = scalar.properties.generalCategory
            #expect(category != .control && category != .format && category != .lineSeparator, "\(scalar.value)")
        }
        // The only addresses are those of the two pages, and of the vocabulary of SVG.
        let addresses = page.matches(of: #/(src|href)="([^"]*)"/#).map { String($0.2) }
        #expect(addresses == ["./page.pipeline.html"])
        #expect(page.contains("default-src 'none'") && !page.contains("url("))
    }

    @Test func namesOfFilesAreEscaped() throws {
        let name = "a&b<\"'%.html"
        let path = try scratch.file("<i>.log", Array(line().utf8))
        let result = try Tool([path, "--quiet", "--report", "\(scratch.path)/\(name)"]).finish()
        #expect(result.code == 0, "\(result.errors)")
        let page = try text(name)
        #expect(page.contains("&lt;i&gt;.log") && !page.contains("<i>.log"))
        #expect(page.contains("href=\"./a%26b%3C%22%27%25.pipeline.html\""))
        #expect(try text("a&b<\"'%.pipeline.html").contains("href=\"./a%26b%3C%22%27%25.html\""))
    }

    @Test func thePagesLinkToEachOther() throws {
        _ = try page(Array(line().utf8))
        let pipeline = try text("page.pipeline.html")
        #expect(pipeline.contains("<a href=\"./page.html\">The log</a>") && pipeline.contains("Why is it slow?"))
        #expect(PipelinePage(beside: "report")?.path == "report.pipeline.html")
        #expect(PipelinePage(beside: "a.b/report.htm")?.path == "a.b/report.pipeline.htm")
        #expect(PipelinePage(beside: "x/.html")?.path == "x/.html.pipeline.html")
        #expect(PipelinePage(beside: "/dev/null") == nil)
        #expect(PipelinePage(beside: "a:b.html")?.address == "./a%3Ab.pipeline.html")
    }

    @Test func thePageDoesNotNeedThePipelines() throws {
        let one = try page(Array(line().utf8), "--disable", "instrumentation", "--disable", "log")
        #expect(!one.contains("href") && one.contains("<h2>Paths</h2>"))
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/page.pipeline.html"))
        let path = try scratch.file("a.log", Array(line().utf8))
        let out = try Tool([path, "--quiet", "--json", "--report", "/dev/stdout"]).finish()
        #expect(out.code == 0 && out.text.contains("<!doctype html>"), "\(out.errors)")
    }

    /// The page is the same for any number of producers and stores.
    @Test func thePageIsTheSame() throws {
        let log = generatedLog(lines: 20_000, seed: 5)
        func page(_ options: String...) throws -> String {
            let path = try scratch.file("same.log", log)
            let page = "\(scratch.path)/same.html"
            let result = try Tool([path, "--quiet", "--json", "--report", page] + options).finish()
            #expect(result.code == 0, "\(result.errors)")
            return try text("same.html").replacing(#/ · <a href[^<]*</a>/#, with: "")
        }
        let one = try page("--producers", "1")
        #expect(try page("--producers", "4") == one)
        #expect(try page("--producers", "2", "--shards", "3") == one)
    }
}

@Suite struct TimeSeriesTests {
    private func series(_ minutes: [Int64]) throws -> TimeSeries {
        var table = KeyTable(producers: 1, budget: KeyBudget(maximum: 100_000))
        var traffic = Traffic(clients: table, maximumKeys: 100_000)
        traffic.define(
            KeyDefinition(text: KeyText(bytes: [0, 0]), number: 1, producer: 0, dimension: .client)
        )
        for (number, minute) in minutes.enumerated() {
            let text = KeyText(bytes: CivilTime.text(minute: minute))
            let definition = KeyDefinition(text: text, number: UInt32(number + 1), producer: 0, dimension: .minute)
            table.define(definition)
            let place = table.count(number + 1, of: 0)
            let event = AccessEvent(
                size: 10,
                host: 1,
                path: 1,
                minute: UInt32(number + 1),
                client: 1,
                method: 1,
                status: 200,
                producer: 0
            )
            traffic.count(event, host: 1, path: 1, minute: place, of: table)
        }
        return try #require(TimeSeries(traffic))
    }

    @Test(
        arguments: [
            ([0], 1), ([0, 179], 1), ([0, 180], 5), ([0, 899], 5), ([0, 900], 15), ([0, 2200], 60),
            ([-100, 14_000], 60),
            ([0, 20_000], 1440), ([0, 500_000], 1440), ([0, 540_000], 10_080),
            ([-1_000_000_000, 4_000_000_000], 13_517_280),
        ] as [([Int64], Int64)]
    )
    func theStepSuitsTheLength(_ minutes: [Int64], _ step: Int64) throws {
        let series = try series(minutes)
        #expect(series.step == step)
        #expect(series.buckets.count <= 400 && series.visitors.count <= 400)
        #expect(series.buckets.reduce(0) { $0 + $1.requests } == UInt64(minutes.count))
        #expect(series.buckets.reduce(0) { $0 + $1.bytes } == UInt64(minutes.count * 10))
        #expect(series.buckets.reduce(0) { $0 + $1.classes[1] } == UInt64(minutes.count))
        #expect(series.visitors.reduce(0, +) >= 1)
        #expect(series.visitorStep * Int64(series.visitors.count) == series.span)
        let labels = TimeAxis.labels(from: series.start, span: series.span)
        #expect(!labels.isEmpty && labels.count < 12 && labels.allSatisfy { 0..<1 ~= $0.place })
        #expect(zip(labels, labels.dropFirst()).allSatisfy { $0.text != $1.text }, "\(labels.map(\.text))")
    }

    @Test func minutesHaveTexts() {
        for minute: Int64 in [0, -1, 1439, 1440, sampleMinute, -1_000_000_000, 4_000_000_000] {
            #expect(CivilTime.minute(text: CivilTime.text(minute: minute)) == minute)
        }
        #expect(CivilTime.minute(text: Array("x".utf8)) == nil)
        #expect(TimeAxis.moment(sampleMinute) == "17 May 2015, 10:05")
    }
}
