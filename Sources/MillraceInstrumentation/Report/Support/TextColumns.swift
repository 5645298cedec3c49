// SPDX-License-Identifier: Apache-2.0

/// A text table: the first columns are aligned left, the others right.
struct TextColumns {
    /// The number of columns that are aligned left.
    var leading = 1
    /// The titles of the columns.
    let titles: [String]
    /// The rows. Each has as many texts as there are titles.
    var rows: [[String]] = []

    func write(to target: inout some TextOutputStream) {
        let widths = titles.indices.map { column in
            rows.reduce(titles[column].count) { max($0, $1[column].count) }
        }
        for row in [titles] + rows {
            var line = ""
            for (column, text) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - text.count)
                line += (column > 0 ? "  " : "") + (column < leading ? text + padding : padding + text)
            }
            while line.last == " " { line.removeLast() }
            target.write(line + "\n")
        }
    }
}
