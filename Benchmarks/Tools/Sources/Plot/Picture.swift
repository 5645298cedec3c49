// SPDX-License-Identifier: Apache-2.0

/// The picture of the README: the median of each contender as a mark, on a line from its least to its greatest time, or
/// for rows with several sizes, a mark for each size on a line through all of them.
public struct Picture {
    /// A section of the benchmarks whose first table is shown.
    struct Panel {
        let section: String
        let heading: String
        /// The sizes of the points that are shown; empty for a table of single times.
        var sizes: [Int] = []
    }

    static let panels = [
        Panel(
            section: "rivals",
            heading: "The same actions from one, two and eight producer threads, until all are reduced",
            sizes: [1, 2, 8]
        ),
        Panel(section: "subject", heading: "A store on a subject and the main queue, as in SwiftRex"),
    ]

    /// A row of a panel: one time, or one for each size of the panel.
    private struct Line {
        let name: String
        let note: String?
        let times: [Figures.Sample?]
    }

    private static let width = 800.0
    private static let labels = 24.0
    private static let plotLeft = 312.0
    private static let plotRight = 612.0
    private static let valuesRight = 776.0
    private static let valueWidth = 54.0

    private let figures: Figures
    private let tables: [(panel: Panel, rows: [Line])]
    private let axis: Axis

    /// Creates the picture of the figures.
    ///
    /// - Throws: ``PlotError`` if a section is missing, or has no times that a logarithmic axis can show.
    public init(_ figures: Figures) throws {
        self.figures = figures
        tables = try Self.panels.map { panel in
            guard let table = figures.sections[panel.section]?.first else {
                throw PlotError(
                    "the figures have no section '\(panel.section)'; measure it: \(Self.command(for: figures))"
                )
            }
            let rows = table.rows.compactMap { Self.line(of: $0, in: panel) }
            guard !rows.isEmpty else { throw PlotError("the section '\(panel.section)' has no times") }
            for row in rows {
                for time in row.times.compactMap(\.self) {
                    guard time.min > 0, time.min <= time.median, time.median <= time.max, time.max.isFinite else {
                        throw PlotError(
                            "'\(row.name)' has no positive times in order: \(time.min), \(time.median), \(time.max)"
                        )
                    }
                }
            }
            return (panel, rows)
        }
        let values = tables.flatMap { table in
            table.rows.flatMap(\.times).compactMap(\.self).flatMap {
                table.panel.sizes.isEmpty ? [$0.min, $0.max] : [$0.median]
            }
        }
        axis = Axis(from: Self.plotLeft, to: Self.plotRight, values: values)
    }

    /// Returns the row as the panel shows it; nil if it has none of the panel's times.
    private static func line(of row: Figures.Row, in panel: Panel) -> Line? {
        if panel.sizes.isEmpty {
            return row.time.map { Line(name: row.name, note: row.note, times: [$0]) }
        }
        let times = panel.sizes.map { size in row.points?.first { $0.size == size }?.time }
        return times.contains { $0 != nil } ? Line(name: row.name, note: nil, times: times) : nil
    }

    /// The command that measures such figures.
    static func command(for figures: Figures) -> String {
        let only =
            panels.map { "--only \($0.section)" } + (figures.pairs == 11 ? [] : ["--pairs \(figures.pairs)"])
            + (figures.operations == 2_000_000 ? [] : ["--events \(figures.operations)"])
        return "make bench ARGS=\"\(only.joined(separator: " ")) --json\""
    }

    /// The picture as SVG. The same figures give the same text.
    public var svg: String {
        var lines: [String] = []
        var y = 34.0
        lines.append(SVG.text("Nanoseconds an action", x: Self.labels, y: y, style: "title"))
        lines.append(SVG.text("medians; logarithmic, less is better", x: Self.valuesRight, y: y, style: "note end"))
        for table in tables {
            y += 36
            lines.append(SVG.text(table.panel.heading, x: Self.labels, y: y, style: "heading"))
            y += 18
            lines += key(of: table.panel, y: y)
            let rowHeight = table.panel.sizes.isEmpty ? 34.0 : 22.0
            let top = y + 8
            let bottom = top + Double(table.rows.count) * rowHeight
            for tick in axis.ticks {
                lines.append(SVG.line(axis.place(of: tick), top, axis.place(of: tick), bottom, "grid"))
            }
            for (index, row) in table.rows.enumerated() {
                let middle = top + (Double(index) + 0.5) * rowHeight
                lines += table.panel.sizes.isEmpty ? show(row, middle: middle) : showSizes(row, middle: middle)
            }
            y = bottom + 16
            for tick in axis.ticks {
                lines.append(
                    SVG.text(
                        tick < 1 ? String(tick) : Int(tick.rounded()).grouped,
                        x: axis.place(of: tick),
                        y: y,
                        style: "note middle"
                    )
                )
            }
        }
        y += 14
        for remark in remarks {
            y += 18
            lines.append(SVG.text(remark, x: Self.labels, y: y, style: "note"))
        }
        return document(height: y + 20, lines)
    }

