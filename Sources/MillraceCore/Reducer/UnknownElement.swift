// SPDX-License-Identifier: Apache-2.0

/// What a reducer that is lifted to elements does with an action for an element that does not exist.
///
/// ```swift
/// let sessions: Reducer<AppAction, AppState> = session.liftToDictionary(
///     action: \.session, stateDictionary: \.sessions, unknown: .insert(default: Session())
/// )
/// ```
///
/// With ``ignore`` and ``report`` nothing changes, and the store counts the action in `StoreMetrics.unmatched`, once,
/// however many lifts did not find their element. The lift of a reducer that does nothing, and ignores, is left out and
/// counts nothing. Nor does a reducer count anything that a middleware runs, on a copy of the state.
public struct UnknownElement<ID, Element>: Sendable {
    @usableFromInline
    enum Rule: Sendable {
        case ignore
        case insert(@Sendable (ID) -> Element)
        case report
    }

    @usableFromInline let rule: Rule

    @inlinable
    init(_ rule: Rule) {
        self.rule = rule
    }

    /// Changes nothing.
    @inlinable
    public static var ignore: UnknownElement { UnknownElement(.ignore) }

    /// Changes nothing, and reports the first such action of the lift to the handler of the store (`onUnmatched`).
    @inlinable
    public static var report: UnknownElement { UnknownElement(.report) }

    /// Makes the element, reduces the action with it, and inserts it: in a dictionary under the key, in a collection at
    /// the end. An element of a collection must have the id that it is made for.
    ///
    /// A middleware that is lifted to the element does not see the action that inserts it.
    @preconcurrency
    @inlinable
    public static func insert(default make: @escaping @Sendable (_ id: ID) -> Element) -> UnknownElement {
        UnknownElement(.insert(make))
    }

    /// Inserts an element in the same way, made without its id.
    @preconcurrency
    @inlinable
    public static func insert(default make: @autoclosure @escaping @Sendable () -> Element) -> UnknownElement {
        UnknownElement(.insert { _ in make() })
    }

    /// Whether the lift of a reducer that does nothing does nothing.
    @inlinable var isIgnore: Bool { if case .ignore = rule { true } else { false } }

    @inlinable var inserts: Bool { if case .insert = rule { true } else { false } }
}
