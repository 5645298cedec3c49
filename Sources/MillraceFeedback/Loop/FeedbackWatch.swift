// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What one feedback, or several in a row, do in one loop.
@usableFromInline
struct FeedbackWatch<State: Sendable, Event: Sendable> {
    @usableFromInline typealias Output = FeedbackOutput<State, Event>
    @usableFromInline typealias See = (State, Output) -> Void
    @usableFromInline typealias Hear = (Event, Output) -> Void

    // Not optional: a closure in an optional is called through a thunk.
    /// Called with the initial state, then with the state after each event.
    @usableFromInline let see: See
    /// Called with each event, after the reducer.
    @usableFromInline let hear: Hear?

    @inlinable
    init(see: @escaping See, hear: Hear? = nil) {
        self.see = see
        self.hear = hear
    }

    /// Returns a watch that does what all of these do, in order; nil if there are none. It is a closure that calls
    /// closures, because an array would cost two reference counts for each event and feedback.
    @inlinable
    static func all(_ watches: [FeedbackWatch]) -> FeedbackWatch? {
        guard var all = watches.last else { return nil }
        for watch in watches.dropLast().reversed() { all = watch.followed(by: all) }
        return all
    }

    @inlinable
    func followed(by next: FeedbackWatch) -> FeedbackWatch {
        let (see, nextSees) = (see, next.see)
        let hears = [hear, next.hear].compactMap(\.self)
        return FeedbackWatch(
            see: { state, output in
                see(state, output)
                nextSees(state, output)
            },
            hear: hears.isEmpty
                ? nil
                : { event, output in
                    for hear in hears { hear(event, output) }
                }
        )
    }
}
