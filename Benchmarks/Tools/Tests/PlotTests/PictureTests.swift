// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Plot

/// Figures with one row more in the section `subject`, read from JSON as the benchmarks write it.
private func figures(
    name: String = "Mutex",
    least: Double = 10,
    median: Double = 100,
    greatest: Double = 1000,
    pairs: Int = 11,
    processor: String = "A processor",
    section: String = "rivals"
) throws -> Figures {
    func row(_ name: String, _ least: Double, _ median: Double, _ greatest: Double) -> [String: Any] {
        ["name": name, "time": ["min": least, "median": median, "max": greatest], "targets": [], "mallocs": 0]
    }
    func points(_ medians: [Int: Double]) -> [[String: Any]] {
        medians.map { ["size": $0, "time": ["min": $1 / 2, "median": $1, "max": $1 * 2]] }
    }
    let object: [String: Any] = [
        "machine": [
            "processor": processor, "cores": 2, "kernel": "Linux 6", "swift": "6.3", "allocator": "glibc", "load": 0.25,
        ],
        "pairs": pairs, "operations": 2_000_000, "missed": [],
        "sections": [
            "subject": [
                [
                    "title": "Subject",
                    "rows": [
                        row("Millrace, subject", 9, 10.94, 30), row(name, least, median, greatest),
                        ["name": "no times", "amount": 3, "targets": []],
                    ],
                ]
            ],
            section: [
                [
                    "title": "Everything",
                    "rows": [
                        ["name": "Millrace, .thread()", "points": points([1: 14.2, 2: 23.5, 8: 87]), "targets": []],
                        ["name": "one producer only", "points": points([1: 55]), "targets": []],
                    ],
                ]
            ],
        ],
    ]
    return try JSONDecoder().decode(Figures.self, from: JSONSerialization.data(withJSONObject: object))
}

@Suite struct PictureTests {
    @Test func everyTimeOfTheFiguresIsShown() throws {
        let document = try #require(Document.parse(Picture(figures(median: 341.4)).svg))
        for text in [
            "Millrace, subject", "10.9", "Mutex", "341", "Millrace, .thread()", "14.2", "23.5", "87.0",
            "one producer only",
            "55.0",
        ] {
            #expect(document.texts.contains(text))
        }
        #expect(!document.texts.contains("no times"))
        for tick in ["10", "100", "1,000"] { #expect(document.texts.count { $0 == tick } == 2, "\(tick)") }
        #expect(document.attributes.count { $0.element == "circle" } == 5)
    }

    @Test func aRowWithSizesHasAMarkForEach() throws {
        // The axis goes from 1 to 1,000 on 312...612.
        let elements = try #require(Document.parse(Picture(figures()).svg)).attributes
        let axis = Axis(from: 312, to: 612, values: [9, 1000])
        func place(_ value: Double, left: Double = 0) -> String { (axis.place(of: value) - left).fixed(1) }
        #expect(elements.contains { $0.element == "circle" && $0.values["cx"] == place(14.2) })
        #expect(elements.contains { $0.element == "path" && $0.values["d"]?.hasPrefix("M\(place(23.5)) ") == true })
        #expect(elements.contains { $0.element == "rect" && $0.values["x"] == place(87, left: 4) })
        let ranges = elements.filter { $0.values["class"] == "range thin ours" }.map(\.values)
        #expect(ranges.map { [$0["x1"], $0["x2"]] } == [[place(14.2), place(87)]])
        // The key of the panel has one diamond and one square more.
        #expect(elements.count { $0.element == "path" } == 2)
    }

    @Test func theMachineAndTheCommandAreShown() throws {
        let texts = try #require(Document.parse(Picture(figures(pairs: 21)).svg)).texts
        #expect(
            texts.contains("A processor, 2 cores, Linux 6, Swift 6.3, glibc; 0.25 busy threads in the minute before")
        )
        let command = #"make bench ARGS="--only rivals --only subject --pairs 21 --json""#
        #expect(texts.contains("21 pairs of runs by turns, 2,000,000 actions a run: " + command))
    }

    @Test func aDotStandsAtItsValueOnALogarithmicAxis() {
        let axis = Axis(from: 100, to: 400, values: [10, 9_000])
        #expect(axis.ticks == [10, 100, 1_000, 10_000])
        #expect(axis.place(of: 10) == 100)
        #expect(abs(axis.place(of: 100) - 200) < 1e-9)
        #expect(abs(axis.place(of: 10_000) - 400) < 1e-9)
        #expect(Axis(from: 0, to: 1, values: [10, 10]).ticks == [10, 100])
    }

