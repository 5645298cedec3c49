// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceInstrumentation
import Testing

@Suite("The page")
struct PageTests {
    /// The object in the page.
    private func data(_ page: String) throws -> [String: Any] {
        let begin = try #require(page.range(of: "<script type=\"application/json\" id=\"data\">"))
        let end = try #require(page.range(of: "</script>", range: begin.upperBound..<page.endIndex))
        let text = page[begin.upperBound..<end.lowerBound]
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("it loads nothing, from nowhere")
    func selfContained() {
        let page = HTMLReport(SampleSnapshots.small).description
        #expect(page.hasPrefix("<!doctype html>"))
        // What names an element of SVG is no address that is loaded.
        let rest = page.replacing("http://www.w3.org/2000/svg", with: "")
        for word in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
            #expect(!rest.contains(word))
        }
        #expect(page.contains("default-src 'none'"))
    }

    @Test("hostile names can not leave the data")
    func hostile() throws {
        let page = HTMLReport(SampleSnapshots.hostile, title: SampleSnapshots.hostileNames[0]).description
        #expect(page.components(separatedBy: "<script").count == 3)
        #expect(page.components(separatedBy: "</script").count == 3)
        #expect(!page.contains("<script>alert") && !page.contains("<!--"))
        #expect(page.contains("<title>&lt;/script&gt;"))
        let stages = try #require(try data(page)["stages"] as? [[String: Any]])
        #expect(stages[0]["name"] as? String == SampleSnapshots.hostileNames[0])
    }

    @Test("nothing measured makes a page, too")
    func empty() throws {
        let data = try data(HTMLReport(SampleSnapshots.empty).description)
        #expect((data["stages"] as? [Any])?.isEmpty == true)
    }

    @Test("a curve rises to the longest time, twelve points a nine")
    func curve() throws {
        let latency = SampleSnapshots.latency((1...1000).map { UInt64($0) })
        let page = HTMLReport(
            SampleSnapshots.snapshot(stages: [StageSnapshot(name: "total", role: .total, latency: latency)])
        )
        let stages = try #require(try data(page.description)["stages"] as? [[String: Any]])
        let curve = try #require(stages[0]["curve"] as? [Int])
        #expect(curve.count == 37 || curve.count == 36)
        #expect(curve == curve.sorted())
        #expect(curve[12] == 900 && curve[24] == 990 && stages[0]["max"] as? Int == 1000)
    }

    /// Texts that a pattern of one group finds.
    private func all(_ pattern: String, in text: String) throws -> Set<String> {
        let found = try Regex<(Substring, Substring)>(pattern)
        return Set(text.matches(of: found).map { String($0.output.1) })
    }

