// SPDX-License-Identifier: Apache-2.0

/// An aligned table of at most 80 columns. Figures are aligned right, texts left, and the last column is cut off to
/// fit.
struct TextTable {
    static let width = 80

    private let title: String
    private var rows: [[String]] = []
    private let isLeft: [Bool]

    /// Creates a table without rows.
    ///
    /// - Parameter columns: The alignment, one character per column: `l` for left, `r` for right.
    init(_ title: String, _ columns: String) {
        self.title = title
        isLeft = columns.map { $0 == "l" }
    }

    mutating func add(_ cells: String...) {
        add(cells)
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The table with its title and an empty line at the end; empty if it has no rows.
    var text: String {
        guard !rows.isEmpty else { return "" }
        var widths = isLeft.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let others = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        widths[widths.count - 1] = min(widths[widths.count - 1], max(8, Self.width - 2 - others))
        var text = title.isEmpty ? "" : "\(title)\n"
        for row in rows {
            var line = " "
            for (column, cell) in row.enumerated() {
                let cut = cell.count > widths[column] ? String(cell.prefix(widths[column] - 1)) + "…" : cell
                let space = String(repeating: " ", count: widths[column] - cut.count)
                line += (column == 0 ? " " : "  ") + (isLeft[column] ? cut + space : space + cut)
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text + "\n"
    }
}
