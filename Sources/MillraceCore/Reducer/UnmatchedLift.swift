// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The rule of one lift.
@usableFromInline
final class UnmatchedLift<ID, Element>: Sendable {
    private let rule: UnknownElement<ID, Element>.Rule
    private let path: String
    private let isReported = Atomic<Bool>(false)

    @usableFromInline
    init(_ unknown: UnknownElement<ID, Element>, _ path: AnyKeyPath) {
        rule = unknown.rule
        if case .report = unknown.rule { self.path = "\(path)" } else { self.path = "" }
    }

    /// Returns the element to insert, after `reduce` has reduced the action with it; nil if there is none. On the
    /// pipeline's thread, while it reduces.
    @usableFromInline @inline(never)
    func element<Action>(
        _ id: ID,
        reducing action: Action,
        _ reduce: MutableReduceFunction<Action, Element>
    ) -> Element? {
        switch rule {
        case .insert(let make):
            var element = make(id)
            reduce(action, &element)
            return element
        case .ignore: _ = UnmatchedActions.count()
        case .report:
            // Relaxed: one thread of several that reduce sees false first.
            if UnmatchedActions.count(), !isReported.exchange(true, ordering: .relaxed) {
                UnmatchedActions.report(UnmatchedAction(path: path, id: "\(id)"))
            }
        }
        return nil
    }
}
