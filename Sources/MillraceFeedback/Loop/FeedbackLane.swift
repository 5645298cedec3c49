// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The output of a loop's store.
@usableFromInline
typealias FeedbackOutput<State: Sendable, Event: Sendable> = AnyActionHandler<FeedbackInput<State, Event>>

/// The place of one feedback's effect in one loop. Only the pipeline's thread uses it.
@usableFromInline
struct FeedbackLane<State: Sendable, Event: Sendable>: Sendable {
    private let latest: LatestEffect<FeedbackInput<State, Event>>

    init(_ latest: LatestEffect<FeedbackInput<State, Event>>) {
        self.latest = latest
    }

    /// Cancels the present effect, if there is one, then begins this one.
    @usableFromInline
    func replace(by effect: Effect<Void, Event>, _ output: FeedbackOutput<State, Event>) {
        latest.replace(by: effect.map { .event($0) }, output)
    }

    /// Cancels the effect, if there is one.
    @usableFromInline
    func cancel() {
        latest.cancel()
    }
}

/// What a feedback remembers in one loop. Only the pipeline's thread uses it.
@usableFromInline
final class FeedbackMemory<Value> {
    /// Exclusivity is not checked, because that would cost time at each event. Nothing else runs during an access.
    @usableFromInline @exclusivity(unchecked) var last: Value

    @inlinable
    init(_ last: Value) {
        self.last = last
    }
}
