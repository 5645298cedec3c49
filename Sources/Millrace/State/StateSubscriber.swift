// SPDX-License-Identifier: Apache-2.0

/// A subscriber of a store, in one reference, so that it is cheap to hold during a call.
@usableFromInline
final class StateSubscriber<State>: Sendable {
    let subscription: StateSubscription
    private let body: @Sendable (State) -> Void

    init(_ subscription: StateSubscription, _ body: @escaping @Sendable (State) -> Void) {
        self.subscription = subscription
        self.body = body
    }

    /// Calls it, unless the subscription has ended.
    @usableFromInline
    func tell(_ state: State) {
        // A first look: one that has ended is not even counted.
        guard !subscription.isCancelled else { return }
        subscription.call { body(state) }
    }
}
