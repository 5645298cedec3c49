// SPDX-License-Identifier: Apache-2.0

/// A run of lines that two texts share, or that only one of them has.
public struct Difference<A> {
    /// Who has the elements.
    public enum Which: Hashable, Sendable {
        /// Only the first, the old one.
        case first
        /// Only the second, the new one.
        case second
        /// Both.
        case both
    }

    /// The elements, in order.
    public let elements: [A]
    /// Who has them.
    public let which: Which

    /// A run of elements.
    public init(elements: [A], which: Which) {
        self.elements = elements
        self.which = which
    }
}

extension Difference: Sendable where A: Sendable {}
extension Difference: Equatable where A: Equatable {}

extension Difference where A == String {
    /// So many comparisons at most; texts that differ more are told as one that goes and one that comes.
    private static var mostWork: Int { 20_000_000 }

    /// The runs of lines of which the two texts consist, in order; where one replaces another the old comes first.
    public static func diff(_ old: [String], _ new: [String]) -> [Difference<String>] {
        var prefix = 0
        while prefix < min(old.count, new.count), old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < min(old.count, new.count) - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
            suffix += 1
        }
        var runs = Runs()
        for line in old[..<prefix] { runs.add(line, .both) }
        let (left, right) = (old[prefix..<old.count - suffix], new[prefix..<new.count - suffix])
        let (work, isTooMuch) = left.count.multipliedReportingOverflow(by: right.count)
        if isTooMuch || work > mostWork {
            for line in left { runs.add(line, .first) }
            for line in right { runs.add(line, .second) }
        } else {
            addMiddle(Array(left), Array(right), to: &runs)
        }
        for line in old[(old.count - suffix)...] { runs.add(line, .both) }
        return runs.all
    }

    private static func addMiddle(_ old: [String], _ new: [String], to runs: inout Runs) {
        var isRemoved = [Bool](repeating: false, count: old.count)
        var isInserted = [Bool](repeating: false, count: new.count)
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): isRemoved[offset] = true
            case .insert(let offset, _, _): isInserted[offset] = true
            }
        }
        var (from, to) = (0, 0)
        while from < old.count || to < new.count {
            if from < old.count, isRemoved[from] {
                runs.add(old[from], .first)
                from += 1
            } else if to < new.count, isInserted[to] {
                runs.add(new[to], .second)
                to += 1
            } else {
                runs.add(old[from], .both)
                (from, to) = (from + 1, to + 1)
            }
        }
    }

    /// The two texts as a unified diff, with so many shared lines around each change; nil when they are equal.
    ///
    /// A removed line begins with "−" (U+2212), one that came with "+", a shared one with a figure space (U+2007); a
    /// line that ends with a space gets a "¬" at its end.
    public static func diff(
        old: String,
        new: String,
        linesOfContext: Int,
        prefixLines: String = ""
    ) -> String? {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return unified(lines(old), lines(new), linesOfContext, prefixLines)?.joined(separator: "\n")
    }

    static func unified(_ old: [String], _ new: [String], _ linesOfContext: Int, _ prefix: String) -> [String]? {
        let lines = diff(old, new).flatMap { run in run.elements.map { (text: $0, which: run.which) } }
        guard lines.contains(where: { $0.which != .both }) else { return nil }
        let context = max(0, linesOfContext)
        var isShown = [Bool](repeating: false, count: lines.count)
        for index in lines.indices where lines[index].which != .both {
            for near in max(0, index - context)...min(lines.count - 1, index &+ context) { isShown[near] = true }
        }
        var (oldLine, newLine) = (1, 1)
        var index = 0
        var result: [String] = []
        while index < lines.count {
            guard isShown[index] else {
                (oldLine, newLine, index) = (oldLine + 1, newLine + 1, index + 1)
                continue
            }
            let (oldStart, newStart) = (oldLine, newLine)
            var body: [String] = []
            while index < lines.count, isShown[index] {
                let (text, which) = lines[index]
                let mark = which == .first ? "\u{2212}" : which == .second ? "+" : "\u{2007}"
                body.append(prefix + mark + text + (text.hasSuffix(" ") ? "¬" : ""))
                if which != .second { oldLine += 1 }
                if which != .first { newLine += 1 }
                index += 1
            }
            let hunk = "\u{2212}\(oldStart),\(oldLine - oldStart) +\(newStart),\(newLine - newStart)"
            result.append("\(prefix)@@ \(hunk) @@")
            result += body
        }
        return result
    }

    private struct Runs {
        var all: [Difference<String>] = []

        mutating func add(_ line: String, _ which: Which) {
            if let last = all.last, last.which == which {
                all[all.count - 1] = Difference(elements: last.elements + [line], which: which)
            } else {
                all.append(Difference(elements: [line], which: which))
            }
        }
    }
}
