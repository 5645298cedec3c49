// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    /// To look at: `MILLRACE_PAGE=/tmp/page.html swift test --filter "of a service"`.
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
