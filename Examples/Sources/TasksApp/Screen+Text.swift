// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// The screen as text.
    ///
    /// - Parameter isColoured: Whether to use the colours and the bold letters of a terminal.
    package func text(isColoured: Bool) -> String {
        func styled(_ text: String, _ code: String) -> String {
            isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        var lines = [styled("Tasks", "1") + "  " + Filter.allCases.map(tab).joined(separator: " ")]
        for task in rows {
            let mark = task.isDone ? styled("✓", "32") : "·"
            lines.append("  \(mark) \(task.number) \(task.isDone ? styled(task.title, "2") : task.title)")
        }
        if rows.isEmpty { lines.append(styled("  nothing here", "2")) }
        lines.append(styled(summary, "36"))
        if let problem { lines.append(styled(problem, "31")) }
        return lines.joined(separator: "\n")
    }

    private func tab(_ name: Filter) -> String { name == filter ? "[\(name.rawValue)]" : " \(name.rawValue) " }
}
