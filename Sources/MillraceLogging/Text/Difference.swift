// SPDX-License-Identifier: Apache-2.0

/// A run of successive lines that are in both texts, or only in one of them.
public struct Difference<A> {
    /// The texts that have the elements.
    public enum Which: Hashable, Sendable {
        /// Only the first text, the old one.
        case first
        /// Only the second text, the new one.
        case second
        /// Both texts.
        case both
    }

    /// The elements, in order.
    public let elements: [A]
    /// The texts that have the elements.
    public let which: Which

    /// Creates a run of elements.
    public init(elements: [A], which: Which) {
        self.elements = elements
        self.which = which
    }
}

extension Difference: Sendable where A: Sendable {}
extension Difference: Equatable where A: Equatable {}

extension Difference where A == String {
    /// Returns the runs of lines that make up the two texts, in order. If a run replaces another, the old one comes
    /// first.
    ///
    /// The time grows with the number of lines, in the worst case with the number of lines times the number of changes.
    /// With more than a thousand changes, everything between the first and the last change is one removed run and one
    /// inserted run.
    public static func diff(_ old: [String], _ new: [String]) -> [Difference<String>] {
        var runs: [Difference<String>] = []
        var (from, to) = (0, 0)
        let steps = LineSteps(old, new).all
        var begin = 0
        while begin < steps.count {
            let which = steps[begin]
            let end = steps[begin...].firstIndex { $0 != which } ?? steps.count
            let count = end - begin
            let elements = which == .second ? new[to..<to + count] : old[from..<from + count]
            runs.append(Difference(elements: Array(elements), which: which))
            if which != .second { from += count }
            if which != .first { to += count }
            begin = end
        }
        return runs
    }

    /// Returns the two texts as a unified diff, with `linesOfContext` shared lines around each change; nil if they are
    /// equal.
    ///
    /// A removed line begins with "−" (U+2212), an inserted line with "+", and a shared line with a figure space
    /// (U+2007). A line that ends with a space gets a "¬" at its end.
    public static func diff(
        old: String,
        new: String,
        linesOfContext: Int,
        prefixLines: String = ""
    ) -> String? {
        func lines(_ text: String) -> [LogText] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { LogText(String($0)) }
        }
        return unified(lines(old), lines(new), linesOfContext, prefixLines)?.map(\.shown).joined(separator: "\n")
    }

    static func unified(_ old: [LogText], _ new: [LogText], _ linesOfContext: Int, _ prefix: String) -> [LogText]? {
        let steps = LineSteps(old, new).all
        guard let isShown = near(steps, max(0, linesOfContext)) else { return nil }
        // The positions in the old text and in the new text.
        var (from, to) = (0, 0)
        var index = 0
        var result: [LogText] = []
        while index < steps.count {
            guard isShown[index] else {
                (from, to, index) = (from + 1, to + 1, index + 1)
                continue
            }
            let (oldStart, newStart) = (from, to)
            var body: [LogText] = []
            while index < steps.count, isShown[index] {
                let which = steps[index]
                let text = which == .second ? new[to] : old[from]
                let mark = which == .first ? "\u{2212}" : which == .second ? "+" : "\u{2007}"
                body.append(prefix + mark + text + (text.shown.hasSuffix(" ") ? "¬" : ""))
                if which != .second { from += 1 }
                if which != .first { to += 1 }
                index += 1
            }
            let hunk = "\u{2212}\(oldStart + 1),\(from - oldStart) +\(newStart + 1),\(to - newStart)"
            result.append(LogText("\(prefix)@@ \(hunk) @@"))
            result += body
        }
        return result
    }

    /// Returns which steps are changes, or are within `distance` of a change; nil if there are no changes.
    private static func near(_ steps: [Which], _ distance: Int) -> [Bool]? {
        guard let first = steps.firstIndex(where: { $0 != .both }) else { return nil }
        var isNear = [Bool](repeating: false, count: steps.count)
        var last = first
        for index in first..<steps.count {
            if steps[index] != .both { last = index }
            isNear[index] = index - last <= distance
        }
        for index in stride(from: last, through: 0, by: -1) {
            if steps[index] != .both { last = index }
            if last - index <= distance { isNear[index] = true }
        }
        return isNear
    }
}
