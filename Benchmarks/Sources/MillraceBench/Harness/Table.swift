// SPDX-License-Identifier: Apache-2.0

/// Rows that belong together.
struct Table: Encodable {
    let title: String
    /// What the sizes of the rows' points are.
    var sizes: String?
    var rows: [Row]
}

extension Table {
    /// The table as text, with aligned columns.
    var text: String { sizes.map { pointsText($0) } ?? plainText }

    private var width: Int { max(40, rows.map(\.name.count).max() ?? 0) }

    /// The rows with a group of columns for each size, and then their notes.
    private func pointsText(_ unit: String) -> String {
        let all = Set(rows.flatMap { $0.points ?? [] }.map(\.size)).sorted()
        var sizes = "".padded(to: width)
        var header = sizes
        for size in all {
            sizes += "\(size) \(size == 1 ? String(unit.dropLast()) : unit)".aligned(to: 34)
            header += "    ns min  median   ratio mallocs"
        }
        var lines = [title, sizes, header]
        for row in rows {
            var line = row.name.padded(to: width)
            for size in all {
                let point = row.points?.first { $0.size == size }
                line += (point?.time.min.text(digits: 1) ?? "").aligned(to: 10)
                line += (point?.time.median.text(digits: 1) ?? "").aligned(to: 8)
                line += (point?.ratio?.median.text(digits: 2) ?? "").aligned(to: 8)
                line += (point?.mallocs?.mallocText ?? "").aligned(to: 8)
            }
            lines.append(line.trimmedRight)
        }
        for row in rows {
            guard let note = row.note else { continue }
            lines.append("  \(row.name): \(note)")
        }
        return lines.joined(separator: "\n")
    }

    private var plainText: String {
        let hasTimes = rows.contains { $0.time != nil }
        let hasLatencies = rows.contains { $0.latencies != nil }
        let hasStalls = rows.contains { $0.latencies?.stalls != nil }
        let hasLatencyRatios = rows.contains { $0.latencyRatios != nil }
        let hasAmounts = rows.contains { $0.amount != nil }
        let hasRatios = rows.contains { $0.ratio != nil }
        let hasMallocs = rows.contains { $0.mallocs != nil }
        var lines = [title]
        var header = "".padded(to: width)
        if hasTimes { header += "   ns min  median     max" }
        if hasLatencies { header += "     p50 ns       p99     p99.9         max   CPU %" }
        if hasStalls { header += "   stalls, us: longest     all  their p99.9  waited" }
        if hasLatencyRatios {
            header += "   ratio of p50 (least-most)" + "of p99".aligned(to: 14) + "of p99.9".aligned(to: 26)
        }
        if hasAmounts { header += "      amount" }
        if hasRatios { header += "   ratio min  median     max" }
        if hasMallocs { header += "   mallocs" }
        lines.append(header)
        for row in rows {
            var line = row.name.padded(to: width)
            if hasTimes { line += row.time.map { $0.text(digits: 1) } ?? "".padded(to: 24) }
            if hasLatencies { line += row.latencies?.text ?? "".padded(to: 50) }
            if hasStalls { line += row.latencies?.stalls?.text ?? "".padded(to: 51) }
            if hasLatencyRatios { line += row.latencyRatios?.text ?? "".padded(to: 72) }
            if hasAmounts { line += (row.amount.map { $0.text(digits: $0 < 100 ? 2 : 0) } ?? "").aligned(to: 12) }
            if hasRatios { line += "    " + (row.ratio.map { $0.text(digits: 2) } ?? "".padded(to: 24)) }
            if hasMallocs { line += (row.mallocs.map { $0.mallocText } ?? "").aligned(to: 10) }
            if let verdict = row.verdict { line += "   " + verdict }
            if let note = row.note { line += "   " + note }
            lines.append(line.trimmedRight)
        }
        return lines.joined(separator: "\n")
    }
}

extension Row {
    /// "PASS  <= 30 ns, 0 mallocs", or "MISS" with the targets that were missed; nil without targets.
    var verdict: String? {
        guard let passes else { return nil }
        let named = passes ? targets : targets.filter { !reaches($0) }
        return (passes ? "PASS  " : "MISS  ") + named.map(\.text).joined(separator: ", ")
    }
}

extension Target {
    fileprivate var text: String {
        switch figure {
        case .nanoseconds: "<= \(atMost.shortText) ns"
        case .ratio: "ratio <= \(atMost.shortText)"
        case .ratioP50: "ratio of p50 <= \(atMost.shortText)"
        case .ratioP999: "ratio of p99.9 <= \(atMost.shortText)"
        case .p50: "p50 <= \(atMost.shortText) ns"
        case .p999: "p99.9 <= \(atMost.shortText) ns"
        case .amount: "<= \(atMost.shortText)"
        case .mallocs: atMost == 0 ? "0 mallocs" : "<= \(atMost.shortText) mallocs"
        }
    }
}

extension Latencies {
    fileprivate var text: String {
        [(p50, 11), (p99, 10), (p999, 10), (max, 12)].map { $0.text(digits: 0).aligned(to: $1) }.joined()
            + (cpu.map { $0.text(digits: 0) } ?? "").aligned(to: 8)
    }
}

extension Stalls {
    fileprivate var text: String {
        [(longest, 22), (sum, 8), (p999, 13), (waited, 8)].map { ($0.0 / 1_000).text(digits: 0).aligned(to: $0.1) }
            .joined()
    }
}

extension LatencyRatios {
    /// "0.97 (0.90-1.10)" for each percentile: the median, the least and the greatest.
    fileprivate var text: String {
        [p50, p99, p999].map {
            "\($0.median.text(digits: 2)) (\($0.min.text(digits: 2))-\($0.max.text(digits: 2)))".aligned(to: 24)
        }.joined()
    }
}

extension Sample {
    fileprivate func text(digits: Int) -> String {
        [min, median, max].map { $0.text(digits: digits).aligned(to: 8) }.joined()
    }
}

extension Double {
    /// Returns the number with a fixed number of digits after the point.
    fileprivate func text(digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((abs(self) * scale).rounded())
        guard digits > 0 else { return String(Int(rounded())) }
        let fraction = String(scaled % Int(scale))
        let sign = self < 0 && scaled != 0 ? "-" : ""
        return "\(sign)\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    fileprivate var shortText: String { self == rounded() ? String(Int(self)) : String(self) }

    /// The number as text. It is "0" only if it is exactly 0.
    fileprivate var mallocText: String { self == 0 ? "0" : self < 0.001 ? "<0.001" : text(digits: 3) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    fileprivate var trimmedRight: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
