// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrderBookModel

/// Rows of columns: the first column is aligned left, the others right.
struct Table {
    private var rows: [[String]]

    init(_ head: String...) {
        rows = [head]
    }

    mutating func add(_ row: String...) {
        rows.append(row)
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            return "  " + cells.joined(separator: "   ")
        }.joined(separator: "\n")
    }
}

extension Market {
    /// A row for each symbol.
    var table: String {
        var table = Table(
            "symbol",
            "best bid",
            "best ask",
            "orders",
            "trades",
            "volume",
            "refused",
            "desk has",
            "reports"
        )
        for (symbol, book) in books.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            table.add(
                "\(symbol)",
                price(book.best(.buy)),
                price(book.best(.sell)),
                grouped(book.orderCount),
                grouped(book.totals.trades),
                grouped(book.totals.volume),
                grouped(book.totals.refused),
                grouped(book.desk.position),
                grouped(book.desk.reports)
            )
        }
        return table.text
    }
}

/// Dollars of a price in ten-thousandths.
func price(_ price: Int32?) -> String {
    price.map { String(format: "%.2f", Double($0) / 10_000) } ?? "-"
}

/// A number with commas.
func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var index = digits.count - 3
    while index > 0 {
        digits.insert(",", at: index)
        index -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
}

/// Shows on a terminal how far a store is, until it is cancelled. Elsewhere it shows nothing.
func showProgress(_ title: String, of total: Int, in store: Exchange.Store) -> Task<Void, Never> {
    Task {
        guard isatty(STDERR_FILENO) == 1 else { return }
        while !Task.isCancelled {
            let done = min(Int(store.metrics.reduced), total)
            write("\r  \(title): \(grouped(done)) of \(grouped(total))\u{1B}[K")
            try? await Task.sleep(for: .milliseconds(100))
        }
        write("\r\u{1B}[K")
    }
}

private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}
