// SPDX-License-Identifier: Apache-2.0

extension LoggerMiddleware {
    /// What is told of the state before and after an action.
    ///
    /// All but ``off`` keep the state after an action until it is formatted; all but ``off`` and ``newStateOnly`` the
    /// state before, too. Meanwhile a reducer that changes an array, a dictionary or a string of it copies that first, as
    /// it is shared. ``LogMemoryLimit`` bounds that; a change that it leaves out is told as such.
    ///
    /// Types that describe themselves are told by their description alone.
    public enum StateDiffTransform: Sendable {
        /// Nothing; the state is not read. The default.
        case off
        /// A unified diff of the two states as ``dumpToString(_:indent:)`` writes them, with so many lines around each
        /// change. Of each state the first 10,000 lines are compared; a dictionary or a set with more members than are
        /// left of them is told by its count alone.
        case diff(linesOfContext: Int = 2, prefixLines: String = "🏛 ")
        /// The new state, whether it changed or not; at most 10,000 lines of it.
        case newStateOnly
        /// A line for each field, element or pair that changed: `State.cart.prices[2]: 4 → 5`. What is on one side only
        /// is told as `∅` on the other; members of sets have no place, so their line names the set. Where elements of
        /// an array came or went, what is alike at both its ends has no line. Keys and members are told apart by `==`,
        /// all else by its text, or by what its description hides: `*** → ***`. Lines that contain one of `filters` are
        /// left out. Nothing is told if nothing changed.
        ///
        /// At most 10,000 lines, a million places and 64 levels; a line says so where that cut something.
        case recursive(prefixLines: String = "🏛 ", stateName: String, filters: [String]? = nil)
        /// What a closure says of the state before and the one after; nil: nothing. It is called on the formatting
        /// queue, later. Line breaks in it are escaped.
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

        /// What lines begin with.
        var prefix: String {
            switch self {
            case .diff(_, let prefix), .recursive(let prefix, _, _): prefix
            case .off, .newStateOnly, .custom: ""
            }
        }

        /// Nil: there is nothing to tell.
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
                return text(before, after).map { [LogText(escaping: $0)] }
            }
        }

        fileprivate static var mostLines: Int { 10_000 }
    }

    /// A line for each field that differs between two states, as
    /// ``StateDiffTransform/recursive(prefixLines:stateName:filters:)`` makes them; nil if none does.
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