    @Test("dark or light as the reader's system is: every colour has a value for both, and is drawn anew on a change")
    func dark() throws {
        let page = HTMLReport(SampleSnapshots.small).description
        #expect(page.contains("<meta name=\"color-scheme\" content=\"light dark\">"))
        let parts = page.components(separatedBy: "@media (prefers-color-scheme: dark) {")
        try #require(parts.count == 2)
        let end = try #require(parts[1].range(of: "* {"))
        let light = try all(#"(--[a-z0-9]+):"#, in: parts[0])
        let dark = try all(#"(--[a-z0-9]+):"#, in: String(parts[1][..<end.lowerBound]))
        #expect(light == dark && light.count > 12)
        let used = try all(#"(?:var\(|css\(")(--[a-z0-9]+)"#, in: page)
        #expect(used.subtracting(["--c"]).isSubset(of: light) && used.contains("--heat"))
        // The script's palette is as large as the style's.
        #expect(page.contains("const palette = \(light.filter { $0.wholeMatch(of: /--c\d/) != nil }.count),"))
        #expect(page.contains("matchMedia(\"(prefers-color-scheme: dark)\").addEventListener(\"change\", redraw)"))
    }

    @Test("fit for a phone: as wide as the screen, narrow rules, and tables that scroll by themselves")
    func phone() throws {
        let page = HTMLReport(SampleSnapshots.small).description
        #expect(page.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"))
        #expect(page.contains("@media (max-width: 560px) {"))
        #expect(page.contains(".wide { overflow-x: auto;"))
        for table in ["stages", "kinds", "effects"] { #expect(page.contains("<div id=\"\(table)\" class=\"wide\">")) }
        // No column is as wide as the number in it wants: long ones are cut.
        #expect(page.contains("repeat(2, minmax(0, 1fr))"))
    }

    @Test("what the script looks for is in the page")
    func elements() throws {
        let page = HTMLReport(SampleSnapshots.small).description
        let wanted = try all(#"\$\("([a-z]+)"\)"#, in: page)
        #expect(wanted.isSuperset(of: ["heat", "rate", "curves", "why", "stages", "kinds", "effects", "tiles", "tip"]))
        #expect(wanted.isSubset(of: try all(#" id="([a-z]+)""#, in: page)))
    }

    @Test(
        "a cell of the heat map for each time and latency that occurred; they add up to the actions",
        arguments: [1, 4]
    )
    func heatMap(interval: Int) async throws {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store, oneIn: interval)
        for number in 0..<200 {
            store.dispatch(.large(number))
            // Some columns, and some rows.
            if number % 20 == 19 { work(for: .milliseconds(25)) }
            let late = Ticks(rawValue: Ticks.now.rawValue - Ticks.count(in: .microseconds(number * number)))
            store.dispatch(DispatchedAction(.small), intendedAt: late)
        }
        let snapshot = await instrumentation.snapshot()
        let data = try data(HTMLReport(snapshot).description)
        let series = try #require(data["series"] as? [String: Any])
        let columns = try #require(series["columns"] as? [[UInt64]])
        let rows = try #require(series["rows"] as? [UInt64])
        #expect(rows.count == LatencySeries.rows && rows == rows.sorted())
        #expect(columns.count == snapshot.series.columns.count && columns.count >= 2)
        #expect(series["columnNanoseconds"] as? UInt64 == snapshot.series.columnNanoseconds)
        var (cells, sum) = (0, UInt64(0))
        for (flat, column) in zip(columns, snapshot.series.columns) {
            // Row and count by turns: each row at most once, and none that is empty.
            let pairs = stride(from: 0, to: flat.count, by: 2).map { (row: Int(flat[$0]), count: flat[$0 + 1]) }
            #expect(flat.count % 2 == 0 && pairs.map(\.row) == Set(pairs.map(\.row)).sorted())
            #expect(pairs.allSatisfy { $0.count > 0 })
            var counts = Array(repeating: UInt64(0), count: LatencySeries.rows)
            for pair in pairs { counts[pair.row] = pair.count }
            #expect(counts == column.counts)
            cells += pairs.count
            // The point of the throughput.
            #expect(pairs.reduce(0) { $0 + $1.count } == column.total)
            sum += column.total
        }
        #expect(cells > columns.count)
        #expect(sum == snapshot.measured && sum == snapshot.stage("total").count)
        // Of all, where a sample was drawn.
        let scale = try #require(data["scale"] as? Double)
        #expect(UInt64((Double(sum) * scale).rounded()) == snapshot.actions && snapshot.actions == 400)
    }

    @Test("a share too small for two digits is not shown as none")
    func smallShares() throws {
        let kind = KindSnapshot(
            name: "only",
            count: 1,
            wait: SampleSnapshots.latency([10_000_000], stage: false),
            work: SampleSnapshots.latency([100], stage: false),
            total: SampleSnapshots.latency([10_000_100], stage: false),
            nanosecondsByStage: [10_000_000, 10_000_100]
        )
        let snapshot = SampleSnapshots.snapshot(
            actions: 1,
            stages: [
                StageSnapshot(name: "queue", role: .queue, latency: SampleSnapshots.latency([10_000_000])),
                StageSnapshot(name: "total", role: .total, latency: SampleSnapshots.latency([10_000_100])),
            ],
            kinds: [kind]
        )
        let slowness = try #require(try data(HTMLReport(snapshot).description)["slowness"] as? [String: Any])
        let share = try #require(slowness["waitingShare"] as? Double)
        #expect(share > 0.99998 && share < 1)
    }

    @Test("shares of the page are those of the sentences: rounded in one place")
    func sameShares() throws {
        let snapshot = SampleSnapshots.service(actions: 2_000)
        let (page, report) = (HTMLReport(snapshot).description, SlownessReport(snapshot))
        let data = try data(page)
        for member in ["waiting", "working"] {
            let share = try #require(data[member] as? String)
            #expect(report.findings[0].text.contains(share))
        }
        #expect(report.findings[0].hint.contains(try #require(data["busy"] as? String)))
        let parts = try #require(data["parts"] as? [[String: Any]])
        #expect(parts.count > 3)
        for part in parts { #expect(report.description.contains(" \(part["share"] as? String ?? "none") ")) }
        // Of what the page rounds itself nothing stands in a sentence.
        #expect(page.components(separatedBy: "share(").count == 2)
    }

    @Test("times of day are those of ISO 8601, in UTC, wherever the reader is")
    func dates() {
        let page = HTMLReport(SampleSnapshots.small).description
        #expect(page.contains(".toISOString()"))
        for word in ["toLocaleTimeString", "toLocaleDateString", ").toLocaleString()"] { #expect(!page.contains(word)) }
    }

    private static let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test("no two labels of an axis are the same, however late it begins", .enabled(if: node != nil))
    func axis() throws {
        let page = HTMLReport(SampleSnapshots.small).description
        let begin = try #require(page.range(of: "const three ="))
        let end = try #require(page.range(of: "function percentile"))
        let script = """
            const D = { span: 5e9 };
            \(page[begin.lowerBound..<end.lowerBound])
            const steps = [1e3, 5e3, 2e4, 1e6, 5e6, 2e8, 1e9, 1e10, 15e9, 3e10, 6e10, 3e11, 9e11, 36e11, 864e11];
            for (const step of steps) for (const from of [0, 1, 7, 59, 1000, 123456]) {
              const ticks = Array.from({ length: 12 }, (_, i) => (from + i) * step);
              const label = tickLabels(step, ticks[11]), labels = ticks.map(label);
              if (new Set(labels).size < 12) console.log("same", step, from, labels.join());
              const unit = { h: 3600e9, min: 60e9, s: 1e9, ms: 1e6, "µs": 1e3 };
              ticks.forEach((t, i) => {
                const [number, name] = labels[i].split(" ");
                if (t && Math.abs(number * unit[name] - t) > 1e-6 * t) console.log("wrong", t, labels[i]);
              });
            }
            console.log(moment(1760000000123), tickLabels(5e6, 1.02e9)(1.005e9), tickLabels(10e9, 100e9)(60e9));
            D.span = 60e9;
            console.log(moment(1760000000123), moment(1760000000123).slice(11));
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.node))
        process.arguments = ["-e", script]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "2025-10-09T08:53:20.123Z 1.005 s 60 s\n2025-10-09T08:53:20Z 08:53:20Z\n")
    }

    @Test("legend and curve have one stroke, the whole lies under the others, the sticky column has an edge")
    func curvesAndEdge() {
        let page = HTMLReport(SampleSnapshots.small).description
        // Dashes and widths come from one place, so the legend shows what the curve has.
        #expect(page.components(separatedBy: "...line.stroke").count == 2)
        #expect(page.components(separatedBy: "...l.stroke").count == 2)
        #expect(page.contains("sort((a, b) => (b.role === \"total\") - (a.role === \"total\"))"))
        // Cells of a table with collapsed borders have no shadow.
        #expect(page.contains("border-collapse: separate") && page.contains("box-shadow: 1px 0 var(--line)"))
    }

    /// To look at: `MILLRACE_PAGE=page.html swift test --filter "of a service"`.
    @Test("the page of a service")
    func service() throws {
        let path = ProcessInfo.processInfo.environment["MILLRACE_PAGE"]
        let snapshot = SampleSnapshots.service(actions: path == nil ? 5_000 : 400_000)
        let page = HTMLReport(snapshot, title: "Orders, a busy Monday")
        #expect(page.description.utf8.count < 250_000)
        #expect(SlownessReport(snapshot).findings.count >= 3)
        if let path {
            try page.write(toFile: path)
            try HTMLReport(SampleSnapshots.hostile).write(toFile: path + ".hostile.html")
            try HTMLReport(SampleSnapshots.empty).write(toFile: path + ".empty.html")
            print(LatencyTable(snapshot), SlownessReport(snapshot), separator: "\n")
        }
    }
}