    @Test func aRowShowsItsMedianBetweenItsLeastAndItsGreatestTime() throws {
        // The axis goes from 1 to 1,000 on 312...612; all other times are below 200.
        let elements = try #require(Document.parse(Picture(figures(least: 10, median: 100, greatest: 1000)).svg))
            .attributes
        let ranges = elements.filter { $0.values["class"] == "range theirs" }.map(\.values)
        #expect(ranges.map { [$0["x1"], $0["x2"]] } == [["412.0", "612.0"]])
        let dots = elements.filter { $0.element == "circle" && $0.values["class"] == "theirs" && $0.values["r"] == "5" }
            .map(\.values)
        #expect(dots.map { $0["cx"] } == ["512.0"])
    }

    @Test func allTextIsEscaped() throws {
        let name = "<script>\"a\" & 'b'</script>\u{1}"
        let svg = try Picture(figures(name: name, processor: name)).svg
        #expect(!svg.contains("<script>"))
        let texts = try #require(Document.parse(svg)).texts
        #expect(texts.contains("<script>\"a\" & 'b'</script>"))
    }

    @Test func nothingIsLoadedFromElsewhere() throws {
        let svg = try Picture(figures()).svg.replacing("http://www.w3.org/2000/svg", with: "")
        for text in ["http", "url(", "@import", "@font-face", "href", "<image"] { #expect(!svg.contains(text)) }
    }

    @Test func everyColourHasADarkOne() throws {
        let styles = try Picture(figures()).svg.split(separator: "@media (prefers-color-scheme: dark)")
        #expect(styles.count == 2)
        let colour = /\.([a-z-]+)(?:, \.[a-z-]+)* \{[^}]*(?:fill|stroke): #/
        let light = styles[0].matches(of: colour).map { String($0.output.1) }
        #expect(light.count == 10)
        for name in light { #expect(styles[1].contains(".\(name) {") || styles[1].contains(".\(name), "), "\(name)") }
    }

    @Test func aLongNameIsDrawnNarrower() throws {
        let long = String(repeating: "m", count: 80)
        let texts = try #require(Document.parse(Picture(figures(name: long)).svg))
        #expect(texts.attributes.compactMap { $0.values["textLength"] } == ["276"])
    }

    @Test func theSameFiguresGiveTheSameText() throws {
        #expect(try Picture(figures()).svg == Picture(figures()).svg)
        #expect(try Picture(figures()).svg != Picture(figures(median: 101)).svg)
    }

    @Test func aMissingSectionIsNamedWithTheCommand() throws {
        let error = #expect(throws: PlotError.self) { try Picture(figures(section: "other")) }
        #expect(error?.description.contains("no section 'rivals'") == true)
        #expect(error?.description.contains("make bench ARGS=") == true)
    }

    @Test(arguments: [(0.0, 1.0, 2.0), (-1, 1, 2), (3, 2, 4), (1, 5, 4)])
    func timesThatTheAxisCannotShowAreRefused(least: Double, median: Double, greatest: Double) throws {
        let error = #expect(throws: PlotError.self) {
            try Picture(figures(name: "Odd", least: least, median: median, greatest: greatest))
        }
        #expect(error?.description.contains("'Odd'") == true)
    }

    @Test(arguments: [
        (2.5, "2.5"), (10.94, "10.9"), (99.94, "99.9"), (99.96, "100"), (341.4, "341"), (1_219, "1,219"),
        (1_234_567.8, "1,234,568"),
    ])
    func numbersAreShownAsInTheTables(value: Double, text: String) { #expect(value.figure == text) }

    @Test(arguments: [
        (7.7, "7.7 ns"), (43.6, "44 ns"), (999.4, "999 ns"), (999.6, "1.0 µs"), (1_000, "1 µs"), (124_734, "125 µs"),
        (979_410_360, "979 ms"), (2e9, "2 s"), (5e12, "5000 s"),
    ])
    func timesAreShownInTheirUnit(value: Double, text: String) { #expect(value.duration == text) }

    @Test(arguments: [(0, "0 B"), (1_000, "1,000 B"), (4_096, "4 KB"), (1_536, "1,536 B"), (1 << 30, "1 GB")])
    func bytesAreShownInTheirUnit(value: Int, text: String) { #expect(value.bytes == text) }
}
