// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Plot

/// The rows of all curves with the sizes 1 and 100, each of 20 ns, changed by `change`.
private func figures(_ change: (inout [String: [Int: Double]]) -> Void = { _ in }) throws -> Figures {
    var times: [String: [Int: Double]] = [:]
    for curve in CliffPanel.all.flatMap(\.curves) { times[curve.row] = [1: 20, 100: 20] }
    change(&times)
    let rows = times.flatMap { name, points in
        points.map { size, time in
            let sample = ["min": time, "median": time, "max": time]
            return [
                "name": "\(name): \(size)", "time": sample, "points": [["size": size, "time": sample]], "targets": [],
            ] as [String: Any]
        }
    }
    let object: [String: Any] = [
        "machine": [
            "processor": "A processor", "cores": 2, "kernel": "Linux 6", "swift": "6.3", "allocator": "glibc",
            "load": 0.25,
        ],
        "lines": ["cliffs": ["before": 41.4, "after": 60]],
        "pairs": 11, "operations": 2_000_000, "missed": [],
        "sections": ["cliffs": [["title": "What grows", "rows": rows]]],
    ]
    return try JSONDecoder().decode(Figures.self, from: JSONSerialization.data(withJSONObject: object))
}

private let producers = "an action from so many producer threads"

@Suite struct CliffPictureTests {
    @Test func everyCurveGoesThroughItsPoints() throws {
        let document = try #require(Document.parse(CliffPicture(figures()).svg))
        let curves = CliffPanel.all.map(\.curves.count)
        #expect(document.attributes.count { $0.element == "polyline" } == curves.reduce(0, +))
        // Two sizes for each curve, and a mark in the key of each plot with several curves.
        let marks = document.attributes.count { ["circle", "path"].contains($0.element) || $0.values["width"] == "8" }
        #expect(marks == curves.reduce(0) { $0 + 2 * $1 + ($1 > 1 ? $1 : 0) })
        for heading in CliffPanel.all.map(\.heading) { #expect(document.texts.contains(heading), "\(heading)") }
    }

    @Test func aFlatCostIsAHorizontalLineAndAGrowingOneRises() throws {
        func heights(_ times: [Int: Double]) throws -> [Double] {
            let svg = try CliffPicture(figures { $0[producers] = times }).svg
            // The producers are the only curve of three points.
            let all = try #require(Document.parse(svg)).attributes.compactMap {
                $0.values["points"]?.split(separator: " ")
            }
            let curve = try #require(all.first { $0.count == 3 })
            return try curve.map { try #require(Double($0.split(separator: ",")[1])) }
        }
        let flat = try heights([1: 30, 4: 30, 64: 30])
        #expect(Set(flat).count == 1)
        // From the bottom of the plot, at 10 ns, to its top, at 1,000 ns.
        let growing = try heights([1: 10, 4: 100, 64: 1_000])
        #expect(abs(growing[0] - growing[1] - 48) < 0.11 && abs(growing[1] - growing[2] - 48) < 0.11)
    }

    @Test func theMachineTheLinesAndTheCommandAreShown() throws {
        let texts = try #require(Document.parse(CliffPicture(figures()).svg)).texts
        #expect(
            texts.contains("A processor, 2 cores, Linux 6, Swift 6.3, glibc; 0.25 busy threads in the minute before")
        )
        let command = #"make bench ARGS="--only cliffs --json""#
        #expect(texts.contains("A cache line took 41 ns before and 60 ns after. " + command))
    }

    @Test func sizesStandAtTheirLogarithmsAndWordsAtEqualDistances() {
        let numbers = SizeScale(.numbers, sizes: [0, 1, 7], from: 100, to: 400)
        #expect([0, 1, 7].map { numbers.place(of: $0).rounded() } == [100, 200, 400])
        #expect(numbers.labels.map(\.text) == ["0", "1", "7"])
        let doubled = SizeScale(.numbers, sizes: [1, 2, 8], from: 100, to: 400)
        #expect([1, 2, 8].map { doubled.place(of: $0).rounded() } == [100, 200, 400])
        let words = SizeScale(.words(["a", "b", "c"]), sizes: [0, 1, 2], from: 100, to: 400)
        #expect([0, 1, 2].map { words.place(of: $0) } == [100, 250, 400])
        #expect(words.labels.map(\.text) == ["a", "b", "c"])
        // A label that would touch the one before it is left out.
        #expect(
            SizeScale(.numbers, sizes: [1_000, 1_001, 9_000], from: 0, to: 90).labels.map(\.text) == ["1,000", "9,000"]
        )
    }

    @Test func theLabelsOfEqualCurvesDoNotCoverEachOther() throws {
        let document = try #require(Document.parse(CliffPicture(figures()).svg))
        let labels = document.attributes.enumerated().filter { document.texts[$0.offset] == "20 ns" }
        var places: [String: [Double]] = [:]
        for (_, label) in labels {
            places[label.values["x"] ?? "", default: []].append(Double(label.values["y"] ?? "") ?? 0)
        }
        for column in places.values {
            let ordered = column.sorted()
            for (one, next) in zip(ordered, ordered.dropFirst()) { #expect(next - one >= 10.9) }
        }
        #expect(labels.count == CliffPanel.all.map(\.curves.count).reduce(0, +))
    }

    @Test func whatCannotBeShownIsAnErrorThatSaysWhatToDo() throws {
        func error(_ change: (inout [String: [Int: Double]]) -> Void) -> String {
            let error = #expect(throws: PlotError.self) { try CliffPicture(figures(change)) }
            return error?.description ?? ""
        }
        #expect(error { $0[producers] = nil }.contains("no rows '\(producers)'; measure them: make bench"))
        #expect(error { $0[producers] = [1: 20] }.contains("one size only"))
        #expect(error { $0[producers] = [1: 20, 2: 0] }.contains("'\(producers): 2' has no positive time"))
        #expect(error { $0["a new one"] = [1: 20, 2: 20] }.contains("'a new one' have no plot"))
    }
}
