// SPDX-License-Identifier: Apache-2.0

extension LoggerMiddleware {
    /// The text that is logged for the state before and after an action.
    ///
    /// All cases but ``off`` keep the state after an action until it is formatted. All but ``off`` and ``newStateOnly``
    /// also keep the state before. Meanwhile, a reducer that changes an array, a dictionary or a string of such a state
    /// copies it first, because it is shared. ``LogMemoryLimit`` limits this. If it leaves out a change, a line says
    /// so.
    ///
    /// Types that describe themselves are printed by their description only.
    public enum StateDiffTransform: Sendable {
        /// Nothing. The state is not read. This is the default.
        case off
        /// A unified diff of the two states, as ``dumpToString(_:indent:)`` writes them, with `linesOfContext`
        /// unchanged lines around each change. The first 10,000 lines of each state are compared. If a dictionary or a
        /// set has more members than are left of these lines, only its count is printed.
        case diff(linesOfContext: Int = 2, prefixLines: String = "🏛 ")
        /// The new state, whether it changed or not. At most 10,000 lines are printed.
        case newStateOnly
        /// A line for each field, element or pair that changed: `State.cart.prices[2]: 4 → 5`. Nothing is printed if
        /// nothing changed. Lines that contain one of `filters` are left out.
        ///
        /// A value that only one side has is printed as `∅` on the other side. Members of sets have no index, so their
        /// line names the set. If elements of an array were added or removed, the equal elements at both ends of the
        /// array have no line. Keys and members are compared by `==`. All other values are compared by their text, and
        /// by what their description hides: `*** → ***`.
        ///
        /// The diff has at most 10,000 lines, and compares at most a million values and 64 levels. A line says so if a
        /// limit cut it off.
        case recursive(prefixLines: String = "🏛 ", stateName: String, filters: [String]? = nil)
        /// The text that a closure returns for the state before and the state after; nil: nothing. The closure is
        /// called later, on the formatting queue. Line breaks in the text are escaped.
        @preconcurrency case custom(@Sendable (State?, State) -> String?)

        var isOff: Bool {
            if case .off = self { true } else { false }
        }

        var wantsBefore: Bool {
            switch self {
            case .off, .newStateOnly: false
            case .diff, .recursive, .custom: true
            }
        }

        /// The prefix of each line.
        var prefix: String {
            switch self {
            case .diff(_, let prefix), .recursive(let prefix, _, _): prefix
            case .off, .newStateOnly, .custom: ""
            }
        }

        /// Returns the lines for two states; nil if nothing is to be printed.
        func lines(_ before: State?, _ after: State) -> [LogText]? {
            switch self {
            case .off:
                return nil
            case .diff(let linesOfContext, let prefix):
                let old = before.map { StateDump($0, mostLines: Self.mostLines).lines } ?? []
                let new = StateDump(after, mostLines: Self.mostLines).lines
                return Difference.unified(old, new, linesOfContext, prefix) ?? [LogText("\(prefix)No state mutation")]
            case .newStateOnly:
                return StateDump(after, mostLines: Self.mostLines).lines
            case .recursive(let prefix, let name, let filters):
                guard let before else { return nil }
                return LoggerMiddleware.recursiveLines(prefix, name, filters, before, after)
            case .custom(let text):
                return text(before, after).map { [LogText(described: $0)] }
            }
        }

        fileprivate static var mostLines: Int { 10_000 }
    }

    /// Returns a line for each field that differs between two states, as
    /// ``StateDiffTransform/recursive(prefixLines:stateName:filters:)`` prints them; nil if no field differs.
    public static func recursiveDiff(
        prefixLines: String,
        stateName: String,
        filters: [String]? = nil,
        before: State?,
        after: State
    ) -> String? {
        before.flatMap { recursiveLines(prefixLines, stateName, filters, $0, after) }?.map(\.shown).joined(
            separator: "\n"
        )
    }

    private static func recursiveLines(
        _ prefix: String,
        _ name: String,
        _ filters: [String]?,
        _ before: State,
        _ after: State
    ) -> [LogText]? {
        let diff = RecursiveDiff(
            before,
            after,
            name: name,
            prefix: prefix,
            filters: filters ?? [],
            mostLines: StateDiffTransform.mostLines
        )
        return diff.lines.isEmpty ? nil : diff.lines
    }
}
