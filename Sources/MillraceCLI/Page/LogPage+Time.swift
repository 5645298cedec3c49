// SPDX-License-Identifier: Apache-2.0

/// The pictures over time. The browser stretches them to the width of the page. It would stretch labels, too, so the
/// labels are beside the pictures.
extension LogPage {
    /// The colours of the status classes, 1xx to 5xx.
    static let classColours = ["--soft", "--c1", "--c0", "--wait", "--c3"]
    static let classNames = ["1xx", "2xx", "3xx", "4xx", "5xx"]

    var timeSection: String {
        guard let series else { return "" }
        let classes = (0..<5).filter { place in series.buckets.contains { $0.classes[place] > 0 } }
        let keys = classes.map { place in
            "<span><i class=\"dot\" style=\"background:var(\(Self.classColours[place]))\"></i>"
                + "\(Self.classNames[place])</span>"
        }
        let step = TimeSeries.name(series.step)
        var text = "<section><h2>Over time</h2>\n<h3>Requests each \(step), by status</h3>\n"
        text += "<div class=\"key\">\(keys.joined())</div>\n"
        text += chart(
            "requests",
            "Requests each \(step)",
            classes.map { place in (Self.classColours[place], series.buckets.map { Double($0.classes[place]) }) },
            series.step
        ) { Self.short($0) }
        let visitorStep = TimeSeries.name(series.visitorStep)
        text += "<h3>Visitors each \(visitorStep)</h3>\n"
        text += chart("visitors", "Visitors", [("--c5", series.visitors.map { Double($0) })], series.visitorStep) {
            Self.short($0)
        }
        text += "<h3>Bytes sent each \(step)</h3>\n"
        text += chart("bytes", "Bytes sent", [("--c4", series.buckets.map { Double($0.bytes) })], series.step) {
            // The top of the scale may be more than the largest number.
            Figures.bytes(UInt64(exactly: $0.rounded()) ?? .max).replacing(".0 ", with: " ")
        }
        return text + timeTable(series) + "</section>\n"
    }

    /// Returns a picture of columns. Each column has a part for each of `layers`, the first one at the bottom.
    private func chart(
        _ id: String,
        _ label: String,
        _ layers: [(colour: String, values: [Double])],
        _ step: Int64,
        _ figure: (Double) -> String
    ) -> String {
        guard let series, let count = layers.first?.values.count else { return "" }
        let sums = (0..<count).map { place in layers.reduce(0) { $0 + $1.values[place] } }
        let top = Self.niceTop(sums.max() ?? 0, isBinary: id == "bytes")
        var floor = [Double](repeating: 0, count: count)
        var paths = ""
        for layer in layers {
            paths += "<path fill=\"var(\(layer.colour))\" d=\""
            for (place, value) in layer.values.enumerated() where value > 0 {
                // Even the smallest value gets a part that can be seen.
                let height = max(value / top * 100, 0.6)
                paths += Self.column(place, count, from: floor[place], height)
                floor[place] += height
            }
            paths += "\"/>"
        }
        let span = step * Int64(count)
        let levels = [(1.0, 0), (0.5, 50), (0, 100)].map { part, place in
            "<span style=\"top:\(place)%\">\(part == 0 ? "0" : figure(top * part))</span>"
        }
        let labels = TimeAxis.labels(from: series.start, span: span).map { text, place, isMinor in
            let edge = place < 0.05 ? "first" : place > 0.95 ? "last" : ""
            return "<span style=\"left:\(Self.decimal(place * 100))%\" class=\"\(edge)\(isMinor ? " minor" : "")\">"
                + "\(text)</span>"
        }
        return """
            <div class="chart" data-chart="\(id)"><div class="levels">\(levels.joined())</div>\
            <div class="plot"><svg viewBox="0 0 \(count) 100" preserveAspectRatio="none" role="img" \
            aria-label="\(label) over time. The table below has the figures.">\(Self.grid(count))\(paths)</svg>\
            <i class="cursor" hidden></i></div><div class="times">\(labels.joined())</div></div>

            """
    }

    private static func grid(_ count: Int) -> String {
        "<path class=\"grid\" d=\"M0,0H\(count)M0,50H\(count)M0,100H\(count)\"/>"
    }

    private static func column(_ place: Int, _ count: Int, from floor: Double, _ height: Double) -> String {
        let gap = count > 200 ? 0 : 0.06
        let bottom = decimal(max(0, 100 - floor))
        let top = decimal(max(0, 100 - floor - height))
        return "M\(decimal(Double(place) + gap)),\(bottom)V\(top)H\(decimal(Double(place + 1) - gap))V\(bottom)z"
    }

    /// Returns a number with at most two decimals, without a sign.
    static func decimal(_ value: Double) -> String {
        var text = Figures.fixed(value, 2).filter { $0 != "," }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text.isEmpty ? "0" : text
    }

    /// Returns a round number that is not less than `most`.
    private static func niceTop(_ most: Double, isBinary: Bool) -> Double {
        guard most > 0 else { return 1 }
        var unit = 1.0
        if isBinary { while most / unit >= 1024 { unit *= 1024 } }
        while most / unit > 10 { unit *= 10 }
        return unit * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].first { $0 * unit >= most } ?? most / unit)
    }

    /// Returns `12000` as `12 k`.
    private static func short(_ value: Double) -> String {
        for (size, unit) in [(1e9, " G"), (1e6, " M"), (1e4, " k")] where value >= size {
            return decimal(value / (size == 1e4 ? 1e3 : size)) + unit
        }
        return decimal(value)
    }

    private func timeTable(_ series: TimeSeries) -> String {
        let isSame = series.visitorStep == series.step
        var rows = ""
        for (place, bucket) in series.buckets.enumerated() where bucket.requests > 0 {
            rows += "<tr><td>\(TimeAxis.moment(series.start + Int64(place) * series.step))</td>"
            rows += "<td>\(grouped(bucket.requests))</td>"
            if isSame { rows += "<td>\(grouped(series.visitors[place]))</td>" }
            rows += "<td>\(Figures.bytes(bucket.bytes))</td>"
            for count in bucket.classes.dropFirst() { rows += "<td>\(grouped(count))</td>" }
            rows += "</tr>\n"
        }
        let heads = ["from (UTC)", "requests"] + (isSame ? ["visitors"] : []) + ["bytes"] + Self.classNames.dropFirst()
        var text = table("The figures", heads, rows)
        if !isSame {
            var rows = ""
            for (place, count) in series.visitors.enumerated() where count > 0 {
                let moment = TimeAxis.moment(series.start + Int64(place) * series.visitorStep)
                rows += "<tr><td>\(moment)</td><td>\(grouped(count))</td></tr>\n"
            }
            if !rows.isEmpty { text += table("The visitors", ["from (UTC)", "visitors"], rows) }
        }
        return text
    }

    private func table(_ title: String, _ heads: [String], _ rows: String) -> String {
        let head = heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return """
            <details><summary>\(title)</summary><div class="wide"><table><thead><tr>\(head)</tr></thead>
            <tbody>\(rows)</tbody></table></div></details>

            """
    }
}
