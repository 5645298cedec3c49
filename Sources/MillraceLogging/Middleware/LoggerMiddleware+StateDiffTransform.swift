// SPDX-License-Identifier: Apache-2.0

extension LoggerMiddleware {
    /// The text that is logged for the state before and after an action.
    ///
    /// All cases except ``off`` keep the state after an action until it is formatted. All except ``off`` and
    /// ``newStateOnly`` also keep the state before. Meanwhile, a reducer that changes an array, a dictionary or a
    /// string of such a state copies it first, because it is shared. ``LogMemoryLimit`` limits these copies. If a
    /// change is left out because of the limit, a line says so.
    ///
    /// Types that describe themselves are printed by their description only.
    public enum StateDiffTransform: Sendable {
        /// Nothing. The state is not read. This is the default.
        case off
        /// A unified diff of the two states, as ``dumpToString(_:indent:)`` writes them, with `linesOfContext`
        /// unchanged lines around each change. The first 10,000 lines of each state are compared. If a dictionary or a
        /// set has more members than lines are left, only its count is printed.
        case diff(linesOfContext: Int = 2, prefixLines: String = "🏛 ")
        /// The new state, whether it changed or not. At most 10,000 lines are printed.
        case newStateOnly
        /// A line for each part that changed: `" State.cart.prices.#: 4 → 5"`, after the prefix. Nothing is printed if
        /// nothing changed.
        ///
        /// ``DiffSpelling`` describes the lines. If elements of an array were added or removed, the equal elements at
        /// both ends of the array have no line. Keys and members are compared by `==`. All other values are compared by
        /// their text, and by a hash of what their description hides. A hidden change is printed as `*** → ***`.
        ///
        /// **Filters.** A line that contains one of `filters` is left out. Each filter is compared with the line in
        /// both spellings, once with escaped and once with unescaped strings. So a filter that was written for SwiftRex
        /// hides the same line in either spelling. Some lines have a whole value, for example an element that was
        /// added. If a filter names a part of such a value, the line has only the name of its type or case, as
        /// `User(…)`; the line of a dictionary is left out. If a filter names a field that the state does not have, it
        /// can match no line: the log says so once, at level warning.
        ///
        /// The diff has at most 10,000 lines, and compares at most a million values and 64 levels. A line says so if a
        /// limit cut it off.
        case recursive(
            prefixLines: String = "🏛 ",
            stateName: String,
            filters: [String]? = nil,
            spelling: DiffSpelling = .swiftRex
        )
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
            case .diff(_, let prefix), .recursive(let prefix, _, _, _): prefix
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
                return Difference.unified(old, new, linesOfContext, prefix) ?? [LogText("\(prefix) No state mutation")]
            case .newStateOnly:
                return StateDump(after, mostLines: Self.mostLines).lines
            case .recursive(let prefix, let name, let filters, let spelling):
                guard let before else { return nil }
                return LoggerMiddleware.recursiveLines(prefix, name, filters, spelling, before, after)
            case .custom(let text):
                return text(before, after).map { [LogText(described: $0)] }
            }
        }

        /// Returns a line for each filter of a recursive diff that can match no line of such a state.
        func hopelessFilters(_ state: State) -> [LogText] {
            guard case .recursive(let prefix, let name, let filters?, _) = self else { return [] }
            return filters.compactMap { filter in
                guard let part = missingPart(named: filter, in: state, name: name, prefix: prefix) else { return nil }
                return LogText(quoting: filter)
                    + LogText(escaping: " can match no line and hides nothing: \(name) has no part \(part)")
            }.map { "the filter " + $0 }
        }

        fileprivate static var mostLines: Int { 10_000 }
    }

    /// Returns a line for each field that differs between two states, as
    /// ``StateDiffTransform/recursive(prefixLines:stateName:filters:spelling:)`` prints them; nil if no field differs.
    public static func recursiveDiff(
        prefixLines: String,
        stateName: String,
        filters: [String]? = nil,
        spelling: DiffSpelling = .swiftRex,
        before: State?,
        after: State
    ) -> String? {
        before.flatMap { recursiveLines(prefixLines, stateName, filters, spelling, $0, after) }?
            .map(\.shown)
            .joined(separator: "\n")
    }

    private static func recursiveLines(
        _ prefix: String,
        _ name: String,
        _ filters: [String]?,
        _ spelling: DiffSpelling,
        _ before: State,
        _ after: State
    ) -> [LogText]? {
        let diff = RecursiveDiff(
            before,
            after,
            name: name,
            prefix: prefix,
            filters: filters ?? [],
            spelling: spelling,
            mostLines: StateDiffTransform.mostLines
        )
        return diff.lines.isEmpty ? nil : diff.lines
    }
}
