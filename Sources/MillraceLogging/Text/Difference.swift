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
    /// The runs of lines of which the two texts consist, in order; where one replaces another the old comes first.
    ///
    /// Takes the time of reading both, and of the lines times the changes at worst. With more than a thousand changes
    /// what lies between the first and the last of them is told as one run that goes and one that comes.
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
        func lines(_ text: String) -> [LogText] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { LogText(String($0)) }
        }
        return unified(lines(old), lines(new), linesOfContext, prefixLines)?.map(\.shown).joined(separator: "\n")
    }

    static func unified(_ old: [LogText], _ new: [LogText], _ linesOfContext: Int, _ prefix: String) -> [LogText]? {
        let steps = LineSteps(old, new).all
        guard let isShown = near(steps, max(0, linesOfContext)) else { return nil }
        // Places in the old and in the new.
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

    /// Which steps are changes, or not further from one than that; nil: there are none.
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