    /// What the marks of a panel are, and the headings of its values.
    private func key(of panel: Panel, y: Double) -> [String] {
        guard !panel.sizes.isEmpty else {
            return [SVG.text("dot: median; line: least to greatest", x: Self.labels, y: y, style: "note")]
        }
        var lines = [SVG.text("a mark for each number of producers:", x: Self.labels, y: y, style: "note")]
        for (index, size) in panel.sizes.enumerated() {
            let x = 252.0 + Double(index) * 38
            lines.append(SVG.mark(index, x: x, y: y - 4, "theirs"))
            lines.append(SVG.text(String(size), x: x + 8, y: y, style: "note"))
            lines.append(SVG.text(String(size), x: valueRight(index, of: panel.sizes.count), y: y, style: "note end"))
        }
        return lines
    }

    /// The right end of a column of values.
    private func valueRight(_ index: Int, of count: Int) -> Double {
        Self.valuesRight - Double(count - 1 - index) * Self.valueWidth
    }

    private func showSizes(_ row: Line, middle y: Double) -> [String] {
        let isOurs = row.name.hasPrefix("Millrace")
        let whose = isOurs ? "ours" : "theirs"
        let style = isOurs ? "ours-text" : "name"
        var lines = [
            SVG.text(row.name, x: Self.labels, y: y + 4.5, style: style, atMost: Self.plotLeft - Self.labels - 12)
        ]
        let medians = row.times.compactMap { $0?.median }
        if let least = medians.min(), let most = medians.max(), least < most {
            lines.append(SVG.line(axis.place(of: least), y, axis.place(of: most), y, "range thin \(whose)"))
        }
        for (index, time) in row.times.enumerated() {
            guard let time else { continue }
            lines.append(SVG.mark(index, x: axis.place(of: time.median), y: y, whose))
            lines.append(
                SVG.text(
                    time.median.figure,
                    x: valueRight(index, of: row.times.count),
                    y: y + 4.5,
                    style: "\(style) end"
                )
            )
        }
        return lines
    }

    private var remarks: [String] {
        let machine = figures.machine
        return [
            "\(machine.processor), \(machine.cores) cores, \(machine.kernel), Swift \(machine.swift), \(machine.allocator);"
                + " \(machine.load.fixed(2)) busy threads in the minute before",
            "\(figures.pairs) pairs of runs by turns, \(figures.operations.grouped) actions a run: "
                + Self.command(for: figures),
        ]
    }

    private func show(_ row: Line, middle y: Double) -> [String] {
        guard let time = row.times.first.flatMap(\.self) else { return [] }
        let isOurs = row.name.hasPrefix("Millrace")
        let whose = isOurs ? "ours" : "theirs"
        let style = isOurs ? "ours-text" : "name"
        let room = Self.plotLeft - Self.labels - 12
        var lines = [
            SVG.text(row.name, x: Self.labels, y: row.note == nil ? y + 4.5 : y - 2, style: style, atMost: room),
            SVG.line(axis.place(of: time.min), y, axis.place(of: time.max), y, "range \(whose)"),
            "<circle class=\"\(whose)\" cx=\"\(axis.place(of: time.median).fixed(1))\" cy=\"\(y.fixed(1))\" r=\"5\"/>",
            SVG.text(time.median.figure, x: Self.valuesRight, y: y + 4.5, style: "\(style) end"),
        ]
        if let note = row.note { lines.append(SVG.text(note, x: Self.labels, y: y + 12.5, style: "note")) }
        return lines
    }

    private func document(height: Double, _ lines: [String]) -> String {
        let rows = tables.flatMap(\.rows).map { row in
            "\(row.name): " + row.times.map { $0?.median.figure ?? "none" }.joined(separator: ", ")
        }
        return SVG.document(
            width: Self.width,
            height: height,
            title: "Nanoseconds an action, medians",
            description: "\(rows.joined(separator: "; ")). \(remarks.joined(separator: ". "))",
            lines
        )
    }
}
