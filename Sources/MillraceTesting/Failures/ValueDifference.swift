// SPDX-License-Identifier: Apache-2.0

/// The difference of two values, line by line.
package enum ValueDifference {
    /// Returns the lines that differ, with two equal lines around them. "-" marks the lines of the expected value, "+"
    /// those of the actual one.
    package static func text(expected: Any, actual: Any) -> String {
        let old = ValueLines.lines(of: expected)
        let new = ValueLines.lines(of: actual)
        if old == new {
            return
                "    (Both look alike: they differ in something that reflection does not show, or '==' is not reflexive.)"
        }
        let (removed, inserted) = changes(old, new)
        var marked: [(mark: Character, line: String)] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                marked.append(("-", old[before]))
                before += 1
            } else if inserted.contains(after) {
                marked.append(("+", new[after]))
                after += 1
            } else {
                marked.append((" ", old[before]))
                before += 1
                after += 1
            }
        }
        return text(of: marked)
    }

    /// The lines that are only in one of the two.
    private static func changes(_ old: [String], _ new: [String]) -> (removed: Set<Int>, inserted: Set<Int>) {
        let shorter = min(old.count, new.count)
        var head = 0
        while head < shorter, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        let (oldRange, newRange) = (head..<old.count - tail, head..<new.count - tail)
        // The time and the memory of the search grow with the square of the lines that differ.
        guard oldRange.count + newRange.count <= mostCompared else {
            // Compares line by line: a line that differs from the one at the same index was removed and inserted.
            let both = min(oldRange.count, newRange.count)
            let differing = (0..<both).filter { old[head + $0] != new[head + $0] }.map { head + $0 }
            return (
                Set(differing).union(oldRange.dropFirst(both)),
                Set(differing).union(newRange.dropFirst(both))
            )
        }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new[newRange].difference(from: old[oldRange]) {
            switch change {
            case .remove(let offset, _, _): removed.insert(head + offset)
            case .insert(let offset, _, _): inserted.insert(head + offset)
            }
        }
        return (removed, inserted)
    }

    private static var mostCompared: Int { 4_000 }
    /// The most lines of one mark that are shown in a row.
    private static var longestRun: Int { 60 }

    private static func text(of marked: [(mark: Character, line: String)]) -> String {
        var isShown = [Bool](repeating: false, count: marked.count)
        for (index, entry) in marked.enumerated() where entry.mark != " " {
            for near in max(0, index - 2)...min(marked.count - 1, index + 2) { isShown[near] = true }
        }
        var lines: [String] = []
        var run = 0
        for (index, entry) in marked.enumerated() {
            run = index > 0 && marked[index - 1].mark == entry.mark ? run + 1 : 1
            // The rest of a long run is left out, so that the lines with the other mark are shown, too.
            if entry.mark != " ", run > longestRun {
                if run == longestRun + 1 { lines.append("    \(entry.mark) …") }
                continue
            }
            if isShown[index] {
                lines.append("    \(entry.mark) \(entry.line)")
            } else if index > 0, isShown[index - 1], isShown[index...].contains(true) {
                lines.append("      …")
            }
            if lines.count == 200 {
                lines.append("      … and more")
                break
            }
        }
        return lines.joined(separator: "\n")
    }
}
