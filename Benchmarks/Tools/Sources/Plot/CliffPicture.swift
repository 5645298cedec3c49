// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The picture of the section `cliffs`: a plot for each size that can grow, with the medians of up to three operations.
public struct CliffPicture {
    /// A curve with its times in the order of the sizes.
    private struct Curve {
        let name: String
        let points: [Figures.Point]
    }

    private static let columns = 3
    private static let margin = 20.0
    private static let columnWidth = 284.0
    /// Beside each plot: left the values of its lines, right the last value of each curve.
    private static let left = 46.0
    private static let right = 50.0
    private static let plotHeight = 96.0
    private static let keyHeight = 15.0
    private static let styles = ["ours", "third", "theirs"]
    private static var width: Double { 2 * margin + Double(columns) * columnWidth }

    private let figures: Figures
    private let panels: [(panel: CliffPanel, curves: [Curve])]

    /// Creates the picture of the figures.
    ///
    /// - Throws: ``PlotError`` if a plot has no figures or figures have no plot, if a curve has one size only, or if a time
    ///   is not positive.
    public init(_ figures: Figures) throws {
        self.figures = figures
        guard let rows = figures.sections["cliffs"]?.first?.rows else {
            throw PlotError("the figures have no section 'cliffs'; measure it: \(Self.command)")
        }
        var points: [String: [Figures.Point]] = [:]
        for row in rows {
            let words = row.name.components(separatedBy: ": ")
            points[words.dropLast().joined(separator: ": "), default: []] += row.points ?? []
        }
        panels = try CliffPanel.all.map { panel in
            let curves = try panel.curves.map { curve in
                guard let points = points.removeValue(forKey: curve.row) else {
                    throw PlotError("the figures have no rows '\(curve.row)'; measure them: \(Self.command)")
                }
                return try Self.curve(curve, points)
            }
            return (panel, curves)
        }
        if let row = points.keys.min() { throw PlotError("the rows '\(row)' have no plot; add one to 'CliffPanel'") }
    }

    private static func curve(_ curve: CliffPanel.Curve, _ points: [Figures.Point]) throws -> Curve {
        guard points.count > 1 else {
            throw PlotError("the rows '\(curve.row)' have one size only; measure them without --smoke: \(command)")
        }
        for point in points where !(point.size >= 0 && point.time.median > 0 && point.time.median.isFinite) {
            throw PlotError("'\(curve.row): \(point.size)' has no positive time: \(point.time.median)")
        }
        return Curve(name: curve.name, points: points.sorted { $0.size < $1.size })
    }

    /// The command that measures such figures.
    static let command = #"make bench ARGS="--only cliffs --json""#

    /// The picture as SVG. The same figures give the same text.
    public var svg: String {
        var y = 34.0
        var lines = [
            SVG.text("What an operation costs while something grows", x: Self.margin, y: y, style: "title"),
            SVG.text(
                "medians; both axes logarithmic, flat is good",
                x: Self.width - Self.margin,
                y: y,
                style: "note end"
            ),
        ]
        y += 12
        for start in stride(from: 0, to: panels.count, by: Self.columns) {
            let row = panels[start..<min(start + Self.columns, panels.count)]
            let keys = row.map { $0.curves.count > 1 ? $0.curves.count : 0 }.max() ?? 0
            let top = y + 40 + Double(keys) * Self.keyHeight
            for (column, entry) in row.enumerated() {
                let x = Self.margin + Double(column) * Self.columnWidth
                lines.append(SVG.text(entry.panel.heading, x: x, y: y + 22, style: "heading small"))
                if entry.curves.count > 1 { lines += key(of: entry.curves, x: x, y: y + 22) }
                lines += plot(entry.panel, entry.curves, x: x, top: top)
            }
            y = top + Self.plotHeight + 24
        }
        y += 4
        for remark in remarks {
            y += 18
            lines.append(SVG.text(remark, x: Self.margin, y: y, style: "note"))
        }
        return SVG.document(
            width: Self.width,
            height: y + 20,
            title: "What an operation costs while something grows",
            description: description,
            lines
        )
    }

    private func key(of curves: [Curve], x: Double, y: Double) -> [String] {
        curves.enumerated().flatMap { index, curve in
            let middle = y + Double(index + 1) * Self.keyHeight
            return [
                SVG.mark(index, x: x + 6, y: middle - 4, Self.styles[index]),
                SVG.text(curve.name, x: x + 16, y: middle, style: "note"),
            ]
        }
    }

    private func plot(_ panel: CliffPanel, _ curves: [Curve], x: Double, top: Double) -> [String] {
        let start = x + Self.left
        let end = x + Self.columnWidth - Self.right
        let bottom = top + Self.plotHeight
        let axis = Axis(from: bottom, to: top, values: curves.flatMap(\.points).map(\.time.median))
        var lines: [String] = []
        // With many powers of ten, every third has its value.
        for (index, tick) in axis.ticks.enumerated() where axis.ticks.count <= 5 || index % 3 == 0 {
            let y = axis.place(of: tick)
            lines.append(SVG.line(start, y, end, y, "grid"))
            lines.append(SVG.text(tick.duration, x: start - 6, y: y + 4, style: "note end"))
        }
        let scale = SizeScale(panel.sizes, sizes: curves.flatMap(\.points).map(\.size), from: start + 6, to: end - 6)
        for label in scale.labels {
            lines.append(SVG.text(label.text, x: label.x, y: bottom + 15, style: "note middle"))
        }
        var ends: [(y: Double, text: String)] = []
        for (index, curve) in curves.enumerated() {
            let places = curve.points.map { (x: scale.place(of: $0.size), y: axis.place(of: $0.time.median)) }
            lines.append(SVG.curve(places, "curve \(Self.styles[index])"))
            lines += places.map { SVG.mark(index, x: $0.x, y: $0.y, Self.styles[index]) }
            if let last = curve.points.last {
                ends.append((axis.place(of: last.time.median), last.time.median.duration))
            }
        }
        for label in Self.apart(ends) { lines.append(SVG.text(label.text, x: end + 4, y: label.y + 4, style: "note")) }
        return lines
    }

    /// Moves labels that would cover each other.
    private static func apart(_ labels: [(y: Double, text: String)]) -> [(y: Double, text: String)] {
        var labels = labels.sorted { $0.y > $1.y }
        for index in labels.indices.dropFirst() {
            labels[index].y = min(labels[index].y, labels[index - 1].y - 11)
        }
        return labels
    }

    private var remarks: [String] {
        let machine = figures.machine
        let lines = figures.lines?["cliffs"]
        return [
            "\(machine.processor), \(machine.cores) cores, \(machine.kernel), Swift \(machine.swift), \(machine.allocator);"
                + " \(machine.load.fixed(2)) busy threads in the minute before",
            (lines.map { "A cache line took \($0.before.whole) ns before and \($0.after.whole) ns after. " } ?? "")
                + Self.command,
        ]
    }

    private var description: String {
        let texts = panels.map { panel, curves in
            "\(panel.heading): "
                + curves.map { curve in
                    (curve.name.isEmpty ? "" : "\(curve.name) ")
                        + curve.points.map(\.time.median.duration).joined(separator: ", ")
                }.joined(separator: "; ")
        }
        return (texts + remarks).joined(separator: ". ")
    }
}
